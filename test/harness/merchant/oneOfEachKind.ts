/** A shop with one object of each kind that the audit compares. */
import pino from 'pino';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { deliveryActivities } from '../../../src/notifications/webhooks/delivery/activities';
import { recordAttempts } from '../../../src/notifications/webhooks/delivery/attempts/rows';
import { payoutActivities } from '../../../src/payments/payouts/send';
import { errorOf, type testApi } from '../servers/api';
import { vault } from '../world/secrets';
import { merchantCalls, payOnPage } from './merchantCalls';
import { testSettlements } from './settlements';

type Api = ReturnType<typeof testApi>;

/** One transaction of each kind. Both objects are filled before the first test. */
export function oneOfEachKind(api: Api) {
  const shop = merchantCalls(api);
  const { post, charge, payer } = shop;
  const ids = {
    charge: '',
    refunded: '',
    captured: '',
    refund: '',
    fee: '',
    chargeback: '',
    wonBack: '',
    period: '',
    page: '',
    voucher: '',
    bank: '',
    payout: '',
    payoutUnderWay: '',
  };
  const { item, settle } = testSettlements(api);
  beforeAll(async () => {
    const card = await shop.newCard();
    const pay = async (overrides: object = {}) =>
      (await post('/charges', { ...charge, source_id: card, customer: payer, ...overrides })).body.id;
    ids.charge = await pay({ amount: 1_000_000 });
    ids.refunded = await pay();
    ids.refund = (await post(`/charges/${ids.refunded}/refund`, { amount: 500 })).body.refund.id;
    ids.captured = await pay({ capture: false });
    await post(`/charges/${ids.captured}/capture`, { amount: 40_000 });
    await post(`/charges/${await pay({ capture: false })}/refund`, {});
    await pay({ capture: false });
    await shop.script(card, 3001, 'timeout');
    for (const code of [3001, 1004]) {
      const answer = await post('/charges', { ...charge, source_id: card, customer: payer });
      expect(errorOf(answer)).toBe(code);
    }
    const customer = await shop.newCustomer();
    const customerCard = await shop.newCard(`/customers/${customer}/cards`);
    await post(`/customers/${customer}/charges`, { ...charge, source_id: customerCard });
    ids.wonBack = (await post(`/customers/${customer}/charges`, { ...charge, source_id: customerCard })).body.id;
    for (const outcome of ['open', 'rejected']) await post(`/sandbox/charges/${ids.wonBack}/chargeback`, { outcome });
    ids.fee = (await post('/fees', { customer_id: customer, amount: 100, description: 'Fee' })).body.id;
    await post(`/fees/${ids.fee}/refund`, { amount: 50 });
    const plan = { name: 'M', amount: 100, repeat_every: 1, repeat_unit: 'month', status_after_retry: 'unpaid' };
    const plan_id = (await post('/plans', { ...plan, trial_days: 0 })).body.id;
    const { body } = await post(`/customers/${customer}/subscriptions`, { plan_id, source_id: customerCard });
    ids.period = body.transaction_id;
    ids.chargeback = await pay();
    await post(`/sandbox/charges/${ids.chargeback}/chargeback`, {});
    const page = (await post('/charges', shop.redirect)).body;
    ids.page = page.id;
    await payOnPage(page.payment_method.url);
    ids.voucher = (await post('/charges', shop.store)).body.id;
    ids.bank = (await post('/charges', { ...shop.pse, method: 'bank_account' })).body.id;
    for (const id of [ids.voucher, ids.bank]) await post(`/sandbox/charges/${id}/pay`, {});
    await post('/charges', shop.store);
    const account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
    await api.rest('PUT', '', { body: { bank_account: account } });
    await settle([item(ids.charge, 1_000_000)]);
    ids.payout = (await post('/payouts', { amount: 2000 })).body.id;
    ids.payoutUnderWay = (await post('/payouts', { amount: 3000 })).body.id;
    const acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log: pino({ level: 'silent' }) });
    await payoutActivities(api.database.db(), { sandbox: acquirer }).sendPayout(ids.payout);
    await acquirer.close();
  });
  return ids;
}

/** One delivery in each state. */
export function deliveriesOfEachStatus(api: Api) {
  const { post } = merchantCalls(api);
  const deliveries = { pending: '', delivered: '', retrying: '', queuedAgain: '', failed: '' };
  beforeAll(async () => {
    const db = api.database.db();
    const { id: webhook_id } = (await post('/webhooks', { url: 'http://127.0.0.1:9/' })).body;
    await db.webhook.update({ where: { id: webhook_id }, data: { status: 'verified' } });
    for (let i = 0; i < 4; i++) await post(`/webhooks/${webhook_id}/test`, {});
    const rows = await db.delivery.findMany({ where: { webhook_id }, orderBy: { sequence: 'asc' } });
    Object.assign(
      deliveries,
      Object.fromEntries(Object.keys(deliveries).map((status, i) => [status, rows[i]?.id ?? ''])),
    );
    const attempt = { webhook_id, previousAttempts: 0, isVerification: false, startedAt: Date.now(), durationMs: 1 };
    const results = rows.slice(1).map(({ id, sequence }) => ({
      ...attempt,
      id,
      sequence: Number(sequence),
      status: id === deliveries.delivered ? 200 : 500,
      answer: '',
    }));
    await recordAttempts(db, results);
    const { deliver } = deliveryActivities(db);
    const { queuedAgain, failed } = deliveries;
    await db.delivery.updateMany({ where: { id: { in: [queuedAgain, failed] } }, data: { next_at: new Date(0) } });
    await deliver(queuedAgain);
    // From here on the webhook gets no events, even when the tests restore them.
    await db.webhook.update({ where: { id: webhook_id }, data: { status: 'disabled' } });
    await deliver(failed);
  });
  return deliveries;
}
