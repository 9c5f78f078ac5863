/** Charges, captures and refunds whose answer does not come, and what becomes of them. */
import pino from 'pino';
import { HttpAcquirer } from '../../src/acquirer/client';
import { resolveCapture } from '../../src/charges/capture';
import { resolve } from '../../src/charges/charge';
import { expiryActivities } from '../../src/charges/expiry';
import { recover } from '../../src/charges/recovery';
import { relay } from '../../src/outbox';
import { openTemporal } from '../../src/temporal';
import { expiryId } from '../../workflows/contract';
import { errorOf, testApi } from '../harness/api';
import { vault } from '../harness/secrets';
import { shopOf } from '../harness/shop';
import { temporalAddress } from '../harness/temporal';

const api = testApi();
const shop = shopOf(api);
const { post, charge, payer } = shop;
const log = pino({ level: 'silent' });
let card: string;
let acquirer: HttpAcquirer;
beforeAll(async () => {
  card = await shop.newCard();
  acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log });
  await post('/charges', { ...charge, source_id: card, customer: payer, amount: 10_000_000 });
});
afterAll(() => acquirer.close());
const db = () => api.database.db();
const pay = (more: object = {}, headers = {}) =>
  post('/charges', { ...charge, source_id: card, customer: payer, ...more }, headers);
const find = (id: string) => db().transaction.findUniqueOrThrow({ where: { id } });
const recovered = () => recover(db(), { sandbox: acquirer }, log);
/** As if the process that prepared it had died then. */
const abandon = async (data: object, order_id: string) => {
  const { id } = (await pay({ order_id })).body;
  await db().$executeRaw`alter table entries disable trigger refuse_change`;
  await db().entry.deleteMany({ where: { transaction_id: id } });
  await db().$executeRaw`alter table entries enable trigger refuse_change`;
  await db().event.deleteMany({ where: { object_id: id } });
  await db().transaction.update({
    where: { id },
    data: {
      status: 'in_progress',
      progress: 'prepared',
      authorization: null,
      fee_amount: null,
      fee_tax: null,
      lease_until: new Date(0),
      ...data,
    },
  });
  return id;
};

describe('a charge without an answer', () => {
  it('that got through is found, and answered as what it is', async () => {
    await shop.script(card, 'timeout_after_charge');
    const { status, body } = await pay({ order_id: 'through' });
    expect([status, body.status]).toEqual([200, 'completed']);
    expect(shop.journalOf(body.id)).toMatchObject([{ operation: 'charge', outcome: 'approved' }]);
  });

  it('that did not get through is 1004, undone for good, and gives its order_id back', async () => {
    await shop.script(card, 'timeout');
    expect(errorOf(await pay({ order_id: 'lost' }))).toBe(1004);
    const failed = await db().transaction.findFirstOrThrow({ where: { order_id: 'lost' } });
    expect(failed).toMatchObject({ status: 'failed', error_code: 1004, holds_order_id: false });
    expect(shop.journalOf(failed.id)).toMatchObject([{ operation: 'reverse', amount: 0 }]);
    expect((await pay({ order_id: 'lost' })).status).toBe(200);
  });

  it('repeated under its Idempotency-Key starts anew where it ended without an answer', async () => {
    await shop.script(card, 'timeout');
    const headers = { 'idempotency-key': 'anew' };
    expect(errorOf(await pay({ order_id: 'anew' }, headers))).toBe(1004);
    const again = await pay({ order_id: 'anew' }, headers);
    expect([again.status, again.body.status]).toEqual([200, 'completed']);
    expect((await pay({ order_id: 'anew' }, headers)).text).toBe(again.text);
  });

  it('lets a token be used again where it ended without an answer', async () => {
    const token = await shop.newToken();
    const headers = { 'idempotency-key': 'token-anew' };
    const prepared = await db().token.findUniqueOrThrow({ where: { id: token } });
    await db().token.update({ where: { id: token }, data: { used_at: new Date(), used_by: 't9999999999999999999' } });
    const { id: charged } = (await pay()).body;
    const row = await find(charged);
    await db().transaction.create({
      data: {
        ...row,
        id: 't9999999999999999999',
        source_id: token,
        status: 'in_progress',
        progress: 'prepared',
        order_id: null,
        lease_until: new Date(0),
        fraud_rules: undefined,
        metadata: undefined,
        card: row.card ?? {},
        customer: row.customer ?? {},
      },
    });
    await recovered();
    const freed = await db().token.findUniqueOrThrow({ where: { id: token } });
    expect([freed.used_by, freed.number_sealed]).toEqual([null, prepared.number_sealed]);
    expect((await pay({ source_id: token }, headers)).body.status).toBe('completed');
  });

  it('that meets its own reversal is no decline', async () => {
    const { id } = (await pay({ capture: false })).body;
    await acquirer.reverse(`${id}-capture-1`);
    expect(errorOf(await post(`/charges/${id}/capture`, {}))).toBe(1004);
    expect((await post(`/charges/${id}/capture`, {})).body.status).toBe('completed');
  });

  it('two outcomes of one charge in one moment: one is written, and others beside them are not harmed', async () => {
    const id = await abandon({}, 'twice');
    const row = await find(id);
    const other = await find(await abandon({}, 'beside'));
    const [first, second, third] = await Promise.all([
      resolve({ db: db(), acquirer }, row),
      resolve({ db: db(), acquirer }, row),
      resolve({ db: db(), acquirer }, other),
    ]);
    expect([first.status, second.status, third.status]).toEqual(['completed', 'completed', 'completed']);
    expect(await db().event.count({ where: { object_id: id } })).toBe(1);
  });

  it('is answered slowly where the acquirer is slow', async () => {
    await shop.script(card, 'slow');
    expect((await pay()).body.status).toBe('completed');
  });
});

describe('recovery', () => {
  it('finishes a charge that the acquirer knows, with entries and event, once', async () => {
    const id = await abandon({}, 'known');
    const before = await shop.merchantBalance();
    const results = await Promise.all([recovered(), recovered(), recovered()]);
    expect(results.reduce((sum, count) => sum + count)).toBe(1);
    expect(await find(id)).toMatchObject({
      status: 'completed',
      progress: 'settled',
      authorization: expect.any(String),
    });
    expect(await shop.merchantBalance()).toBe(before + 100000 - 4522);
    expect(await db().event.count({ where: { object_id: id } })).toBe(1);
    expect(shop.journalOf(id)).toHaveLength(1);
  });

  it('ends a charge that the acquirer does not know as failed, after reversing it', async () => {
    const id = 't1111111111111111111';
    const row = await find(await abandon({}, 'unknown'));
    await db().transaction.update({
      where: { id: row.id },
      data: { holds_order_id: false, progress: 'settled', status: 'failed' },
    });
    await db().transaction.create({
      data: {
        ...row,
        id,
        fraud_rules: undefined,
        metadata: undefined,
        card: row.card ?? {},
        customer: row.customer ?? {},
      },
    });
    await recovered();
    expect(await find(id)).toMatchObject({ status: 'failed', error_code: 1004 });
    expect(shop.journalOf(id)).toMatchObject([{ operation: 'reverse' }]);
  });

  it('leaves alone what somebody still works on, and what it cannot ask about', async () => {
    const id = await abandon({ lease_until: new Date(Date.now() + 60_000) }, 'leased');
    expect(await recovered()).toBe(0);
    await db().transaction.update({ where: { id }, data: { lease_until: new Date(0) } });
    const away = new HttpAcquirer({ url: 'http://127.0.0.1:1', key: 'x', vault, log });
    await recover(db(), { sandbox: away }, log);
    await away.close();
    expect(await find(id)).toMatchObject({ status: 'in_progress', progress: 'prepared' });
    expect((await api.rest('GET', `/charges/${id}`)).body.status).toBe('in_progress');
  });

  it('is not needed by who repeats with the same key: the repeat finishes its own charge', async () => {
    const headers = { 'idempotency-key': 'own' };
    const first = await pay({ order_id: 'own' }, headers);
    await db().idempotentReply.updateMany({
      where: { key: 'own' },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect((await pay({ order_id: 'own' }, headers)).body.id).toBe(first.body.id);
  });
});

describe('captures and refunds', () => {
  const reserve = async (): Promise<string> => (await pay({ capture: false })).body.id;

  it('a capture that died on its way is finished or undone, and then tried again', async () => {
    const id = await reserve();
    await acquirer.capture(`${id}-capture-1`, id, 10000000n);
    await db().transaction.update({
      where: { id },
      data: { progress: 'capturing', attempts: 1, capture_amount: 10000000n, lease_until: new Date(0) },
    });
    await recovered();
    expect(await find(id)).toMatchObject({ status: 'completed', progress: 'settled', amount: 10000000n });

    const unknown = await reserve();
    await db().transaction.update({
      where: { id: unknown },
      data: { progress: 'capturing', attempts: 1, capture_amount: 5n, lease_until: new Date(0) },
    });
    await recovered();
    expect(await find(unknown)).toMatchObject({ status: 'in_progress', progress: 'authorized' });
    expect((await post(`/charges/${unknown}/capture`, {})).body.status).toBe('completed');
  });

  it('an attempt that comes back from the dead does not end a later one', async () => {
    const id = await reserve();
    const first = { ...(await find(id)), progress: 'capturing', attempts: 1, capture_amount: 5n };
    await db().transaction.update({
      where: { id },
      data: { progress: 'capturing', attempts: 2, capture_amount: 7n, lease_until: new Date(Date.now() + 60_000) },
    });
    const left = await resolveCapture({ db: db(), acquirer }, first);
    expect([left.progress, left.attempts, left.capture_amount]).toEqual(['capturing', 2, 7n]);
    await db().transaction.update({ where: { id }, data: { lease_until: new Date(0) } });
    await recovered();
  });

  it('a refund that died on its way is finished, or its money comes back', async () => {
    const { id } = (await pay()).body;
    const { body } = await post(`/charges/${id}/refund`, { amount: 500 });
    await db().transaction.update({
      where: { id: body.refund.id },
      data: { status: 'in_progress', progress: 'prepared', lease_until: new Date(0) },
    });
    await recovered();
    expect((await api.rest('GET', `/charges/${id}`)).body.refunds).toHaveLength(1);

    const before = await shop.merchantBalance();
    const lost = (await post(`/charges/${id}/refund`, { amount: 500 })).body.refund.id;
    await acquirer.reverse(lost);
    await db().transaction.update({
      where: { id: lost },
      data: { status: 'in_progress', progress: 'prepared', lease_until: new Date(0) },
    });
    await recovered();
    expect(await find(lost)).toMatchObject({ status: 'failed', error_code: 1004 });
    expect(await shop.merchantBalance()).toBe(before);
    expect((await api.rest('GET', `/charges/${id}`)).body.refunds).toHaveLength(1);
  });

  it('a cancellation that died on its way is finished', async () => {
    const id = await reserve();
    await db().transaction.update({ where: { id }, data: { progress: 'voiding', lease_until: new Date(0) } });
    await recovered();
    expect(await find(id)).toMatchObject({ status: 'cancelled', progress: 'settled' });
    expect(shop.journalOf(id).map(({ operation }) => operation)).toEqual(['authorize', 'reverse']);
  });
});

describe('a reservation that nobody captures', () => {
  it('has a workflow that waits seven days and then lets it go', async () => {
    const { id } = (await pay({ capture: false })).body;
    const temporal = openTemporal(temporalAddress(), 'default');
    await relay(db(), temporal);
    await relay(db(), temporal);
    expect(await db().outbox.count()).toBe(0);
    const description = await temporal.workflow.getHandle(expiryId(id)).describe();
    expect([description.type, description.status.name]).toEqual(['expiry', 'RUNNING']);
    await temporal.workflow.getHandle(expiryId(id)).terminate();
    await temporal.connection.close();

    const { expire } = expiryActivities(db(), { sandbox: acquirer });
    const step = await expire(id);
    expect(step).toEqual({ waitMs: expect.any(Number) });
    expect((step as { waitMs: number }).waitMs / 86_400_000).toBeCloseTo(7, 1);
    await db().merchant.update({ where: { id: api.merchants().own.id }, data: { clock_offset: 7 * 86_400 + 60 } });
    expect(await expire(id)).toEqual({ over: 'cancelled' });
    expect(await expire(id)).toEqual({ over: 'cancelled' });
    await db().merchant.update({ where: { id: api.merchants().own.id }, data: { clock_offset: 0 } });
    expect(shop.journalOf(id).map(({ operation }) => operation)).toEqual(['authorize', 'reverse']);
    expect((await db().event.findMany({ where: { object_id: id } })).map(({ type }) => type).sort()).toEqual([
      'charge.cancelled',
      'charge.created',
    ]);
  });

  it('dates new charges by the clock of the merchant and of the customer, whichever is further', async () => {
    const customer = await shop.newCustomer({ requires_account: false });
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    await db().customer.update({ where: { id: customer }, data: { clock_offset: 86_400 * 10 } });
    const { body } = await post(`/customers/${customer}/charges`, { ...charge, source_id });
    const ahead = (new Date(body.creation_date).getTime() - Date.now()) / 86_400_000;
    expect(ahead).toBeCloseTo(10, 1);
    expect(body.operation_date >= body.creation_date).toBe(true);
  });
});
