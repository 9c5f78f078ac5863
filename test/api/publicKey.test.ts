/** The public key makes and reads tokens, tells of devices, and learns of nothing else, not even whether it exists. */
import { Client } from 'pg';
import { apiSchema } from '../../src/api/apiSchema';
import { routes } from '../../src/api/rest/routes';
import { newId } from '../../src/platform/identifiers';
import { visa } from '../harness/cards/testCards';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { until } from '../harness/flow/until';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { type ApiResponse, errorOf, type RequestOptions, sendRequest, testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const ALLOWED = ['createToken', 'token', 'createDevice'];
const known: Record<string, string> = {};
const unknown: Record<string, string> = {};
const withPublicKey = (options: RequestOptions = {}) => ({ key: api.merchants().own.public_key, ...options });

beforeAll(async () => {
  const db = api.database.db();
  known.customer_id = await shop.newCustomer();
  known.card_id = await shop.newCard(`/customers/${known.customer_id}/cards`);
  known.saved_card_id = known.card_id;
  const ofCustomer = `/customers/${known.customer_id}`;
  const charge = await shop.post(`${ofCustomer}/charges`, { ...shop.charge, source_id: known.card_id });
  known.transaction_id = charge.body.id;
  known.plan_id = await shop.newPlan({ trial_days: 5 });
  const { plan_id, card_id: source_id } = known;
  known.subscription_id = (await shop.post(`${ofCustomer}/subscriptions`, { plan_id, source_id })).body.id;
  const fee = { customer_id: known.customer_id, amount: 100, description: 'Fee' };
  known.fee_id = (await shop.post('/fees', fee)).body.id;
  known.event_id = (await api.rest('GET', '/events')).body[0].id;
  known.webhook_id = (await shop.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.id;
  known.delivery_id = (await db.delivery.findFirstOrThrow()).id;
  known.verification_code = 'x';
  known.key_id = (await db.apiKey.findFirstOrThrow({ where: { merchant_id: api.merchants().own.id } })).id;
  known.session_id = (await shop.post('/sessions', { origins: ['https://panel.example'] })).body.id;
  known.device_id = (await shop.post('/devices', {})).body.id;
  known.fraud_rule_id = (await api.rest('GET', '/fraud_rules')).body[0].id;
  for (const [name, id] of Object.entries(known)) {
    expect([name, id]).toEqual([name, expect.any(String)]);
    unknown[name] = newId('customer').replace('a', id.slice(0, 1));
  }
});

const read = jest.spyOn(Client.prototype, 'query');
atTheEnd(() => read.mockRestore());

/** The same answer for both, and no statement that reads anything. */
const expectForbidden = (call: (ids: Record<string, string>) => Promise<ApiResponse>) =>
  until(async () => {
    read.mockClear();
    for (const ids of [known, unknown]) {
      const answer = await call(ids);
      expect([answer.status, errorOf(answer)]).toEqual([403, 1010]);
    }
    // Workers are woken after every POST. The key may have to be read once more: the merchants are new.
    return read.mock.calls.every(([statement]) => /^select 1$|pg_notify|notify /i.test(textOf(statement)));
  });
const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text;

describe('REST', () => {
  const forbidden = routes.filter(({ field }) => !ALLOWED.includes(field));

  it.each(forbidden.map(route => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
    const call = (ids: Record<string, string>) => {
      const path = route.path === '/' ? '' : route.path.replace(/:(\w+)/g, (_, name) => ids[name] ?? `no ${name}`);
      return api.rest(route.method, path, withPublicKey(route.body ? { body: {} } : {}));
    };
    await expectForbidden(call);
  });
});

describe('GraphQL', () => {
  const roots = [apiSchema.getQueryType(), apiSchema.getMutationType(), apiSchema.getSubscriptionType()];
  const fields = roots.flatMap(root => Object.values(root?.getFields() ?? {}).map(field => ({ root, field })));
  const forbidden = fields.filter(({ field }) => !ALLOWED.includes(field.name));

  it.each(forbidden.map(each => [`${each.root?.name}.${each.field.name}`, each] as const))('%s', async (_, each) => {
    const { root, field } = each;
    const call = (ids: Record<string, string>) => {
      const args = field.args.filter(({ name }) => name in ids);
      const list = args.map(({ name }) => `${name}: "${ids[name]}"`).join(', ');
      const query = `${root?.name.toLowerCase()} { ${field.name}${list ? `(${list})` : ''} { id } }`;
      const path = root?.name === 'Subscription' ? '/graphql/stream' : '/graphql';
      return sendRequest(`${api.origin()}${path}`, 'POST', withPublicKey({ body: { query } }));
    };
    await expectForbidden(call);
  });

  it.each(['PUT', 'GET', 'DELETE'])('%s /graphql/stream', async method => {
    const url = `${api.origin()}/graphql/stream?operationId=1&token=${newId('stream')}`;
    await expectForbidden(() => sendRequest(url, method, withPublicKey()));
    expect(await api.database.db().liveStream.count()).toBe(0);
  });

  it('not together with a token either', async () => {
    const token = await shop.newToken();
    const query = `{ token(token_id: "${token}") { id } customer(customer_id: "${known.customer_id}") { id } }`;
    expect(errorOf(await api.graphql(query, {}, withPublicKey({ body: { query } })))).toBe(1010);
  });
});

describe('tokens', () => {
  it("are its own merchant's only", async () => {
    const { id, private_key: key } = api.merchants().other;
    const other = await sendRequest(`${api.origin()}/v1/${id}/tokens`, 'POST', { key, body: visa });
    const own = await shop.newToken();
    const read = (token: string) => api.rest('GET', `/tokens/${token}`, withPublicKey());
    expect((await read(own)).status).toBe(200);
    expect((await read(other.body.id)).status).toBe(404);
    const query = 'query($id: ID!) { token(token_id: $id) { id } }';
    const ask = (token: string) => api.graphql('', {}, withPublicKey({ body: { query, variables: { id: token } } }));
    expect((await ask(own)).body.data.token.id).toBe(own);
    expect(errorOf(await ask(other.body.id))).toBe(1005);
  });

  it.each(['REST', 'GraphQL'])('an Idempotency-Key in %s is apart from that of the private key', async way => {
    const headers = { 'idempotency-key': `shared-${way}` };
    const mutation = 'mutation($t: CreateToken!) { createToken(token: $t) { id } }';
    const create = async (key: string, card = visa) => {
      const answer =
        way === 'REST'
          ? await api.rest('POST', '/tokens', { key, headers, body: card })
          : await api.graphql('', {}, { key, headers, body: { query: mutation, variables: { t: card } } });
      return { error: errorOf(answer), text: answer.text, replayed: answer.headers.get('idempotent-replayed') };
    };
    const { public_key, private_key } = api.merchants().own;
    const first = await create(public_key);
    expect([first.error, first.replayed]).toEqual([undefined, null]);
    expect(await create(public_key)).toEqual({ ...first, replayed: 'true' });
    // Neither occupied nor read by the other: another card is accepted, and the same card is not a repeat.
    const card = { ...visa, holder_name: 'Ana' };
    const privately = await create(private_key, card);
    expect([privately.error, privately.replayed]).toEqual([undefined, null]);
    expect(await create(private_key, card)).toEqual({ ...privately, replayed: 'true' });
    expect((await create(public_key, card)).error).toBe(1003);
    expect(await create(public_key)).toEqual({ ...first, replayed: 'true' });
  });
});
