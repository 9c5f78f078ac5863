/** A charge, a card and a hosted payment that a fraud rule of the merchant refuses. */
import { masked, visa } from '../../harness/cards/testCards';
import { MONTH, REFUSED, refusedBy, testFraudRules } from '../../harness/merchant/fraudRules';
import { payOnPage } from '../../harness/merchant/merchantCalls';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const { shop, charge, withRule } = testFraudRules(api);

let card: string;
beforeAll(async () => {
  card = await shop.newCard();
});

it('a refused charge is stored as failed, published and never sent; a repeat gets the same response', async () => {
  await withRule({ kind: 'amount', scope: 'transaction', amount: 50_000 }, async () => {
    const before = api.acquirer.journal().length;
    const send = () =>
      shop.post(
        '/charges',
        { ...shop.charge, source_id: card, customer: shop.payer, order_id: 'refused-1' },
        { 'idempotency-key': 'refused' },
      );
    const [first, second] = [await send(), await send()];
    expect(refusedBy(first)).toEqual(REFUSED);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const [kept] = (await api.rest('GET', '/charges?order_id=refused-1')).body;
    expect(kept).toMatchObject({
      status: 'failed',
      error_code: 3005,
      error_message: expect.any(String),
      fraud_rules: ['the_rule'],
    });
    expect(await shop.eventsOf(kept.id)).toEqual(['charge.failed']);
    expect(api.acquirer.journal()).toHaveLength(before);
    expect((await charge(card, { amount: 50_000 })).status).toBe(200);
  });
  expect((await charge(card)).status).toBe(200);
});

it('a refused card is not saved and not sent to the acquirer', async () => {
  await withRule({ kind: 'attempts', scope: 'card', max: 1, minutes: MONTH }, async () => {
    const save = () => shop.post('/cards', { ...visa, card_number: '4242424242424242' });
    expect((await save()).status).toBe(201);
    const [before, cards] = [api.acquirer.journal().length, (await api.rest('GET', '/cards?limit=1000')).body.length];
    expect(refusedBy(await save())).toEqual(REFUSED);
    const token_id = await shop.newToken('4242424242424242');
    const fromToken = () => shop.post('/cards', { token_id, device_session_id: 'x' }, { 'idempotency-key': 'saved' });
    expect(refusedBy(await fromToken())).toEqual(REFUSED);
    // Simulates a process that crashed before it responded.
    const interrupted = { status: null, body: null, lease_until: new Date(0) };
    await api.database.db().idempotentReply.updateMany({ where: { key: 'saved' }, data: interrupted });
    expect((await fromToken()).body.error_code).toBe(3005);
    expect(api.acquirer.journal()).toHaveLength(before);
    expect((await api.rest('GET', '/cards?limit=1000')).body).toHaveLength(cards);
  });
});

it('on a payment page the payer may try another card', async () => {
  const { body } = await shop.post('/charges', shop.redirect);
  const { url } = body.payment_method;
  await withRule({ kind: 'blocked', scope: 'card', values: [masked(visa.card_number)] }, async () => {
    const before = api.acquirer.journal().length;
    await payOnPage(url, { device_session_id: 'v0000000000000000001' });
    const row = await api.database.db().transaction.findUniqueOrThrow({ where: { id: body.id } });
    expect(row).toMatchObject({ status: 'charge_pending', error_code: 3005, fraud_rules: ['the_rule'] });
    expect(row).toMatchObject({ payer_address: '127.0.0.1', device_session_id: 'v0000000000000000001' });
    expect(api.acquirer.journal()).toHaveLength(before);
    await payOnPage(url, { card_number: '4242424242424242' }, 1);
    expect((await api.rest('GET', `/charges/${body.id}`)).body).toMatchObject({ status: 'completed' });
  });
});
