/**
 * A suspended merchant can read, but no request moves money or saves a card. The allowed operations are tested in
 * test/schema/permissions.test.ts.
 */
import { resumeMerchant, suspendMerchant } from '../../../src/accounts/merchants/suspension';
import { visa } from '../../harness/cards/testCards';
import { eventually } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { suspension } from '../../harness/merchant/suspension';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { suspend, resume } = suspension(api);
const db = () => api.database.db();
const operator = { actor: { kind: 'operator', id: 'command line' } } as const;

const counts = () => {
  const own = { where: api.ownRows() };
  return Promise.all([
    db().transaction.count(own),
    db().card.count(own),
    db().token.count(own),
    db().idempotentReply.count(own),
  ]);
};

describe('a suspended merchant', () => {
  let before: number[];
  beforeAll(async () => {
    before = await counts();
    await suspend();
  });
  afterAll(async () => {
    expect(await counts()).toEqual(before);
    await resume();
  });

  it('cannot move money over REST or GraphQL, and refusals are not stored under the Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'suspended' };
    const query = 'mutation { createFee { id } }';
    for (const answer of [
      await api.rest('POST', '/charges', { body: '{', headers }),
      await api.rest('PUT', '/cards/k0000000000000000000', { body: '{' }),
      await api.graphql('', {}, { body: { query }, headers }),
    ])
      expect([answer.status, errorOf(answer)]).toEqual([423, 1008]);
    expect(await db().idempotentReply.count({ where: api.ownRows() })).toBe(0);
  });

  it('is shown with its status and reason', async () => {
    const { body } = await api.rest('GET', '');
    expect(body).toMatchObject({ status: 'suspended', suspension_reason: 'Documents are missing' });
    expect(Date.parse(body.suspended_at)).toBeGreaterThan(Date.now() - 600_000);
  });

  it('does not affect other merchants, and its public key is refused', async () => {
    const { own, other } = api.merchants();
    const made = await sendRequest(`${api.origin()}/v1/${other.id}/tokens`, 'POST', {
      key: other.private_key,
      body: visa,
    });
    expect(made.status).toBe(201);
    await db().token.deleteMany({ where: { merchant_id: other.id } });
    const refused = await api.rest('POST', '/tokens', { key: own.public_key, body: visa });
    expect([refused.status, errorOf(refused)]).toEqual([423, 1008]);
  });
});

it('a repeated charge returns its stored response, and a new charge is refused until the resumption', async () => {
  const source_id = await shop.newCard();
  const charge = { ...shop.charge, source_id, customer: shop.payer };
  const pay = (order_id: string) => shop.post('/charges', { ...charge, order_id }, { 'idempotency-key': order_id });
  const first = await pay('made');
  expect(first.status).toBe(200);
  await suspend();
  const again = await pay('made');
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
  const another = await shop.post('/charges', { ...charge, amount: 1 }, { 'idempotency-key': 'made' });
  expect(errorOf(another)).toBe(1008);
  expect(errorOf(await pay('refused'))).toBe(1008);
  expect(await db().transaction.count({ where: { ...api.ownRows(), order_id: 'refused' } })).toBe(0);
  await resume();
  const made = await pay('refused');
  expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([200, null]);
});

it('the database refuses charges of a process with an outdated cache, and they use up no order_id or token', async () => {
  const token = await shop.newToken();
  const customer = await shop.newCustomer({ requires_account: false });
  const plans = [await shop.newPlan(), await shop.newPlan({ trial_days: 5 })];
  // The state before the notification arrives.
  await db().$executeRaw`alter table merchants disable trigger forget_api_keys`;
  await suspendMerchant(db(), operator, api.merchants().own.id, 'x');
  const before = await counts();
  const charge = { ...shop.charge, source_id: token, customer: shop.payer, order_id: 'late' };
  for (const body of [charge, { ...shop.redirect, order_id: 'late' }, { ...shop.store, order_id: 'late' }])
    expect(errorOf(await shop.post('/charges', body))).toBe(1008);
  expect(errorOf(await shop.post('/pse', shop.pse))).toBe(1008);
  for (const plan_id of plans) {
    const subscription = { plan_id, source_id: token };
    expect(errorOf(await shop.post(`/customers/${customer}/subscriptions`, subscription))).toBe(1008);
  }
  expect(await db().subscription.count({ where: api.ownRows() })).toBe(0);
  expect(await counts()).toEqual(before);
  await db().$executeRaw`alter table merchants enable trigger forget_api_keys`;
  await resumeMerchant(db(), operator, api.merchants().own.id);
  await eventually(async () => expect((await shop.post('/charges', charge)).status).toBe(200));
});

it('vouchers and bank payments from before the suspension are still recorded when they are paid', async () => {
  const voucher = (await shop.post('/charges', shop.store)).body.id;
  const bank = (await shop.post('/charges', { ...shop.pse, method: 'bank_account' })).body.id;
  await suspend();
  for (const id of [voucher, bank])
    expect((await shop.post(`/sandbox/charges/${id}/pay`, {})).body).toMatchObject({ status: 'completed' });
  await resume();
});

it('concurrent suspensions write one event; another reason fails with 3006, an unknown merchant with 1005', async () => {
  const { id } = api.merchants().other;
  await Promise.all(Array.from({ length: 10 }, () => suspendMerchant(db(), operator, id, 'Fraud')));
  await expect(suspendMerchant(db(), operator, id, 'x')).rejects.toMatchObject({ error_code: 3006 });
  await expect(suspendMerchant(db(), operator, 'nobody', 'x')).rejects.toMatchObject({ error_code: 1005 });
  await resumeMerchant(db(), operator, id);
  await expect(resumeMerchant(db(), operator, id)).rejects.toMatchObject({ error_code: 3006 });
  const { body } = await sendRequest(`${api.origin()}/v1/${id}/events`, 'GET', {
    key: api.merchants().other.private_key,
  });
  const at = { object_id: id, event_date: expect.any(String) };
  expect(body).toMatchObject([
    { type: 'merchant.resumed', ...at, merchant: { id, status: 'active', suspension_reason: null } },
    { type: 'merchant.suspended', ...at, merchant: { id, status: 'suspended', suspension_reason: 'Fraud' } },
  ]);
  const entries = await db().auditEntry.findMany({ where: { merchant_id: id }, orderBy: { id: 'asc' } });
  expect(entries).toMatchObject([
    { action: 'merchant.created' },
    { action: 'merchant.suspended', actor: 'operator', object_id: id, after: { reason: 'Fraud' } },
    { action: 'merchant.resumed', actor: 'operator', object_id: id },
  ]);
});
