/** Charges whose answer does not come, and what becomes of them. */
import pino from 'pino';
import { HttpAcquirer } from '../../src/acquirer/client';
import { recover } from '../../src/background/recovery';
import { resolveCharge } from '../../src/charges/card/charge';
import { abandonCharge } from '../harness/merchant/abandonCharge';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../harness/servers/api';
import { vault } from '../harness/servers/secrets';

const api = testApi();
const shop = merchantCalls(api);
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
const abandon = async (data: object, order_id: string) => abandonCharge(db(), (await pay({ order_id })).body.id, data);

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
        issued: undefined,
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
      resolveCharge({ db: db(), acquirer }, row),
      resolveCharge({ db: db(), acquirer }, row),
      resolveCharge({ db: db(), acquirer }, other),
    ]);
    expect([first.status, second.status, third.status]).toEqual(['completed', 'completed', 'completed']);
    expect(await db().event.count({ where: { object_id: id } })).toBe(1);
  });

  it('is answered slowly where the acquirer is slow', async () => {
    await shop.script(card, 'slow');
    expect((await pay()).body.status).toBe('completed');
  });
});
