/** The limit on a key's requests in progress; a merchant with waiting requests does not delay other merchants. */
import { until } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { sendRequest, testApi } from '../../harness/servers/api';
import { inDatabase } from '../../harness/world/database';

const api = testApi({ limits: { LIMIT_REQUESTS_IN_FLIGHT: 12 } });
const shop = merchantCalls(api);
const other = () => {
  const { id, private_key: key } = api.merchants().other;
  return sendRequest(`${api.origin()}/v1/${id}`, 'GET', { key });
};
const charge = (source_id: string) => shop.post('/charges', { ...shop.charge, source_id, customer: shop.payer });

it('one request beyond the maximum of a key is refused, until another request has ended', async () => {
  const card = await shop.newCard();
  const held = api.acquirer.hold('/charge');
  const charges = Array.from({ length: 12 }, () => charge(card));
  await until(() => held.count() === 12);
  expect((await charge(card)).body).toMatchObject({ error_code: 1011 });
  expect((await other()).status).toBe(200);
  held.release();
  expect(new Set((await Promise.all(charges)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await charge(card)).status).toBe(200);
});

it('requests that wait for the acquirer release their slots to other requests of the same merchant', async () => {
  const card = await shop.newCard();
  // Another merchant is active, so each merchant has only its share.
  await other();
  const held = api.acquirer.hold('/charge');
  const charges = Array.from({ length: 10 }, () => charge(card));
  await until(() => held.count() === 10);
  expect((await api.rest('GET', '/customers')).status).toBe(200);
  held.release();
  await Promise.all(charges);
});

it('search and totals do not wait for large responses of the same merchant', async () => {
  await other();
  await inDatabase(api.database.url(), async blocker => {
    await blocker.query('begin; lock table fraud_rules in access exclusive mode');
    const large = api.rest('GET', '/fraud_rules?limit=1000');
    const waiting = `select from pg_locks where not granted and relation = 'fraud_rules'::regclass`;
    await until(async () => (await blocker.query(waiting)).rowCount !== 0);
    for (const path of ['/stats', '/search?text=maria']) expect((await api.rest('GET', path)).status).toBe(200);
    expect((await api.graphql('{ stats { currency } search(text: "maria") { __typename } }')).status).toBe(200);
    await blocker.query('rollback');
    await large;
  });
});
