/** Bre-B payments: what a merchant sends and gets, and what the QR code contains. */
import { writeQr } from '../../../src/gateway/acquirer/emvQr';
import { readInstructions } from '../../../src/gateway/acquirer/readAnswer';
import { issue } from '../../../src/payments/charges/pending/create';
import { reloadTransaction } from '../../../src/payments/charges/rows';
import { pendingCharge } from '../../harness/api/pendingCharge';
import { barcodesIn } from '../../harness/browser/barcodes';
import { testBackground } from '../../harness/merchant/background';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const background = testBackground(api);
const db = () => api.database.db();
const charge = pendingCharge('bre_b');
const create = async (overrides: object = {}) => (await shop.post('/charges', { ...charge, ...overrides })).body;
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** Fields of an EMVCo text: two digits of tag, two of length, then the value. */
function fieldsOf(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < text.length; ) {
    const end = at + 4 + Number(text.slice(at + 2, at + 4));
    fields[text.slice(at, at + 2)] = text.slice(at + 4, end);
    at = end;
  }
  return fields;
}

/** CRC-16/CCITT-FALSE by polynomial division of the whole text. */
function crc(text: string): string {
  let rest = 0xffff;
  for (const bit of [...Buffer.from(text)].map(byte => byte.toString(2).padStart(8, '0')).join('')) {
    const isOdd = (rest >> 15) ^ Number(bit);
    rest = ((rest << 1) & 0xffff) ^ (isOdd ? 0x1021 : 0);
  }
  return rest.toString(16).toUpperCase().padStart(4, '0');
}

describe('POST /charges with method: bre_b', () => {
  it('returns charge_pending with the key, the QR code, the page and the deadline, and also in GraphQL', async () => {
    const body = await create({ amount: 12345.67, due_date: '2027-01-31T18:00:00-05:00', order_id: 'bre-b-1' });
    expect(body).toMatchObject({
      status: 'charge_pending',
      method: 'bre_b',
      amount: 12345.67,
      authorization: null,
      due_date: '2027-01-31T17:00:00-06:00',
      order_id: 'bre-b-1',
      payment_method: { type: 'redirect', key: expect.stringMatching(/^@test\w+$/), qr: expect.any(String) },
    });
    const { url, qr_url } = body.payment_method;
    expect(url).toMatch(/\/pay\/[a-z0-9]{20}$/);
    expect(qr_url).toBe(`${url}/qr.png`);
    expect((await api.rest('GET', `/charges/${body.id}`)).body).toEqual(body);
    const { body: answer } = await api.graphql(
      'mutation ($charge: CreateCharge!) { createCharge(charge: $charge) { method payment_method { type url key qr qr_url } } }',
      { charge },
    );
    expect(answer.data.createCharge).toMatchObject({
      method: 'bre_b',
      payment_method: { key: body.payment_method.key },
    });
  });

  it('returns a QR code whose picture contains the amount, the merchant and the key', async () => {
    const { payment_method } = await create({ amount: 12345.67 });
    const { key, qr, qr_url } = payment_method;
    const answer = await fetch(qr_url);
    expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      'image/png',
      'no-store',
    ]);
    expect(await barcodesIn(new Uint8Array(await answer.arrayBuffer()), 'QRCode')).toEqual([qr]);
    expect(crc('123456789')).toBe('29B1');
    const fields = fieldsOf(qr);
    expect(fields).toMatchObject({ '00': '01', '01': '12', '53': '170', '54': '12345.67', '58': 'CO', '59': 'Tienda' });
    expect(fieldsOf(fields['26'] ?? '')).toMatchObject({ '04': key });
    expect(fieldsOf(fields['90'] ?? '')['01']).toMatch(/^\w{1,19}$/);
    expect(qr.slice(-8)).toBe(`6304${crc(qr.slice(0, -4))}`);
  });

  it('is at customer level credited to the account of the customer, and its refund debited from it', async () => {
    const { customer: _, ...atCustomerLevel } = charge;
    const customer = await shop.newCustomer();
    const { id } = (await shop.post(`/customers/${customer}/charges`, atCustomerLevel)).body;
    await shop.post(`/sandbox/charges/${id}/pay`, {});
    expect(await shop.customerBalance(customer)).toBe(50000);
    await shop.post(`/customers/${customer}/charges/${id}/refund`, { amount: 20000 });
    expect(await shop.customerBalance(customer)).toBe(30000);
  });

  it.each([
    ['1001 without customer', { customer: undefined }, 1001],
    ['1001 for a due_date that is no date', { due_date: 'tomorrow' }, 1001],
    ['1003 for a due_date in the past', { due_date: inDays(-1) }, 1003],
    ['1003 for a due_date more than 180 days ahead', { due_date: inDays(180.01) }, 1003],
    ['1003 for an amount of zero', { amount: 0 }, 1003],
    ['1003 with installments', { payment_plan: { payments: 2 } }, 1003],
    ['1003 for an unknown method', { method: 'breb' }, 1003],
  ])('fails with %s, and creates nothing', async (_, overrides, code) => {
    const before = await db().transaction.count({ where: api.ownRows() });
    expect(errorOf(await shop.post('/charges', { ...charge, ...overrides }))).toBe(code);
    expect(await db().transaction.count({ where: api.ownRows() })).toBe(before);
  });

  it('ignores a redirect_url that is not a web address, and send_email', async () => {
    const { id } = await create({ redirect_url: 'javascript:alert(1)', send_email: true });
    const { redirect_url, send_email } = await db().transaction.findUniqueOrThrow({ where: { id } });
    expect([redirect_url, send_email]).toEqual([null, false]);
  });

  it('returns one payment to twenty concurrent requests with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one-bre-b' };
    const sent = Array.from({ length: 20 }, () => shop.post('/charges', { ...charge, order_id: 'one-bre-b' }, headers));
    expect(new Set((await Promise.all(sent)).map(({ text }) => text)).size).toBe(1);
    expect(await db().transaction.count({ where: { order_id: 'one-bre-b', ...api.ownRows() } })).toBe(1);
  });
});

describe('the answer of the acquirer', () => {
  const fields = [
    ['00', '01'],
    [
      '26',
      [
        ['00', 'CO.COM.TEST.LLA'],
        ['04', '@tienda'],
      ],
    ],
    ['53', '170'],
    ['54', '500'],
    ['58', 'CO'],
    ['59', 'Peñón'],
  ] as const;
  const [start, template, ...rest] = fields;
  const read = (qr: string, key = '@tienda') => readInstructions({ key, qr, url: 'javascript:alert(1)' });

  it('is accepted with an intact QR code that contains the key', () => {
    const qr = writeQr(fields);
    expect(read(qr)).toEqual({ issued: { key: '@tienda', qr } });
  });

  it.each([
    ['another key', writeQr(fields), '@otra'],
    ['a changed amount', writeQr(fields).replace('5403500', '5403900')],
    ['a wrong checksum', `${writeQr(fields).slice(0, -4)}0000`],
    ['no amount', writeQr(fields.filter(([tag]) => tag !== '54'))],
    ['fractions of a centavo', writeQr([start, template, ['53', '170'], ['54', '500.001'], ['58', 'CO']])],
    ['dollars', writeQr([start, template, ['53', '840'], ...rest.slice(1)])],
    ['two amounts', writeQr([...fields, ['54', '900']])],
    ['a broken length', writeQr([...fields, ['60', 'BOGOTA']]).replace('6006', '6007')],
    ['no text', ''],
  ])('is refused with a QR code with %s', (_, qr, key = '@tienda') => expect(read(qr, key)).toEqual({}));

  it('is refused if the QR code is for another amount than the charge', async () => {
    const { id, payment_method } = await create();
    const row = await reloadTransaction(db(), id);
    const { key, qr } = payment_method;
    const services = { db: db(), acquirer: background.acquirer() };
    const record = (amount: bigint) =>
      issue.definition.record(
        services,
        { ...row, amount },
        { approved: true, authorization: '1', issued: { key, qr } },
      );
    expect(await record(row.amount)).toEqual({ key, qr });
    await expect(record(row.amount + 1n)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
