/** Fraud rules of a merchant: each kind refuses matching payments and accepts other payments. */
import { createHash } from 'node:crypto';
import { masked, visa } from '../../harness/cards/testCards';
import { eventually } from '../../harness/flow/until';
import { DECLINES, MONTH, REFUSED, refusedBy, testFraudRules } from '../../harness/merchant/fraudRules';
import { sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { shop, charge, withRule } = testFraudRules(api);

let card: string;
beforeAll(async () => {
  // A time in the middle of a day, so that amounts per day are counted on one day.
  await eventually(async () =>
    expect((await shop.post('/sandbox/clock', { to: '2031-02-01T12:00:00-05:00' })).status).toBe(200),
  );
  card = await shop.newCard();
});

it('a rule counts attempts', async () => {
  await withRule({ kind: 'attempts', scope: 'device', max: 2, minutes: MONTH }, async () => {
    const of = (device_session_id: string) => charge(card, { device_session_id });
    expect([(await of('attempts')).status, (await of('attempts')).status]).toEqual([200, 200]);
    expect(refusedBy(await of('attempts'))).toEqual(REFUSED);
    expect((await of('others')).status).toBe(200);
  });
});

it('a rule counts declines, and no approved payments', async () => {
  const declining = await shop.newCard('/cards', DECLINES);
  await withRule({ kind: 'declines', scope: 'card', max: 2, minutes: MONTH }, async () => {
    for (let i = 0; i < 4; i++) expect((await charge(card)).status).toBe(200);
    for (let i = 0; i < 2; i++) expect((await charge(declining)).body.error_code).toBe(3001);
    expect(refusedBy(await charge(declining))).toEqual(REFUSED);
    // The same card number, entered for another payer.
    const token = await shop.newToken(DECLINES);
    expect(refusedBy(await charge(token))).toEqual(REFUSED);
    expect((await charge(card)).status).toBe(200);
  });
});

it.each(['email', 'customer'])('a rule counts attempts per %s', async scope => {
  const [one, other] = await Promise.all(
    ['one', 'other'].map(name => shop.newCustomer({ email: `${name}.${scope}@example.com` })),
  );
  const cards = await Promise.all([one, other].map(id => shop.newCard(`/customers/${id}/cards`)));
  await withRule({ kind: 'attempts', scope, max: 1, minutes: MONTH }, async () => {
    const pay = (id = '', source_id = '') => shop.post(`/customers/${id}/charges`, { ...shop.charge, source_id });
    expect((await pay(one, cards[0])).status).toBe(200);
    expect(refusedBy(await pay(one, cards[0]))).toEqual(REFUSED);
    expect((await pay(other, cards[1])).status).toBe(200);
  });
});

it('a rule counts attempts per address of the browser that created the token', async () => {
  const { public_key: key } = api.merchants().own;
  const tokenFromBrowser = async () => (await api.rest('POST', '/tokens', { key, body: visa })).body.id;
  await withRule({ kind: 'attempts', scope: 'address', max: 1, minutes: MONTH }, async () => {
    expect((await charge(await tokenFromBrowser())).status).toBe(200);
    expect(refusedBy(await charge(await tokenFromBrowser()))).toEqual(REFUSED);
    // A token that the merchant's own server creates has no address of a payer.
    expect((await charge(await shop.newToken())).status).toBe(200);
  });
});

it.each(['card', 'customer'])('a rule sums the amounts of a day per %s, without declined payments', async scope => {
  const customer = await shop.newCustomer({ email: `${scope}@example.com` });
  const source_id = await shop.newCard(`/customers/${customer}/cards`, '5555555555554444');
  const pay = (amount: number) => shop.post(`/customers/${customer}/charges`, { ...shop.charge, source_id, amount });
  await withRule({ kind: 'amount', scope, amount: 100_000 }, async () => {
    await shop.script(source_id, 3003);
    expect((await pay(90_000)).body.error_code).toBe(3003);
    expect((await pay(60_000)).status).toBe(200);
    expect(refusedBy(await pay(40_000.01))).toEqual(REFUSED);
    expect((await pay(40_000)).status).toBe(200);
    expect(refusedBy(await pay(0.01))).toEqual(REFUSED);
  });
});

it.each([
  ['equals', { condition: 'equals', value: 'phone' }, { channel: 'phone' }, [{ channel: 'web' }, undefined]],
  ['not_equals', { condition: 'not_equals', value: 'web' }, {}, [{ channel: 'web' }]],
  ['present', { condition: 'present' }, { channel: '' }, [{ other: 'phone' }, undefined]],
  [
    'greater_than',
    { condition: 'greater_than', value: '9.5' },
    { channel: '10' },
    [{ channel: '9.5' }, { channel: 'x' }],
  ],
])('a rule compares metadata: %s', async (_, rule, refused, passing) => {
  await withRule({ kind: 'metadata', key: 'channel', ...rule }, async () => {
    expect(refusedBy(await charge(card, { metadata: refused }))).toEqual(REFUSED);
    for (const metadata of passing) expect((await charge(card, { metadata })).status).toBe(200);
    // A saved card has no metadata.
    expect((await shop.post('/cards', visa)).status).toBe(201);
  });
});

it.each([
  ['a device', 'device', ['stolen phone'], { device_session_id: 'stolen phone' }],
  ['an e-mail address', 'email', ['Maria@Example.com'], {}],
  ['a domain', 'email', ['@example.com'], {}],
  ['a masked card number', 'card', [masked(visa.card_number).replaceAll('X', '*')], {}],
])('a rule blocks %s', async (_, scope, values, more) => {
  const others = { customer: { ...shop.payer, email: 'maria@example.org' }, device_session_id: 'other' };
  const otherCard = await shop.newCard('/cards', '4242424242424242');
  await withRule({ kind: 'blocked', scope, values }, async () => {
    expect(refusedBy(await charge(card, more))).toEqual(REFUSED);
    expect((await charge(otherCard, others)).status).toBe(200);
  });
});

it('a rule blocks a saved card by its number, even when the card is deleted', async () => {
  const listed = await shop.newCard('/cards', '5105105105105100');
  await withRule({ kind: 'blocked', scope: 'card', values: [listed] }, async () => {
    await api.rest('DELETE', `/cards/${listed}`);
    expect(refusedBy(await charge(await shop.newToken('5105105105105100')))).toEqual(REFUSED);
    expect((await charge(card)).status).toBe(200);
    const [{ id, ...rule }] = (await api.rest('GET', '/fraud_rules')).body;
    expect((await api.rest('PUT', `/fraud_rules/${id}`, { body: { ...rule, enabled: true } })).status).toBe(200);
    expect(refusedBy(await charge(await shop.newToken('5105105105105100')))).toEqual(REFUSED);
  });
});

it('a rule blocks a customer, and the network of a browser', async () => {
  const customer = await shop.newCustomer();
  const source_id = await shop.newCard(`/customers/${customer}/cards`);
  await withRule({ kind: 'blocked', scope: 'customer', values: [customer] }, async () => {
    expect(refusedBy(await shop.post(`/customers/${customer}/charges`, { ...shop.charge, source_id }))).toEqual(
      REFUSED,
    );
    expect((await charge(card)).status).toBe(200);
  });
  const { public_key: key } = api.merchants().own;
  const token = (await api.rest('POST', '/tokens', { key, body: visa })).body.id;
  await withRule({ kind: 'blocked', scope: 'address', values: ['127.0.0.0/8', '192.0.2.1'] }, async () => {
    expect(refusedBy(await charge(token))).toEqual(REFUSED);
    // The refused charge uses up the token, like a declined charge.
    expect((await charge(token)).body.error_code).toBe(1003);
    expect((await charge(await shop.newToken())).status).toBe(200);
  });
});

it('an allow rule takes precedence over every other rule of the merchant', async () => {
  await withRule({ kind: 'blocked', scope: 'email', values: ['@example.com'] }, async () => {
    const { body } = await shop.post('/fraud_rules', {
      name: 'vip',
      kind: 'allowed',
      scope: 'device',
      values: ['vip'],
    });
    expect((await charge(card, { device_session_id: 'vip' })).status).toBe(200);
    expect(refusedBy(await charge(card))).toEqual(REFUSED);
    await api.rest('DELETE', `/fraud_rules/${body.id}`);
  });
});

it('a disabled rule, and a rule of another merchant, refuse nothing', async () => {
  const { id, private_key: key } = api.merchants().other;
  const rule = { name: 'everything', kind: 'amount', scope: 'transaction', amount: 1 };
  await sendRequest(`${api.origin()}/v1/${id}/fraud_rules`, 'POST', { key, body: rule });
  expect((await charge(card)).status).toBe(200);
  await withRule({ ...rule, name: 'off', enabled: false }, async () => expect((await charge(card)).status).toBe(200));
});

it('50 concurrent charges do not exceed the limit of a rule at the acquirer', async () => {
  const declining = await shop.newCard('/cards', DECLINES);
  for (const kind of ['declines', 'attempts', 'amount']) {
    const terms = kind === 'amount' ? { amount: 5 * shop.charge.amount } : { max: 5, minutes: MONTH };
    const source_id = kind === 'declines' ? declining : card;
    const name = `${kind}_at_once`;
    const { body } = await shop.post('/fraud_rules', { name, kind, scope: 'card', ...terms });
    const answers = await Promise.all(Array.from({ length: 50 }, () => charge(source_id)));
    const refused = answers.filter(answer => answer.body.fraud_rules?.[0] === name);
    expect([kind, refused.length]).toEqual([kind, 45]);
    await api.rest('DELETE', `/fraud_rules/${body.id}`);
  }
});

it('stored counters do not reveal their values, which cannot be guessed without the key either', async () => {
  const rows = await api.database.db().$queryRaw<
    { row: string }[]
  >`select fraud_counters::text as row from fraud_counters`;
  expect(rows.length).toBeGreaterThan(5);
  const text = rows.map(({ row }) => row).join('\n');
  const counted = [
    shop.payer.email,
    'one.email@example.com',
    'crowd',
    'device',
    '127.0.0.1',
    visa.card_number,
    api.merchants().own.id,
  ];
  for (const value of counted) {
    const hashes = ['sha1', 'sha256', 'md5'].map(name => createHash(name).update(value).digest('hex'));
    for (const form of [value, Buffer.from(value).toString('hex'), ...hashes]) expect(text).not.toContain(form);
  }
  expect(rows.every(({ row }) => /^\("?\\+x[0-9a-f]{64}"?,\d+,\d+,"[^"]+"\)$/.test(row))).toBe(true);
});
