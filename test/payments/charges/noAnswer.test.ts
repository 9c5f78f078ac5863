/** Charges to which the acquirer does not respond. */
import { Prisma } from '../../../prisma/generated/client';
import { resolveCharge } from '../../../src/payments/charges/card/charge';
import { reloadTransaction } from '../../../src/payments/charges/rows';
import { abandonCharge } from '../../harness/merchant/abandonCharge';
import { testBackground } from '../../harness/merchant/background';
import { testCharges } from '../../harness/merchant/charges';
import { errorOf, SHORT_TIMEOUT_MS } from '../../harness/servers/api';

const { api, shop, db, pay, script } = testCharges({ acquirerTimeoutMs: SHORT_TIMEOUT_MS });
const { post } = shop;
const { acquirer, runRecovery } = testBackground(api);
const find = (id: string) => reloadTransaction(db(), id);
const abandon = async (data: object, order_id: string) => abandonCharge(db(), (await pay({ order_id })).body.id, data);

describe('a charge without a response', () => {
  it('is completed if the acquirer has charged the card', async () => {
    await script('timeout_after_charge');
    const { status, body } = await pay({ order_id: 'through' });
    expect([status, body.status]).toEqual([200, 'completed']);
    expect(shop.journalOf(body.id)).toMatchObject([{ operation: 'charge', outcome: 'approved' }]);
  });

  it('fails with 1004 if the acquirer did not receive it, is reversed, and releases its order_id', async () => {
    await script('timeout');
    expect(errorOf(await pay({ order_id: 'lost' }))).toBe(1004);
    const failed = await db().transaction.findFirstOrThrow({ where: { order_id: 'lost' } });
    expect(failed).toMatchObject({ status: 'failed', error_code: 1004, holds_order_id: false });
    expect(shop.journalOf(failed.id)).toMatchObject([{ operation: 'reverse', amount: 0 }]);
    expect((await pay({ order_id: 'lost' })).status).toBe(200);
  });

  it('is charged again when the request is repeated with its Idempotency-Key', async () => {
    await script('timeout');
    const headers = { 'idempotency-key': 'anew' };
    expect(errorOf(await pay({ order_id: 'anew' }, headers))).toBe(1004);
    const again = await pay({ order_id: 'anew' }, headers);
    expect([again.status, again.body.status]).toEqual([200, 'completed']);
    expect((await pay({ order_id: 'anew' }, headers)).text).toBe(again.text);
  });

  it('releases its token, which can be used again', async () => {
    const token = await shop.newToken();
    const headers = { 'idempotency-key': 'token-anew' };
    const prepared = await db().token.findUniqueOrThrow({ where: { id: token } });
    await db().token.update({ where: { id: token }, data: { used_at: new Date(), used_by: 't9999999999999999999' } });
    const row = await find((await pay()).body.id);
    await db().transaction.create({
      data: {
        ...row,
        id: 't9999999999999999999',
        source_id: token,
        status: 'in_progress',
        progress: 'prepared',
        order_id: null,
        lease_until: new Date(0),
        fraud_rules: Prisma.DbNull,
        metadata: Prisma.DbNull,
        issued: Prisma.DbNull,
        invoice: Prisma.DbNull,
        card: row.card ?? {},
        customer: row.customer ?? {},
      },
    });
    await runRecovery();
    const released = await db().token.findUniqueOrThrow({ where: { id: token } });
    expect([released.used_by, released.number_sealed]).toEqual([null, prepared.number_sealed]);
    expect((await pay({ source_id: token }, headers)).body.status).toBe('completed');
  });

  it('fails with 1004, and is no decline, if the acquirer refuses it because of our own reversal', async () => {
    const { id } = (await pay({ capture: false })).body;
    await acquirer().reverse(`${id}-capture-1`);
    expect(errorOf(await post(`/charges/${id}/capture`, {}))).toBe(1004);
    expect((await post(`/charges/${id}/capture`, {})).body.status).toBe('completed');
  });

  it('records one of two concurrent outcomes, and the outcome of another charge in the same statement', async () => {
    const id = await abandon({}, 'twice');
    const row = await find(id);
    const other = await find(await abandon({}, 'beside'));
    const [first, second, third] = await Promise.all([
      resolveCharge({ db: db(), acquirer: acquirer() }, row),
      resolveCharge({ db: db(), acquirer: acquirer() }, row),
      resolveCharge({ db: db(), acquirer: acquirer() }, other),
    ]);
    expect([first.status, second.status, third.status]).toEqual(['completed', 'completed', 'completed']);
    expect(await db().event.count({ where: { object_id: id } })).toBe(1);
  });

  it('is completed if the acquirer responds slowly', async () => {
    await script('slow');
    expect((await pay()).body.status).toBe('completed');
  });
});
