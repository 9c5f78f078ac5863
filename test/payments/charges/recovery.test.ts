/** Recovery completes the unfinished transactions of a process that died. */
import pino from 'pino';
import { Prisma } from '../../../prisma/generated/client';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { resolveCapture } from '../../../src/payments/charges/card/capture';
import { reloadTransaction } from '../../../src/payments/charges/rows';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { abandonCharge } from '../../harness/merchant/abandonCharge';
import { testBackground } from '../../harness/merchant/background';
import { testCharges } from '../../harness/merchant/charges';
import { vault } from '../../harness/world/secrets';

const { api, shop, db, pay } = testCharges({ ownWorld: true });
const { post } = shop;
const { acquirer, runRecovery } = testBackground(api);
const find = (id: string) => reloadTransaction(db(), id);
const abandon = async (data: object, order_id: string) => abandonCharge(db(), (await pay({ order_id })).body.id, data);

describe('recovery', () => {
  it('completes a charge that the acquirer knows, once, with entries and event', async () => {
    const id = await abandon({}, 'known');
    const before = await shop.merchantBalance();
    const results = await Promise.all([runRecovery(), runRecovery(), runRecovery()]);
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

  it('reverses a charge that the acquirer does not know, and marks it as failed', async () => {
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
        fraud_rules: Prisma.DbNull,
        metadata: Prisma.DbNull,
        issued: Prisma.DbNull,
        invoice: Prisma.DbNull,
        card: row.card ?? {},
        customer: row.customer ?? {},
      },
    });
    await runRecovery();
    expect(await find(id)).toMatchObject({ status: 'failed', error_code: 1004 });
    expect(shop.journalOf(id)).toMatchObject([{ operation: 'reverse' }]);
  });

  it('skips a charge whose lease has not expired, or whose acquirer does not respond', async () => {
    const id = await abandon({ lease_until: new Date(Date.now() + 60_000) }, 'leased');
    expect(await runRecovery()).toBe(0);
    await db().transaction.update({ where: { id }, data: { lease_until: new Date(0) } });
    const log = pino({ level: 'silent' });
    const unreachable = new HttpAcquirer({ url: 'http://127.0.0.1:1', key: 'x', vault, log });
    atTheEnd(() => unreachable.close());
    await runRecovery(unreachable);
    expect(await find(id)).toMatchObject({ status: 'in_progress', progress: 'prepared' });
    expect((await api.rest('GET', `/charges/${id}`)).body.status).toBe('in_progress');
  });

  it('is unnecessary when the request is repeated with its Idempotency-Key, which completes the charge', async () => {
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
  const authorize = async (): Promise<string> => (await pay({ capture: false })).body.id;

  it('an interrupted capture is completed if the acquirer knows it, and can otherwise be requested again', async () => {
    const id = await authorize();
    await acquirer().capture(`${id}-capture-1`, id, 10000000n);
    await db().transaction.update({
      where: { id },
      data: { progress: 'capturing', attempts: 1, capture_amount: 10000000n, lease_until: new Date(0) },
    });
    await runRecovery();
    expect(await find(id)).toMatchObject({ status: 'completed', progress: 'settled', amount: 10000000n });

    const unknown = await authorize();
    await db().transaction.update({
      where: { id: unknown },
      data: { progress: 'capturing', attempts: 1, capture_amount: 5n, lease_until: new Date(0) },
    });
    await runRecovery();
    expect(await find(unknown)).toMatchObject({ status: 'in_progress', progress: 'authorized' });
    expect((await post(`/charges/${unknown}/capture`, {})).body.status).toBe('completed');
  });

  it('an attempt whose lease has expired cannot record the outcome of a later attempt', async () => {
    const id = await authorize();
    const first = { ...(await find(id)), progress: 'capturing' as const, attempts: 1, capture_amount: 5n };
    await db().transaction.update({
      where: { id },
      data: { progress: 'capturing', attempts: 2, capture_amount: 7n, lease_until: new Date(Date.now() + 60_000) },
    });
    const row = await resolveCapture({ db: db(), acquirer: acquirer() }, first);
    expect([row.progress, row.attempts, row.capture_amount]).toEqual(['capturing', 2, 7n]);
    await db().transaction.update({ where: { id }, data: { lease_until: new Date(0) } });
    await runRecovery();
  });

  it('an interrupted refund is completed if the acquirer knows it, and otherwise credited to the account again', async () => {
    const { id } = (await pay()).body;
    const { body } = await post(`/charges/${id}/refund`, { amount: 500 });
    await db().transaction.update({
      where: { id: body.refund.id },
      data: { status: 'in_progress', progress: 'prepared', lease_until: new Date(0) },
    });
    await runRecovery();
    expect((await api.rest('GET', `/charges/${id}`)).body.refunds).toHaveLength(1);

    const before = await shop.merchantBalance();
    const lost = (await post(`/charges/${id}/refund`, { amount: 500 })).body.refund.id;
    await acquirer().reverse(lost);
    await db().transaction.update({
      where: { id: lost },
      data: { status: 'in_progress', progress: 'prepared', lease_until: new Date(0) },
    });
    await runRecovery();
    expect(await find(lost)).toMatchObject({ status: 'failed', error_code: 1004 });
    expect(await shop.merchantBalance()).toBe(before);
    expect((await api.rest('GET', `/charges/${id}`)).body.refunds).toHaveLength(1);
  });

  it('an interrupted cancellation is completed', async () => {
    const id = await authorize();
    await db().transaction.update({ where: { id }, data: { progress: 'voiding', lease_until: new Date(0) } });
    await runRecovery();
    expect(await find(id)).toMatchObject({ status: 'cancelled', progress: 'settled' });
    expect(shop.journalOf(id).map(({ operation }) => operation)).toEqual(['authorize', 'reverse']);
  });
});
