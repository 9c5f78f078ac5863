/** A payout is paid to the merchant's bank once and never exceeds its balance, despite failures. */
import { reloadTransaction } from '../../../src/payments/charges/rows';
import { accountOf } from '../../../src/payments/payouts/view';
import { payoutWorkflowId } from '../../../workflows/contract';
import { eventually } from '../../harness/flow/until';
import { testBackground } from '../../harness/merchant/background';
import { testOperators } from '../../harness/merchant/operators';
import { testBilling } from '../../harness/merchant/subscriptions';
import { suspension } from '../../harness/merchant/suspension';
import { type ApiResponse, errorOf, sendRequest } from '../../harness/servers/api';
import { bookDifferences } from '../../harness/servers/damage';
import { inDatabase } from '../../harness/world/database';

const billing = testBilling({ ownWorld: true });
const { api, shop, namespace } = billing;
const background = testBackground(api);
const { suspend, resume } = suspension(api);
const db = () => api.database.db();
const { operate } = testOperators(api);

const ACCOUNT = { bank: 'Bancolombia', type: 'savings', number: '123-456 78901' };
const SHOWN = { bank: 'Bancolombia', type: 'savings', number: 'XXXXXXX8901' };
const UNKNOWN_TO_ITS_BANK = '12345670000';

const setAccount = (account: object = ACCOUNT) => api.rest('PUT', '', { body: { bank_account: account } });
const pay = (amount: number, more: object = {}, headers = {}) => shop.post('/payouts', { amount, ...more }, headers);
const payout = async (id: string) => (await api.rest('GET', `/payouts/${id}`)).body;
const isSettled = (id: string, status: string) =>
  eventually(async () => expect((await payout(id)).status).toBe(status));
const resultOf = (id: string) => namespace.client().workflow.getHandle(payoutWorkflowId(id)).result();
const earn = async (amount: number): Promise<void> => {
  await shop.newCharge(await shop.newCard(), { amount });
  await shop.settle();
};

it('the amount of a payout that the bank refuses is credited again', async () => {
  await earn(1_000_000);
  await setAccount({ ...ACCOUNT, number: UNKNOWN_TO_ITS_BANK });
  const before = await shop.merchantBalance();
  const { body } = await pay(1000);
  await isSettled(body.id, 'failed');
  expect(await payout(body.id)).toMatchObject({ error_code: 1007, authorization: null });
  expect(await resultOf(body.id)).toBe('failed: The transfer of funds was rejected');
  expect(await shop.merchantBalance()).toBe(before);
  expect(await shop.eventsOf(body.id)).toEqual(['payout.created', 'payout.failed']);
  expect(await bookDifferences(api)).toEqual([]);
});

it('a changed bank account replaces the previous one after 48 hours of the test clock', async () => {
  const { body } = await setAccount();
  expect(body).toMatchObject({ bank_account: { number: 'XXXXXXX0000' }, pending_bank_account: SHOWN });
  expect((await pay(1000)).body.bank_account.number).toBe('XXXXXXX0000');
  // The date is shown in whole seconds.
  await billing.moveClock(new Date(Date.parse(body.pending_bank_account.effective_date) + 1000).toISOString());
  expect((await api.rest('GET', '')).body).toMatchObject({ bank_account: SHOWN, pending_bank_account: null });
});

it('the amount is debited from the balance at once, and completion writes events and entries', async () => {
  await earn(1_000_000);
  const before = await shop.merchantBalance();
  const { status, body } = await pay(250_000.5, { description: 'Sales', order_id: 'payout-1' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'in_progress',
    transaction_type: 'payout',
    operation_type: 'out',
    method: 'bank_account',
    amount: 250_000.5,
    description: 'Sales',
    order_id: 'payout-1',
    bank_account: SHOWN,
  });
  expect(await shop.merchantBalance()).toBe(before - 250_000.5);
  await isSettled(body.id, 'completed');
  expect(await shop.eventsOf(body.id)).toEqual(['payout.created', 'payout.succeeded']);
  expect(shop.journalOf(body.id)).toMatchObject([{ operation: 'payout', amount: 25_000_050, outcome: 'approved' }]);
  expect((await payout(body.id)).authorization).toMatch(/^\d{6}$/);
  expect(await resultOf(body.id)).toBe('completed');
  await billing.record('a payout', payoutWorkflowId(body.id));
  const { movements } = (await api.rest('GET', '/statement?from=2026-01-01')).body;
  expect(movements.at(-1)).toMatchObject({ type: 'payout', amount: -250_000.5, transaction_id: body.id });
  expect(await bookDifferences(api)).toEqual([]);
});

it('fifty concurrent payouts never exceed the balance', async () => {
  const before = await shop.merchantBalance();
  const amount = Math.floor(before / 10);
  const answers = await Promise.all(Array.from({ length: 50 }, () => pay(amount)));
  const paid = answers.filter(({ status }) => status === 200);
  expect(paid).toHaveLength(10);
  expect(new Set(answers.filter(each => !paid.includes(each)).map(errorOf))).toEqual(new Set([4001]));
  expect(await shop.merchantBalance()).toBeCloseTo(before - 10 * amount, 2);
  for (const { body } of paid) await isSettled(body.id, 'completed');
  expect(await bookDifferences(api)).toEqual([]);
});

it('fifty equal requests create one payout', async () => {
  await earn(1_000_000);
  const answers: ApiResponse[] = await Promise.all(
    Array.from({ length: 50 }, () => pay(1000, {}, { 'idempotency-key': 'one payout' })),
  );
  const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
  expect(ids.size).toBe(1);
  const [id = ''] = ids;
  await isSettled(id, 'completed');
  expect(shop.journalOf(id)).toHaveLength(1);
});

it('an order_id can be used once, and amounts are validated', async () => {
  expect(errorOf(await pay(1000, { order_id: 'payout-1' }))).toBe(1006);
  for (const amount of [0, -5, 1.234]) expect(errorOf(await pay(amount))).toBe(1003);
  expect(errorOf(await shop.post('/payouts', {}))).toBe(1001);
});

it('a chargeback during a payout makes the balance negative, and the next payout is refused', async () => {
  const charge = await shop.newCharge(await shop.newCard(), { amount: 500_000 });
  await shop.settle();
  const held = api.acquirer.hold('/payout');
  const { body } = await pay(await shop.merchantBalance());
  expect(body.status).toBe('in_progress');
  await shop.post(`/sandbox/charges/${charge}/chargeback`, { outcome: 'open' });
  expect(await shop.merchantBalance()).toBe(-500_000);
  expect(errorOf(await pay(1))).toBe(4001);
  held.release();
  await isSettled(body.id, 'completed');
  expect(shop.journalOf(body.id)).toHaveLength(1);
  await shop.post(`/sandbox/charges/${charge}/chargeback`, { outcome: 'rejected' });
  expect(await bookDifferences(api)).toEqual([]);
});

it('a payout whose worker dies while the acquirer does not respond is paid once by the next worker', async () => {
  await earn(100_000);
  const held = api.acquirer.hold('/payout');
  const { body } = await pay(1000);
  await eventually(async () => expect(held.count()).toBeGreaterThan(0));
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop('SIGKILL')));
  held.release();
  await billing.startWorker();
  await isSettled(body.id, 'completed');
  expect(shop.journalOf(body.id)).toHaveLength(1);
  expect(await bookDifferences(api)).toEqual([]);
});

it('a suspended merchant is paid after its resumption, and operators see the cause of the delay', async () => {
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  const { body } = await pay(1000);
  await suspend();
  expect(errorOf(await pay(1000))).toBe(1008);
  await billing.startWorker();
  const workflow = namespace.client().workflow.getHandle(payoutWorkflowId(body.id));
  await eventually(async () => {
    const { events } = await workflow.fetchHistory();
    const [timer] = events?.filter(event => event.timerStartedEventAttributes) ?? [];
    expect(String(timer?.userMetadata?.summary?.data)).toContain('waiting for an operator to resume the merchant');
  });
  expect(shop.journalOf(body.id)).toEqual([]);
  await resume();
  await isSettled(body.id, 'completed');
  await resultOf(body.id);
  await billing.record('a payout of a suspended merchant', payoutWorkflowId(body.id));
});

it('a payout that was sent before a suspension is looked up and completed', async () => {
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  const { body } = await pay(1000);
  const row = await reloadTransaction(db(), body.id);
  await background
    .acquirer()
    .forMerchant(row.merchant_id)
    .payout(row.id, await accountOf(db(), row), row.amount, new Date());
  await suspend();
  await billing.startWorker();
  await isSettled(body.id, 'completed');
  expect(shop.journalOf(body.id)).toHaveLength(1);
  await resume();
});

it('a completed payout that a restored database has as unfinished is completed again, and paid once', async () => {
  const { body } = await pay(1000);
  await isSettled(body.id, 'completed');
  await resultOf(body.id);
  await inDatabase(api.database.url(), async client => {
    await client.query('alter table entries disable trigger refuse_change');
    await client.query(`delete from entries where movement = 'payout paid ${body.id}'`);
    await client.query('alter table entries enable trigger refuse_change');
  });
  await db().event.deleteMany({ where: { object_id: body.id, type: 'payout.succeeded' } });
  await db().transaction.update({ where: { id: body.id }, data: { progress: 'sending', status: 'in_progress' } });
  await db().outbox.create({ data: { kind: 'payout', object_id: body.id, environment: 'sandbox' } });
  await isSettled(body.id, 'completed');
  expect(shop.journalOf(body.id)).toHaveLength(1);
  expect(await bookDifferences(api)).toEqual([]);
});

it('a used order_id is reported before an insufficient balance', async () => {
  const order_id = 'the whole balance';
  expect((await pay(await shop.merchantBalance(), { order_id })).status).toBe(200);
  expect(errorOf(await pay(1000, { order_id }))).toBe(1006);
  expect(errorOf(await pay(1000))).toBe(4001);
  await earn(1_000_000);
});

it('a payout belongs to its merchant, and is neither a charge nor a fee', async () => {
  const [{ id }] = (await api.rest('GET', '/payouts?limit=1')).body;
  const { other } = api.merchants();
  const theirs = (path: string) =>
    sendRequest(`${api.origin()}/v1/${other.id}${path}`, 'GET', { key: other.private_key });
  expect(errorOf(await theirs(`/payouts/${id}`))).toBe(1005);
  expect((await theirs('/payouts')).body).toEqual([]);
  for (const path of [`/charges/${id}`, `/fees/${id}`]) expect(errorOf(await api.rest('GET', path))).toBe(1005);
  expect(errorOf(await shop.post(`/charges/${id}/refund`, {}))).toBe(1005);
  const listed = (await api.rest('GET', '/charges?limit=1000')).body.map((charge: { id: string }) => charge.id);
  expect(listed).not.toContain(id);
});

it('lists are filtered and paginated by cursor', async () => {
  const failed = (await api.rest('GET', '/payouts?status=failed')).body;
  expect(failed).toHaveLength(2);
  expect((await api.rest('GET', '/payouts?order_id=payout-1')).body).toHaveLength(1);
  const page = async (after: string | null) =>
    (
      await api.graphql(
        'query ($after: String) { payouts(first: 4, after: $after) { edges { node { id status } } pageInfo { hasNextPage endCursor } } }',
        { after },
      )
    ).body.data.payouts;
  const ids: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const { edges, pageInfo } = await page(cursor);
    ids.push(...edges.map(({ node }: { node: { id: string } }) => node.id));
    if (!pageInfo.hasNextPage) break;
    cursor = pageInfo.endCursor;
  }
  expect(ids).toEqual((await api.rest('GET', '/payouts?limit=1000')).body.map(({ id }: { id: string }) => id));
});

it("an operator pays a merchant's balance, and no other merchant is paid", async () => {
  const order = 'mutation ($id: ID!, $amount: Money!) { payMerchant(id: $id, amount: $amount) { id status } }';
  const { id } = api.merchants().own;
  const paid = await operate('admin', order, { id, amount: 1000 });
  await isSettled(paid.id, 'completed');
  const [entry] = (await api.rest('GET', '/audit_log?action=payout.created&limit=1')).body;
  expect(entry).toMatchObject({
    actor: 'operator',
    object_id: paid.id,
    after: { amount: 1000, bank_account: SHOWN.number },
  });
  expect(errorOf(await operate('admin', order, { id, amount: 1e9 }))).toBe(4001);
  expect(errorOf(await operate('admin', order, { id: 'm0000000000000000000', amount: 1 }))).toBe(1005);
});
