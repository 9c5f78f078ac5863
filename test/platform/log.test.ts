import { until } from '../harness/flow/until';
import { basic, testApi } from '../harness/servers/api';

const api = testApi();

describe('the log', () => {
  it('has one line per request with its merchant, route, status and duration', async () => {
    const linesBefore = api.lines().length;
    const { headers, body } = await api.rest('POST', '/customers', {
      body: { name: 'María', email: 'maria@example.com' },
    });
    await api.rest('GET', `/customers/${body.id}?limit=secret`);
    // A line is written after its response was sent.
    await until(() => api.lines().length >= linesBefore + 2);
    const lines = api
      .lines()
      .slice(linesBefore)
      .map(line => JSON.parse(line));
    expect(lines).toMatchObject([
      {
        request_id: headers.get('request-id'),
        merchant: api.merchants().own.id,
        route: 'POST /v1/:merchant_id/customers',
        status: 201,
      },
      { merchant: api.merchants().own.id, route: 'GET /v1/:merchant_id/customers/:customer_id', status: 200 },
    ]);
    expect(lines[0].ms).toBeGreaterThan(0);
  });

  it('has no lines for health checks', async () => {
    const linesBefore = api.lines().length;
    for (const path of ['/health', '/ready', '/ready/api']) await fetch(`${api.origin()}${path}`);
    await fetch(`${api.origin()}/openapi.json`);
    await until(() => api.lines().length > linesBefore);
    const routes = api
      .lines()
      .slice(linesBefore)
      .map(line => JSON.parse(line).route);
    expect(routes).toEqual(['GET /openapi.json']);
  });

  it('never contains an API key, an Authorization header or customer data', async () => {
    const { own, other } = api.merchants();
    const canaries = [
      own.private_key,
      own.public_key,
      other.private_key,
      basic(own.private_key),
      'Canaria',
      'canary@example.com',
    ];
    const body = { name: 'Canaria', email: 'canary@example.com' };
    for (const key of [own.private_key, own.public_key, other.private_key]) {
      await api.rest('POST', '/customers', { key, body });
      await api.graphql('mutation($c: CreateCustomer!) { createCustomer(customer: $c) { id } }', { c: body }, { key });
      await api.rest('POST', '/customers', { key, body: '{' });
      await api.rest('GET', `/customers/${key}?external_id=${key}`, { key });
    }
    await api.database.db().$executeRaw`alter table customers rename to hidden`;
    await api.rest('POST', '/customers', { body });
    await api.rest('GET', '/customers?external_id=Canaria');
    await api.database.db().$executeRaw`alter table hidden rename to customers`;
    const text = api.lines().join('');
    expect(text).toContain('request: internal error');
    const encodings = (canary: string) => [
      canary,
      Buffer.from(canary).toString('base64'),
      Buffer.from(canary).toString('hex'),
    ];
    expect(canaries.flatMap(encodings).filter(canary => text.includes(canary))).toEqual([]);
  });
});
