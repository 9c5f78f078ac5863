import { createMerchant } from '../../src/accounts/merchants/accounts';
import { variables } from '../../src/platform/config/variables';
import { until } from '../harness/flow/until';
import { type ApiResponse, errorOf, sendRequest } from '../harness/servers/api';
import { startApi } from '../harness/servers/apiProgram';
import { testDatabase } from '../harness/servers/database';
import { TcpProxy } from '../harness/servers/tcpProxy';

describe('the API while its database is down', () => {
  const database = testDatabase();
  let proxy: TcpProxy;
  let url: string;
  let merchant: Awaited<ReturnType<typeof createMerchant>>;

  beforeAll(async () => {
    const secret = variables.API_KEY_SECRET.defaultValue;
    merchant = await createMerchant(
      database.db(),
      { environment: 'sandbox', name: 'Tienda', email: 'a@b.co', phone: '6011234567' },
      secret,
    );
    proxy = await TcpProxy.start(database.url());
    url = (await startApi({ DATABASE_URL: proxy.url })).origin;
  });

  const body = { name: 'María', email: 'maria@example.com' };
  const rest = (method: string, path: string) =>
    sendRequest(`${url}/v1/${merchant.id}${path}`, method, {
      key: merchant.private_key,
      ...(method === 'POST' ? { body } : {}),
    });
  const graphql = () =>
    sendRequest(`${url}/graphql`, 'POST', {
      key: merchant.private_key,
      body: { query: '{ customers { nodes { id } } }' },
    });
  const callAll = (): Promise<ApiResponse[]> =>
    Promise.all([
      rest('GET', '/customers'),
      rest('POST', '/customers'),
      rest('GET', '/customers/a0000000000000000000'),
      graphql(),
    ]);

  it.each(['disconnect', 'stall'] as const)(
    'fails with 1004 while it is down (%s), reports itself as alive, and recovers when the database is back',
    async outage => {
      // A connection that takes more than two seconds is abandoned, and this process proxies the connections.
      await until(async () => (await rest('GET', '/customers')).status === 200);
      proxy[outage]();
      const answers = await callAll();
      expect(answers.map(errorOf)).toEqual([1004, 1004, 1004, 1004]);
      expect(answers.slice(0, 3).map(({ status, body }) => [status, body.category])).toEqual(
        Array(3).fill([503, 'internal']),
      );
      expect(answers.slice(0, 3).every(({ headers }) => headers.get('retry-after') === '5')).toBe(true);
      const live = await sendRequest(`${url}/graphql/stream`, 'POST', {
        key: merchant.private_key,
        body: { query: 'subscription { events(after: "e0000000000000000000") { id } }' },
      });
      expect([live.status, errorOf(live), live.headers.get('retry-after')]).toEqual([503, 1004, '5']);
      expect((await sendRequest(`${url}/health`, 'GET', {})).status).toBe(200);
      expect((await sendRequest(`${url}/ready`, 'GET', {})).body).toMatchObject({ database: 'down' });
      proxy.disconnect();
      proxy.restore();
      await until(async () => (await rest('POST', '/customers')).status === 201);
      await until(async () => Array.isArray((await graphql()).body.data?.customers?.nodes));
    },
  );
});
