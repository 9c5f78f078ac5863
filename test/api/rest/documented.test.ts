/** Calls every REST operation and compares all responses and webhook messages with the OpenAPI document. */
import { openapi } from '../../../src/api/rest/openapi';
import { DeclineLimits } from '../../../src/gateway/declines';
import type { Mailbox } from '../../../src/local/mailbox/mailbox';
import { Buckets } from '../../../src/platform/limits/buckets';
import { Contract } from '../../harness/api/contract';
import { documentedCalls } from '../../harness/api/documentedCalls';
import { callSubscriptionChanges } from '../../harness/api/subscriptionChanges';
import { pngDataUrl } from '../../harness/browser/pictures';
import { visa } from '../../harness/cards/testCards';
import { until } from '../../harness/flow/until';
import { testSettlements } from '../../harness/merchant/settlements';
import { suspension } from '../../harness/merchant/suspension';
import { startMailbox } from '../../harness/servers/mailbox';
import { testWebhooks } from '../../harness/webhooks/webhooks';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
const { api, shop, billing, receiver, newHook, disable, db } = testWebhooks({
  workerVariables: () => ({ SMTP_URL: mailbox.smtpUrl }),
});
const contract = new Contract(openapi('sandbox'));
const calls = documentedCalls(api, contract);
const { call, create, seenValues, uncalledOperations, unseenValues } = calls;

const terms = { amount: 1000, repeat_every: 1, repeat_unit: 'month', trial_days: 0, retry_times: 0 };
const CHARGE = 'POST /customers/{customer_id}/charges';

it('operations on the merchant and its keys', async () => {
  const look = { website: 'https://tienda.example', colour: '#ff6600', logo: pngDataUrl(20, 20) };
  const profile = { ...look, phone: '6011234567', subscription_emails: true, payer_actions: ['pause'] };
  await call('PUT /', [], { ...profile, support_email: 'ayuda@tienda.example', support_phone: '6017654321' });
  await call('GET /');
  const key = await create('POST /keys', [], { kind: 'private', name: 'Shop', addresses: ['203.0.113.7'] });
  await call('PUT /keys/{key_id}', [key], { read_only: true });
  await call('GET /keys/{key_id}', [key]);
  await call('POST /keys/{key_id}/rotate', [key], { overlap_hours: 1 });
  await call('GET /keys');
  await call('DELETE /keys/{key_id}', [key]);
  const customer_id = await shop.newCustomer();
  const session = { customer_id, origins: ['https://tienda.example'], scope: ['createCard'], minutes: 5 };
  const session_id = await create('POST /sessions', [], session);
  await call('GET /sessions/{session_id}', [session_id]);
  await call('DELETE /sessions/{session_id}', [session_id]);
  await call('GET /sessions');
});

it('operations on customers, cards and tokens', async () => {
  const customer = await create('POST /customers', [], { ...shop.payer, customer_address: { city: 'Cali' } });
  await call('PUT /customers/{customer_id}', [customer], { ...shop.payer, last_name: 'Gómez' });
  for (const operation of ['GET /customers/{customer_id}', 'POST /customers/{customer_id}/resume_emails'])
    await call(operation, [customer]);
  await call('GET /customers');
  const token = await create('POST /tokens', [], { ...visa, address: { city: 'Cali' } });
  await call('GET /tokens/{token_id}', [token]);
  const debit = { ...visa, card_number: '5105105105105100' };
  for (const [level, ids, card] of [
    ['', [], { token_id: token, device_session_id: 'device' }],
    ['/customers/{customer_id}', [customer], debit],
  ] as const) {
    const id = await create(`POST ${level}/cards`, [...ids], card);
    await call(`GET ${level}/cards`, [...ids]);
    await call(`GET ${level}/cards/{card_id}`, [...ids, id]);
    await call(`PUT ${level}/cards/{card_id}`, [...ids, id], { holder_name: 'María' });
    await call('POST /sandbox/cards/{saved_card_id}/script', [id], { outcomes: ['approve', 3001, '3003'] });
    await call(`DELETE ${level}/cards/{card_id}`, [...ids, id]);
  }
  await call('DELETE /customers/{customer_id}', [customer]);
});

it('operations on charges of every method, and on fees, settlements and the statement', async () => {
  await newHook();
  const customer = await shop.newCustomer();
  const cards = { own: await shop.newCard(), theirs: await shop.newCard(`/customers/${customer}/cards`) };
  const reserved = { ...shop.charge, capture: false, order_id: 'one', metadata: { colour: 'red' } };
  for (const [level, ids, more] of [
    ['', [], { source_id: cards.own, customer: shop.payer }],
    ['/customers/{customer_id}', [customer], { source_id: cards.theirs, order_id: 'two' }],
  ] as const) {
    const id = await create(`POST ${level}/charges`, [...ids], { ...reserved, ...more });
    await call(`POST ${level}/charges/{transaction_id}/capture`, [...ids, id], { amount: 90000.5 });
    await call(`POST ${level}/charges/{transaction_id}/refund`, [...ids, id], { amount: 0.29, description: 'Sorry' });
    for (const end of ['', '/receipt']) await call(`GET ${level}/charges/{transaction_id}${end}`, [...ids, id]);
    await call(`GET ${level}/charges`, [...ids]);
  }
  const voided = await create(CHARGE, [customer], { ...shop.charge, capture: false, source_id: cards.theirs });
  await call('POST /charges/{transaction_id}/refund', [voided]);
  for (const body of [shop.redirect, { ...shop.store, method: 'bre_b' }]) await call('POST /charges', [], body);
  const voucher = await create('POST /charges', [], shop.store);
  await call('POST /sandbox/charges/{transaction_id}/pay', [voucher]);
  const payer = await shop.newCustomer({ requires_account: false });
  await call('POST /pse', [], shop.pse);
  await call('POST /customers/{customer_id}/pse', [payer], { ...shop.pse, customer: undefined });
  const bank = await create(CHARGE, [payer], { ...shop.pse, method: 'bank_account', customer: undefined });
  await call('POST /sandbox/charges/{transaction_id}/pay', [bank], { outcome: 'rejected' });
  for (const outcome of ['accepted', 'rejected']) {
    const disputed = await shop.newCharge(cards.own);
    await call('POST /sandbox/charges/{transaction_id}/chargeback', [disputed]);
    await call('POST /sandbox/charges/{transaction_id}/chargeback', [disputed], { outcome });
  }
  await shop.script(cards.own, 3003);
  await shop.post('/charges', { ...shop.charge, source_id: cards.own, customer: shop.payer });
  await call('GET /charges');
  const fee = await create('POST /fees', [], { customer_id: customer, amount: 10, description: 'Fee' });
  await call('POST /fees/{fee_id}/refund', [fee], {});
  await call('GET /fees/{fee_id}', [fee]);
  await call('GET /fees');
  await call('GET /statement');
  const { item, settle } = testSettlements(api);
  const settled = await shop.newCharge(cards.own);
  await settle([item(settled, 100_000)]);
  const [settlement] = (await call('GET /settlements')).body;
  await call('GET /settlements/{settlement_id}', [settlement.id]);
  await call('GET /settlements/{settlement_id}/items', [settlement.id]);
});

it('operations on payouts, payment links, statistics and search', async () => {
  const bank_account = { bank: 'Bancolombia', type: 'savings' };
  await call('POST /sandbox/settle');
  for (const [number, status] of Object.entries({ '12345670000': 'failed', '12345678901': 'completed' })) {
    const { body } = await call('PUT /', [], { bank_account: { ...bank_account, number } });
    const { pending_bank_account: pending } = body;
    if (pending) await call('POST /sandbox/clock', [], { to: pending.effective_date });
    const id = await create('POST /payouts', [], { amount: 10.5, description: 'Sales' });
    await until(async () => (await call('GET /payouts/{payout_id}', [id])).body.status === status);
  }
  await call('GET /payouts');
  const link = await create('POST /payment_links', [], { kind: 'payment', amount: 80000, description: 'Order 81' });
  await call('POST /payment_links/{payment_link_id}/send', [link], { email: 'ana@example.com' });
  await call('POST /payment_links/{payment_link_id}/cancel', [link]);
  await call('GET /payment_links/{payment_link_id}', [link]);
  await call('GET /payment_links');
  await call('GET /stats');
  await call('GET /search', [], undefined, '?text=maría');
});

it('operations on devices and fraud rules', async () => {
  const device = await create('POST /devices', [], { user_agent: 'Mozilla/5.0', screen_width: 1280 });
  await call('GET /devices/{device_id}', [device]);
  const listed = { name: 'listed', kind: 'blocked', scope: 'device', values: [device] };
  const rule = await create('POST /fraud_rules', [], { ...listed, enabled: false });
  await call('GET /fraud_rules/{fraud_rule_id}', [rule]);
  await call('PUT /fraud_rules/{fraud_rule_id}', [rule], { enabled: true });
  await call('GET /fraud_rules');
  const country = { name: 'abroad', kind: 'country', condition: 'not_in', countries: ['CO'] };
  await call('POST /fraud_rules/dry_run', [], { rule: country });
  const source_id = await shop.newCard();
  await shop.post('/charges', { ...shop.charge, source_id, device_session_id: device, customer: shop.payer });
  await call('GET /charges');
  const everything = { name: 'amount', kind: 'amount', scope: 'transaction', amount: 0.01 };
  await call('POST /fraud_rules/dry_run', [], { rule: everything });
  await call('DELETE /fraud_rules/{fraud_rule_id}', [rule]);
  await call('PUT /fraud_settings', [], { presets: 'sandbox' });
  await call('GET /fraud_settings');
});

it('operations on plans and subscriptions', async () => {
  const plan = await create('POST /plans', [], { ...terms, name: 'Monthly', status_after_retry: 'unpaid' });
  await call('PUT /plans/{plan_id}', [plan], { name: 'Every month' });
  await call('GET /plans/{plan_id}', [plan]);
  await call('GET /plans');
  const { customer_id } = await billing.newCustomerWithCard('2039-01-31');
  const path = '/customers/{customer_id}/subscriptions';
  const typed = await create(`POST ${path}`, [customer_id], { plan_id: plan, card: visa });
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`, '4000000000000341');
  const id = await create(`POST ${path}`, [customer_id], { plan_id: plan, source_id, trial_end_date: '2039-02-01' });
  await call(`PUT ${path}/{subscription_id}`, [customer_id, id], { cancel_at_period_end: false });
  // Retries if Temporal does not respond within two seconds; a finished move of the clock returns at once.
  await billing.moveClock('2039-02-03', { customer_id });
  await call('POST /sandbox/clock', [], { to: '2039-02-03', customer_id });
  await call('GET /sandbox/clock');
  for (const subscription of [typed, id])
    for (const name of ['', '/projection', '/history'])
      await call(`GET ${path}/{subscription_id}${name}`, [customer_id, subscription]);
  await call(`GET ${path}`, [customer_id]);
  await callSubscriptionChanges(calls, billing);
  await call('GET /plans/{plan_id}/subscriptions', [plan]);
  await call('GET /subscriptions');
  const retried = await billing.newPlan({ ...terms, retry_times: 1 });
  const open = await create(`POST ${path}`, [customer_id], { plan_id: retried, source_id });
  await call(`POST ${path}/{subscription_id}/retry`, [customer_id, open]);
  await call(`DELETE ${path}/{subscription_id}`, [customer_id, typed]);
  await call('DELETE /plans/{plan_id}', [plan]);
  const expiring = await shop.newCustomer({ requires_account: false });
  await shop.post(`/customers/${expiring}/charges`, { ...shop.store, customer: undefined });
  await billing.moveClock('2039-06-01', { customer_id: expiring });
});

it('operations on webhooks and events', async () => {
  const id = await create('POST /webhooks', [], { url: receiver.url('/documented'), user: 'me', password: 'mine' });
  await until(async () => (await call('GET /webhooks/{webhook_id}', [id])).body.status === 'verified');
  await call('GET /webhooks');
  await call('PUT /webhooks/{webhook_id}', [id], { user: 'you' });
  await call('POST /webhooks/{webhook_id}/test', [id]);
  await call('POST /webhooks/{webhook_id}/rotate_secret', [id]);
  await until(() => receiver.at('/documented').some(({ body }) => body.type === 'test'));
  const [delivery] = (await call('GET /webhooks/{webhook_id}/deliveries', [id])).body;
  await call('POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', [id, delivery.id]);
  await call('POST /webhooks/{webhook_id}/redeliver', [id], { from: '2020-01-01', to: '2020-01-02' });
  const webhook = await db().webhook.findUniqueOrThrow({ where: { id } });
  await call('POST /webhooks/{webhook_id}/verify/{verification_code}', [id, webhook.verification_code]);
  await disable((await newHook()).id);
  await until(() => receiver.received.some(({ body }) => body.type === 'webhook.disabled'));
  const declines = new DeclineLimits(db(), new Buckets(db()), 1);
  const attempt = await declines.begin(api.merchants().own.id, { from: 'server' });
  await attempt.end({ approved: false });
  const { suspend, resume } = suspension(api);
  await suspend();
  await call('GET /');
  await resume();
  await until(() => receiver.received.some(({ body }) => body.type === 'merchant.resumed'));
  await call('DELETE /webhooks/{webhook_id}', [id]);
  await call('GET /audit_log');
  const { body: events } = await call('GET /events');
  await call('GET /events/{event_id}', [events[0].id]);
  const written = (await api.rest('GET', '/events?limit=1000')).body;
  expect(written.map(({ type }: { type: string }) => type)).toContain('verification');
});

describe('after all operations', () => {
  const types = Object.keys(contract.document.webhooks);

  it('every operation of the document was called', () => expect(uncalledOperations()).toEqual([]));

  it('every event type occurred, and each event has its documented schema', async () => {
    const { body: events } = await api.rest('GET', '/events?limit=1000');
    const schema = { $ref: '#/components/schemas/Event' };
    for (const event of events)
      expect([event.type, contract.sampler.differences(schema, event)]).toEqual([event.type, []]);
    const happened = new Set(events.map(({ type }: { type: string }) => type));
    expect(types.filter(type => !happened.has(type))).toEqual([]);
  });

  it('every webhook message type was sent with its documented body and headers', async () => {
    await until(() => types.every(type => receiver.received.some(({ body }) => body.type === type)));
    for (const message of receiver.received)
      expect([message.body.type, contract.messageDifferences(message)]).toEqual([message.body.type, []]);
  });

  it.each(['method', 'operation_type', 'transaction_type', 'currency'])('every Movement.%s occurred', name =>
    expect(unseenValues('Movement', name)).toEqual([]),
  );

  it('every type of card and payment method occurred', () => {
    const seenTypes = [...(seenValues.get('type') ?? [])];
    expect(seenTypes).toEqual(expect.arrayContaining(['credit', 'debit', 'redirect', 'store']));
  });
});
