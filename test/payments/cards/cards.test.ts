import { testNumbers } from '../../../src/payments/cardDetails/testNumbers';
import { errorCodeOf } from '../../../src/platform/errors';
import { canary } from '../../harness/cards/canaries';
import { amex, masked, shownVisa, visa } from '../../harness/cards/testCards';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { newCustomer, post: save } = merchantCalls(api);
let customer: string;
beforeAll(async () => {
  customer = await newCustomer();
});

const levels = [
  ['/cards', () => '/cards'],
  ['/customers/:customer_id/cards', () => `/customers/${customer}/cards`],
] as const;
const countCards = () => api.database.db().card.count({ where: api.ownRows() });

describe.each(levels)('POST %s', (level, path) => {
  it('saves a card and shows it with a masked number', async () => {
    const { status, body, headers } = await save(path(), { ...visa, device_session_id: 'device' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^k[a-z0-9]{19}$/),
      ...shownVisa,
      address: null,
      allows_charges: true,
      allows_payouts: false,
      type: null,
      bank_name: null,
      bank_code: null,
      customer_id: level === '/cards' ? null : customer,
    });
    expect(headers.get('resource-id')).toBe(body.id);
    expect((await api.rest('GET', `${path()}/${body.id}`)).body).toEqual(body);
    await api.rest('DELETE', `${path()}/${body.id}`);
  });

  it('accepts digits as numbers, spaces and dashes, one-digit months and four-digit years', async () => {
    const spaced = `${canary.mastercard.slice(0, 4)} ${canary.mastercard.slice(4, 8)}-${canary.mastercard.slice(8)}`;
    const unformatted = { ...visa, card_number: spaced, cvv2: 917, expiration_month: 1, expiration_year: 2039 };
    const { status, body } = await save(path(), unformatted);
    expect([status, body.brand, body.expiration_month, body.expiration_year]).toEqual([201, 'mastercard', '01', '39']);
    const asNumber = `{"card_number": ${canary.long}, "holder_name": "M", "cvv2": 917, "expiration_month": 12, "expiration_year": 39}`;
    const long = await api.rest('POST', path(), { body: asNumber });
    expect([long.status, long.body.card_number]).toEqual([201, masked(canary.long)]);
  });

  it.each([
    ['no holder_name', { holder_name: undefined }, 1001],
    ['an empty holder_name', { holder_name: ' ' }, 1001],
    ['a holder_name of 81 characters', { holder_name: 'x'.repeat(81) }, 1001],
    ['a holder_name that is a number', { holder_name: 7 }, 1001],
    ['no card_number', { card_number: null }, 1001],
    ['letters in card_number', { card_number: 'abcd' }, 1001],
    ['an object as card_number', { card_number: {} }, 1001],
    ['Arabic-Indic digits', { card_number: '٤١١١١١١١١١١١١١١١' }, 1001],
    ['17 digits', { card_number: '41111111111111111' }, 1001],
    ['13 digits', { card_number: '4222222222222' }, 1001],
    ['15 digits that are not American Express', { card_number: '411111111111116' }, 1001],
    ['14 digits that are not Diners', { card_number: '41111111111116' }, 1001],
    ['20 digits', { card_number: '4'.repeat(20) }, 1001],
    ['500 digits', { card_number: '4'.repeat(500) }, 1001],
    ['month 00', { expiration_month: '00' }, 1001],
    ['month 13', { expiration_month: 13 }, 1001],
    ['a month as a word', { expiration_month: 'May' }, 1001],
    ['no month', { expiration_month: undefined }, 1001],
    ['a year of three digits', { expiration_year: '039' }, 1001],
    ['a year of the last century', { expiration_year: '1999' }, 1001],
    ['no year', { expiration_year: null }, 1001],
    ['letters in cvv2', { cvv2: 'abc' }, 1001],
    ['a boolean as cvv2', { cvv2: true }, 1001],
    ['a device_session_id of 256 characters', { device_session_id: 'x'.repeat(256) }, 1001],
    ['no cvv2', { cvv2: undefined }, 2006],
    ['null as cvv2', { cvv2: null }, 2006],
    ['an empty cvv2', { cvv2: '' }, 2006],
    ['a wrong check digit', { card_number: '4929381533287741' }, 2004],
    ['an expiration in the past', { expiration_month: '10', expiration_year: '26' }, 2005],
    ['a cvv2 of two digits', { cvv2: '12' }, 2009],
    ['a cvv2 of four digits on a visa', { cvv2: '1234' }, 2009],
    ['a cvv2 of three digits on an American Express', { card_number: canary.amex, cvv2: '123' }, 2009],
  ])('refuses %s and saves nothing', async (_, change, code) => {
    const before = await countCards();
    const journal = api.acquirer.journal().length;
    expect(errorOf(await save(path(), { ...visa, ...change }))).toBe(code);
    expect([await countCards(), api.acquirer.journal().length]).toEqual([before, journal]);
  });

  it('checks in a fixed order: format, cvv2 present, check digit, expiration, length of cvv2', async () => {
    const violations = [
      [1001, { expiration_month: '13' }],
      [2006, { cvv2: undefined }],
      [2004, { card_number: '4929381533287741' }],
      [2005, { expiration_year: '25' }],
      [2009, { cvv2: '1' }],
    ] as const;
    for (const [i, [code]] of violations.entries()) {
      const applied = violations.slice(i).toReversed();
      // A cvv2 is either missing or of the wrong length, so the violations are applied in reverse order of the checks.
      const body = Object.assign({}, visa, ...applied.map(([, change]) => change));
      expect(errorOf(await save(path(), body))).toBe(code);
    }
  });

  it('accepts a card until the end of its month', async () => {
    const where = { id: api.merchants().own.id };
    const setClock = (clock_offset: number) => api.database.db().merchant.update({ where, data: { clock_offset } });
    atTheEnd(() => setClock(0));
    // On a test clock, because the real month may end during the test.
    await setClock(Math.round((Date.parse('2040-02-29T12:00:00-05:00') - Date.now()) / 1000));
    const body = { ...visa, card_number: '5555555555554444', expiration_month: '2', expiration_year: 2040 };
    expect((await save(path(), body)).status).toBe(201);
  });

  it.each([...testNumbers.values()].filter(({ always }) => always))(
    'refuses the test number $number: $about',
    async ({ number, always }) => {
      const before = await countCards();
      const { body, status } = await save(path(), { ...visa, card_number: number });
      expect(body).toMatchObject({
        error_code: errorCodeOf(always ?? 'internal'),
        http_code: status,
        category: 'gateway',
      });
      expect('fraud_rules' in body).toBe(always === 'fraud');
      if (always === 'fraud') expect(body.fraud_rules).toEqual([expect.any(String), expect.any(String)]);
      expect(await countCards()).toBe(before);
    },
  );
});

describe('brands', () => {
  it.each([
    [amex, 'american express'],
    [{ ...visa, card_number: '36728481533333' }, 'diners'],
    [{ ...visa, card_number: '5105105105105100' }, 'mastercard'],
    [{ ...visa, card_number: '5062540000000009' }, 'carnet'],
    [{ ...visa, card_number: '6011111111111117' }, 'discover'],
  ])('%#: are derived from the card number', async (card, brand) => {
    const { body } = await save('/cards', card);
    expect([body.brand, body.card_number]).toEqual([brand, masked(card.card_number)]);
  });

  it('returns debit and allows payouts for a number in a debit range', async () => {
    const { body } = await save('/cards', { ...visa, card_number: '5105105105105100' });
    expect(body).toMatchObject({ type: 'debit', allows_payouts: true, bank_name: 'Davivienda', bank_code: '051' });
  });
});

describe('a card number that is already saved', () => {
  it('fails with 2002 for the same customer, but not for another customer, the merchant, or after its deletion', async () => {
    const [owner, otherCustomer] = [await newCustomer(), await newCustomer()];
    const first = await save(`/customers/${owner}/cards`, visa);
    expect(errorOf(await save(`/customers/${owner}/cards`, { ...visa, holder_name: 'Other' }))).toBe(2002);
    expect((await save(`/customers/${otherCustomer}/cards`, visa)).status).toBe(201);
    expect((await save('/cards', visa)).status).toBe(201);
    expect((await save('/cards', visa)).status).toBe(201);
    await api.rest('DELETE', `/customers/${owner}/cards/${first.body.id}`);
    expect((await save(`/customers/${owner}/cards`, visa)).status).toBe(201);
  });

  it('fifty concurrent requests save one card, and the remaining ones fail with 2002', async () => {
    const owner = await newCustomer();
    const answers = await Promise.all(Array.from({ length: 50 }, () => save(`/customers/${owner}/cards`, amex)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 2002)).toHaveLength(49);
    expect((await api.rest('GET', `/customers/${owner}/cards`)).body).toHaveLength(1);
  });

  it('fifty concurrent requests with one Idempotency-Key save and verify one card, and get equal responses', async () => {
    const owner = await newCustomer();
    const before = api.acquirer.journal().length;
    const request = { body: amex, headers: { 'idempotency-key': `cards-${owner}` } };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.rest('POST', `/customers/${owner}/cards`, request)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(api.acquirer.journal().length).toBe(before + 1);
  });
});

describe('production', () => {
  it('fails with 2007 for every test number without calling the acquirer, and verifies other numbers', async () => {
    const { id, private_key: key } = api.merchants().production;
    const production = await api.startProduction();
    const post = (path: string, card_number: string) =>
      sendRequest(`${production}/v1/${id}${path}`, 'POST', {
        key,
        body: { ...visa, card_number, cvv2: /^3[47]/.test(card_number) ? '1234' : '123' },
      });
    const before = api.acquirer.journal().length;
    for (const number of testNumbers.keys()) {
      for (const path of ['/cards', '/tokens'])
        expect([number, errorOf(await post(path, number))]).toEqual([number, 2007]);
    }
    expect(api.acquirer.journal().length).toBe(before);
    expect((await post('/cards', canary.visa)).status).toBe(201);
  });
});
