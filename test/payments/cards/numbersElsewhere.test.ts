/** Card numbers are refused in all other fields, so that none is stored by accident. */
import { checkDigit } from '../../../src/payments/cardDetails/checkDigit';
import { canary } from '../../harness/cards/canaries';
import { visa } from '../../harness/cards/testCards';
import { testCharges } from '../../harness/merchant/charges';
import { payOnPage } from '../../harness/merchant/merchantCalls';
import { type ApiResponse, errorOf, sendRequest } from '../../harness/servers/api';

const { api, shop, db, pay } = testCharges();
const { post, payer } = shop;
const withCheckDigit = (digits: string): string => `${digits}${checkDigit(digits)}`;
/** Unissued numbers in the ranges of Visa and American Express. */
const [unknownVisa, unknownAmex] = [withCheckDigit('453957876362148'), withCheckDigit('37828224631000')];
const inGroups = (number: string, separator: string): string => number.replace(/\d{4}(?=\d)/g, `$&${separator}`);

const expectRefused = (answer: ApiResponse, field: string): void => {
  expect([answer.status, errorOf(answer), answer.body.field]).toEqual([422, 1003, field]);
  expect(answer.body.description).toBe(`${field} contains a card number`);
};

describe('names and addresses refuse every valid card number', () => {
  it.each([
    ['without separators', unknownVisa],
    ['with spaces', inGroups(unknownVisa, ' ')],
    ['with dashes, within words', `Ana ${inGroups(unknownVisa, '-')} 12/29`],
    ['an American Express number', `Ana ${unknownAmex}`],
    ['a number of 19 digits', withCheckDigit('453957876362148777')],
  ])('%s', async (_, sent) => {
    const count = await db().customer.count({ where: api.ownRows() });
    expectRefused(await post('/customers', { ...payer, name: sent }), 'name');
    expectRefused(await post('/customers', { ...payer, last_name: sent }), 'last_name');
    const address = { ...shop.pse.customer.customer_address, additional: sent };
    expectRefused(await post('/customers', { ...payer, customer_address: address }), 'customer_address.additional');
    expectRefused(await pay({ customer: { ...payer, name: sent } }), 'customer.name');
    expectRefused(await post('/cards', { ...visa, holder_name: sent }), 'holder_name');
    expectRefused(await post('/tokens', { ...visa, address: { line1: sent } }), 'address.line1');
    const id = await shop.newCustomer();
    expectRefused(await api.rest('PUT', `/customers/${id}`, { body: { ...payer, name: sent } }), 'name');
    const { body } = await api.graphql('mutation ($c: CreateCustomer!) { createCustomer(customer: $c) { id } }', {
      c: { ...payer, name: sent },
    });
    expect(body.errors).toMatchObject([
      { message: 'name contains a card number', extensions: { error_code: 1003, http_code: 422, field: 'name' } },
    ]);
    expect(await db().customer.count({ where: api.ownRows() })).toBe(count + 1);
  });

  it('also on the payment page, when the number is entered into the wrong field', async () => {
    const { payment_method, id } = (await post('/charges', shop.redirect)).body;
    const page = await payOnPage(payment_method.url, { holder_name: unknownVisa });
    expect(page.status).toBe(422);
    expect((await db().transaction.findUniqueOrThrow({ where: { id } })).attempts).toBe(0);
  });

  it('but accept phone numbers, streets, and numbers with a wrong check digit or without a brand', async () => {
    const wrong = unknownVisa.replace(/.$/, last => `${(Number(last) + 1) % 10}`);
    for (const name of [
      wrong,
      'Calle 100 # 45-67 Apto 1203',
      '1234567890123456',
      '9999999999999995',
      '57 300 123 4567',
    ])
      expect([name, (await post('/customers', { ...payer, name })).status]).toEqual([name, 201]);
  });
});

describe('descriptions, metadata and identifiers refuse known card numbers', () => {
  const fields = (text: string): [string, object][] => [
    ['description', { description: `Pago con ${text}.` }],
    ['metadata', { metadata: { note: text } }],
    ['metadata', { metadata: { [text]: 'note' } }],
    ['metadata', { metadata: [{ key: 'note', value: text }] }],
    ['order_id', { order_id: `${text}-${Math.random()}`.slice(0, 60) }],
    ['device_session_id', { device_session_id: text }],
    ['customer.external_id', { customer: { ...payer, external_id: text } }],
  ];

  it('such as test numbers', async () => {
    const before = [await db().transaction.count({ where: api.ownRows() }), api.acquirer.journal().length];
    for (const [field, change] of fields(inGroups(canary.visa, ' '))) expectRefused(await pay(change), field);
    expectRefused(await post('/plans', { ...shop.plan, name: `Plan ${canary.visa}` }), 'name');
    const charge = { ...shop.charge, source_id: await shop.newCard(), customer: payer, metadata: { a: canary.visa } };
    const inGraphql = await api.graphql('mutation ($c: CreateCharge!) { createCharge(charge: $c) { id } }', {
      c: charge,
    });
    expect([errorOf(inGraphql), inGraphql.body.errors[0].message]).toEqual([1003, 'metadata contains a card number']);
    expect([await db().transaction.count({ where: api.ownRows() }), api.acquirer.journal().length - 1]).toEqual(before);
  });

  it('such as saved cards of the merchant; for other merchants the number is an ordinary number', async () => {
    const number = unknownVisa;
    for (const [, change] of fields(number)) expect((await pay(change)).status).toBe(200);
    await shop.newCard(`/customers/${await shop.newCustomer()}/cards`, number);
    for (const [field, change] of fields(inGroups(number, '-'))) expectRefused(await pay(change), field);
    const { id, private_key: key } = api.merchants().other;
    const body = { ...payer, external_id: number };
    expect((await sendRequest(`${api.origin()}/v1/${id}/customers`, 'POST', { key, body })).status).toBe(201);
    // Existing values can still be used in filters.
    expect((await api.rest('GET', `/charges?order_id=${number}`)).status).toBe(200);
  });
});
