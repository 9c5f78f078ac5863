/** Limits on declines, which stop attackers from testing card numbers. */

import { DeclineLimits } from '../../../src/gateway/declines';
import { Buckets } from '../../../src/platform/limits/buckets';
import { visa } from '../../harness/cards/testCards';
import { until } from '../../harness/flow/until';
import { payOnPage } from '../../harness/merchant/merchantCalls';
import { testBilling } from '../../harness/merchant/subscriptions';
import { type ApiResponse, sendRequest } from '../../harness/servers/api';

/**
 * The limit of a merchant. Card ranges get a third of it, addresses a twelfth, and devices a fifteenth, or half of that in
 * browsers.
 */
const PER_HOUR = 60;
const billing = testBilling({ limits: { LIMIT_DECLINES_PER_HOUR: PER_HOUR }, acquirerTimeoutMs: 300_000 });
const { api, shop } = billing;

const DECLINED = '4222222222222220';
const DECLINED_IN_OTHER_RANGE = '4000000000000069';
const SAVES_AND_DECLINES = '4000000000000341';
type Name = 'own' | 'other';
const post = (path: string, body: object, name: Name = 'own', key?: string): Promise<ApiResponse> => {
  const { id, private_key } = api.merchants()[name];
  return sendRequest(`${api.origin()}/v1/${id}${path}`, 'POST', { key: key ?? private_key, body });
};
const save = (card_number: string, name?: Name) => post('/cards', { ...visa, card_number }, name);
const count = (answers: ApiResponse[], status: number): number =>
  answers.filter(answer => answer.status === status).length;
const alerts = async (merchant_id: string) =>
  (
    await api.database
      .db()
      .event.findMany({ where: { merchant_id, type: 'fraud.alert' }, orderBy: { sequence: 'asc' } })
  ).map(({ object }) => object);

it('after too many declines, cards of one range are refused before the acquirer is called', async () => {
  const { id } = api.merchants().other;
  const before = api.acquirer.journal().length;
  const answers = await Promise.all(Array.from({ length: 200 }, () => save(DECLINED, 'other')));
  expect([count(answers, 402), count(answers, 429)]).toEqual([PER_HOUR / 3, 200 - PER_HOUR / 3]);
  expect(api.acquirer.journal()).toHaveLength(before + PER_HOUR / 3);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body).toMatchObject({ error_code: 1011, description: expect.stringContaining('declined') });
  // The last decline began a cool-down of a quarter of an hour.
  await until(async () => (await alerts(id)).length > 0);
  expect(Number((await save(DECLINED, 'other')).headers.get('retry-after'))).toBeGreaterThan(600);
  expect(await alerts(id)).toMatchObject([{ scope: 'card_range', value: DECLINED.slice(0, 6), per_hour: 20 }]);
  expect((await post('/tokens', { ...visa, card_number: DECLINED }, 'other')).status).toBe(429);
});

it("attempts that are refused for their card range never take tokens of the merchant's limit", async () => {
  const { id } = api.merchants().own;
  const db = api.database.db();
  const buckets = new Buckets(db);
  const taken = jest.spyOn(buckets, 'take');
  const limits = new DeclineLimits(db, buckets, PER_HOUR);
  const begin = () => limits.begin(id, { from: 'server', card_number: '999999XXXXXX0000' });
  const flood = await Promise.allSettled(Array.from({ length: 5 * PER_HOUR }, begin));
  const begun = flood.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
  expect(begun).toHaveLength(PER_HOUR / 3);
  expect(taken.mock.calls.filter(([name]) => name.startsWith('declines merchant'))).toHaveLength(PER_HOUR / 3);
  for (const attempt of begun) await attempt.end(undefined);
});

it.each([
  { card_number: '888888XXXXXX0000', share: 1 / 3 },
  { address: '203.0.113.7', share: 1 / 12 },
  { device: 'of the attacker', share: 1 / 30 },
])('three approvals beside each decline do not raise the limit of $share', async ({ share, ...origin }) => {
  const { id } = api.merchants().own;
  const limits = new DeclineLimits(api.database.db(), new Buckets(api.database.db()), PER_HOUR);
  const attempt = async (approved: boolean): Promise<boolean> => {
    const begun = await limits.begin(id, { from: 'token', ...origin }).catch(() => undefined);
    await begun?.end({ approved });
    return begun !== undefined;
  };
  let declined = 0;
  for (let i = 0; i < PER_HOUR; i++) {
    if (await attempt(false)) declined++;
    for (let approvals = 0; approvals < 3; approvals++) await attempt(true);
  }
  expect(declined).toBe(PER_HOUR * share);
});

it('too many declines on payment pages stop the pages only, not what the server does with cards', async () => {
  const { id } = api.merchants().own;
  const source_id = await shop.newCard();
  const { url } = (await shop.post('/charges', shop.redirect)).body.payment_method;
  const limits = new DeclineLimits(api.database.db(), new Buckets(api.database.db()), PER_HOUR);
  const declineOnPage = async (i: number): Promise<void> => {
    const attempt = await limits.begin(id, { from: 'page', address: `203.0.${i}.1`, device: `device ${i}` });
    await attempt.end({ approved: false });
  };
  for (let i = 0; i < PER_HOUR; i++) await declineOnPage(i);
  await expect(declineOnPage(PER_HOUR)).rejects.toMatchObject({ kind: 'too_many' });
  expect((await alerts(id)).at(-1)).toMatchObject({ origin: 'page', scope: 'merchant', per_hour: PER_HOUR });
  expect((await payOnPage(url)).status).toBe(429);
  const charge = { ...shop.charge, source_id, customer: shop.payer, device_session_id: 'device 1' };
  expect((await post('/charges', charge)).status).toBe(200);
  expect((await save('4242424242424242')).status).toBe(201);
  const { public_key } = api.merchants().own;
  expect((await post('/tokens', visa, 'own', public_key)).status).toBe(201);
});

it("several processes together accept no more attempts than the merchant's limit", async () => {
  const db = api.database.db();
  const processes = Array.from({ length: 3 }, () => new DeclineLimits(db, new Buckets(db), PER_HOUR));
  const begin = (limits: DeclineLimits) => limits.begin('shared', { from: 'server' });
  const attempts = processes.flatMap(limits => Array.from({ length: PER_HOUR }, () => begin(limits)));
  const accepted = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled');
  // The bucket gains one token a minute.
  expect(accepted.length - PER_HOUR).toBeLessThan(3);
});

it("attempts in different ranges are accepted up to the merchant's limit; then the merchant gets an alert", async () => {
  const { id, private_key: key } = api.merchants().other;
  expect((await save(visa.card_number, 'other')).status).toBe(201);
  const { id: source_id } = (await save(SAVES_AND_DECLINES, 'other')).body;
  const answers: ApiResponse[] = [];
  for (let i = 0; i < 50; i++)
    for (const number of [DECLINED_IN_OTHER_RANGE, '4444444444444448']) answers.push(await save(number, 'other'));
  expect(count(answers, 402)).toBeGreaterThanOrEqual(2 * (PER_HOUR / 3));
  expect(count(answers, 429)).toBeGreaterThan(0);
  // Declines of a card that was saved before use up the rest of the merchant's allowance.
  const decline = (device_session_id: string) =>
    post('/charges', { ...shop.charge, source_id, device_session_id, customer: shop.payer }, 'other');
  for (let i = 0; (await decline(`device ${i}`)).status === 402; ) i++;
  await until(async () => (await alerts(id)).length === 4);
  const { body } = await sendRequest(`${api.origin()}/v1/${id}/events?type=fraud.alert`, 'GET', { key });
  const scopes = body.map(({ alert }: { alert: { scope: string } }) => alert.scope);
  expect(scopes.sort()).toEqual(['card_range', 'card_range', 'card_range', 'merchant']);
});

it('a device with a few declines is refused, another device is accepted, and approvals do not count', async () => {
  const card = await shop.newCard('/cards', SAVES_AND_DECLINES);
  const charge = (source_id: string, device_session_id: string) =>
    post('/charges', { ...shop.charge, source_id, device_session_id, customer: shop.payer });
  const answers = await Promise.all(Array.from({ length: 30 }, () => charge(card, 'one')));
  expect([count(answers, 402), count(answers, 429)]).toEqual([PER_HOUR / 15, 30 - PER_HOUR / 15]);
  // The refused attempts created no transactions.
  expect((await api.rest('GET', '/charges?status=failed&limit=100')).body).toHaveLength(PER_HOUR / 15);
  expect((await charge(card, 'two')).status).toBe(402);
  const good = await shop.newCard();
  for (let i = 0; i < 2 * PER_HOUR; i++) expect((await charge(good, 'three')).status).toBe(200);
});

it('tokens from an address with declined cards are refused, except tokens from the merchant’s server', async () => {
  const { public_key, private_key } = api.merchants().own;
  const allowed = PER_HOUR / 12;
  // Created before the first decline.
  const tokens: string[] = [];
  for (let i = 0; i < 2 * allowed; i++)
    tokens.push((await post('/tokens', { ...visa, card_number: DECLINED }, 'own', public_key)).body.id);
  const answers = await Promise.all(
    tokens.map(id =>
      post('/charges', { ...shop.charge, source_id: id, customer: shop.payer, device_session_id: `of ${id}` }),
    ),
  );
  expect([count(answers, 402), count(answers, 429)]).toEqual([allowed, allowed]);
  // The refused tokens can still be used.
  const { db } = api.database;
  expect(await db().token.count({ where: { id: { in: tokens }, used_by: null } })).toBe(allowed);
  expect((await post('/tokens', visa, 'own', public_key)).body).toMatchObject({ error_code: 1011 });
  expect((await post('/tokens', visa, 'own', private_key)).status).toBe(201);
});

it('renewals and charges that began earlier continue; new charges are refused', async () => {
  const subscription = await billing.subscribe('2040-01-10', { card: SAVES_AND_DECLINES, plan: { trial_days: 1 } });
  const charge = { ...shop.charge, source_id: await shop.newCard(), customer: shop.payer, device_session_id: 'four' };
  const chargeOnce = (key: string) => shop.post('/charges', charge, { 'idempotency-key': key });
  const first = await chargeOnce('interrupted');
  const declining = await shop.newCard('/cards', SAVES_AND_DECLINES);
  const decline = (device_session_id: string) =>
    shop.post('/charges', { ...charge, source_id: declining, device_session_id });
  let attempts = 0;
  while ((await decline(`device ${attempts}`)).status !== 429) attempts++;
  expect(attempts).toBeLessThanOrEqual(PER_HOUR + 5);
  expect((await chargeOnce('another')).body).toMatchObject({ error_code: 1011 });
  // Simulates a process that crashed before it responded.
  const interrupted = { status: null, body: null, lease_until: new Date(0) };
  await api.database.db().idempotentReply.updateMany({ where: { key: 'interrupted' }, data: interrupted });
  expect(await chargeOnce('interrupted')).toMatchObject({ status: 200, body: { id: first.body.id } });
  expect(await subscription.diary('2040-01-13')).toContain('past_due 1');
  expect((await subscription.charges()).length).toBeGreaterThanOrEqual(2);
});
