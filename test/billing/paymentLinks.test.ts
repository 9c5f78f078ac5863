/** Payment links over REST and GraphQL. That a link is used once: see paymentLinksOnce.test.ts. */
import { endAttempt } from '../../src/billing/paymentLinks/rows';
import { errorCodeOf } from '../../src/platform/errors';
import { newId } from '../../src/platform/identifiers';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { paymentLink as payment, paymentLinks } from '../harness/merchant/paymentLinks';
import { suspension } from '../harness/merchant/suspension';
import { errorOf, sendRequest, testApi } from '../harness/servers/api';

const api = testApi({ trustedProxies: ['127.0.0.1'] });
const shop = merchantCalls(api);
const { newLink, newCardLink, read, cancel, submitCard, pageOf } = paymentLinks(api);
const EXPIRED = { card_number: '4000000000000069' };
const db = () => api.database.db();

describe('a payment link', () => {
  it('is created, read and listed over REST and GraphQL', async () => {
    const created = await newLink({ ...payment, methods: ['card', 'store'], order_id: 'pedido-81', iva: '19%' });
    const link = {
      ...{ kind: 'payment', status: 'active', amount: 80000, currency: 'COP', iva: '19%', description: 'Pedido 81' },
      ...{ order_id: 'pedido-81', methods: ['card', 'store'] },
    };
    expect(created).toMatchObject({ ...link, id: expect.stringMatching(/^u[a-z0-9]{19}$/) });
    expect(await read(created.id)).toEqual(created);
    expect((await api.rest('GET', '/payment_links?status=active,completed&kind=payment&limit=1')).body).toEqual([
      created,
    ]);
    expect((await api.rest('GET', '/payment_links?status=expired')).body).toEqual([]);
    const fields = 'id kind status amount methods url customer { id } plan { id }';
    const { body } = await api.graphql(
      `query ($id: ID!) { paymentLink(payment_link_id: $id) { ${fields} }
        paymentLinks(first: 1) { totalCount edges { node { id } } } }`,
      { id: created.id },
    );
    const { id, url } = created;
    const { kind, status, amount, methods } = link;
    expect(body.data.paymentLink).toEqual({ id, url, kind, status, amount, methods, customer: null, plan: null });
    expect(body.data.paymentLinks.edges).toEqual([{ node: { id } }]);
    const mutation = `mutation ($link: CreatePaymentLink!) { createPaymentLink(payment_link: $link) { id kind } }`;
    const other = (await api.graphql(mutation, { link: payment })).body.data.createPaymentLink;
    expect(other.kind).toBe('payment');
    const cancelled = `mutation ($id: ID!) { cancelPaymentLink(payment_link_id: $id) { status } }`;
    expect((await api.graphql(cancelled, { id: other.id })).body.data.cancelPaymentLink.status).toBe('cancelled');
  });

  it.each([
    [{ kind: 'payment', description: 'x' }, 400, 1001, 'amount'],
    [{ kind: 'payment', amount: 1000 }, 400, 1001, 'description'],
    [{ ...payment, amount: 0 }, 422, 1003, 'amount'],
    [{ ...payment, currency: 'USD' }, 422, 1003, 'currency'],
    [{ ...payment, kind: 'donation' }, 422, 1003, 'kind'],
    [{ ...payment, methods: ['cheque'] }, 422, 1003, 'methods.0'],
    [{ ...payment, plan_id: 'p1' }, 422, 1003, 'plan_id'],
    [{ ...payment, redirect_url: 'javascript:alert(1)' }, 422, 1003, 'redirect_url'],
    [{ ...payment, expires_at: 'soon' }, 400, 1001, 'expires_at'],
    [{ ...payment, expires_at: '2020-01-01' }, 422, 1003, 'expires_at'],
    [{ ...payment, expires_at: '2090-01-01' }, 422, 1003, 'expires_at'],
    [{ ...payment, amount: 1000.5, methods: ['bank_account'] }, 422, 1003, 'amount'],
    [{ ...payment, customer_id: newId('customer') }, 404, 1005, 'customer_id'],
    [{ kind: 'card' }, 400, 1001, 'customer_id'],
    [{ kind: 'card', customer_id: 'a', methods: ['store'] }, 422, 1003, 'methods'],
    [{ kind: 'subscription', customer_id: 'a' }, 400, 1001, 'plan_id'],
  ])('refuses %j', async (body, status, code, field) => {
    const { body: answer } = await shop.post('/payment_links', body);
    expect([answer.http_code, answer.error_code, answer.field]).toEqual([status, code, field]);
  });

  it('refuses a taken order_id, a deleted plan, and PSE for a customer with an account', async () => {
    await shop.post('/charges', { ...shop.store, order_id: 'taken' });
    expect(errorOf(await shop.post('/payment_links', { ...payment, order_id: 'taken' }))).toBe(1006);
    const [customer_id, plan_id] = [await shop.newCustomer(), await shop.newPlan()];
    await api.rest('DELETE', `/plans/${plan_id}`);
    expect(errorOf(await shop.post('/payment_links', { kind: 'subscription', customer_id, plan_id }))).toBe(1005);
    const bank = { ...payment, customer_id, methods: ['bank_account'] };
    expect(errorOf(await shop.post('/payment_links', bank))).toBe(3006);
  });

  it('is unknown to other merchants, and not for the public key', async () => {
    const { id } = await newLink();
    const { other, own } = api.merchants();
    const paths = [
      ['GET', ''],
      ['POST', '/cancel'],
      ['POST', '/send'],
    ] as const;
    for (const [method, path] of paths) {
      const url = `${api.origin()}/v1/${other.id}/payment_links/${id}${path}`;
      const answer = await sendRequest(url, method, { key: other.private_key, ...(method === 'POST' && { body: {} }) });
      expect([answer.status, errorOf(answer)]).toEqual([404, 1005]);
    }
    const asBrowser = await api.rest('POST', '/payment_links', { body: payment, key: own.public_key });
    expect([asBrowser.status, errorOf(asBrowser)]).toEqual([403, 1010]);
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  it('is created once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'link' };
    const first = await shop.post('/payment_links', payment, headers);
    const again = await shop.post('/payment_links', payment, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is sent to its customer, or to the address in the request', async () => {
    const { id } = await newCardLink();
    const queued = () => db().outbox.count({ where: { kind: 'payment_link_mail', object_id: id } });
    expect((await shop.post(`/payment_links/${id}/send`, {})).body).toMatchObject({ id, email: shop.payer.email });
    expect((await shop.post(`/payment_links/${id}/send`, { email: 'luz@example.com' })).body.email).toBe(
      'luz@example.com',
    );
    expect(await queued()).toBe(2);
    const atMerchantLevel = await newLink();
    expect(errorOf(await shop.post(`/payment_links/${atMerchantLevel.id}/send`, {}))).toBe(1001);
    await cancel(id);
    expect(errorOf(await shop.post(`/payment_links/${id}/send`, {}))).toBe(3006);
  });
});

describe('a link that is not used', () => {
  it('expires by the clock of its customer', async () => {
    const { id, url, customer_id } = await newCardLink({ expires_at: undefined });
    await db().customer.update({ where: { id: customer_id }, data: { clock_offset: 31 * 86_400 } });
    expect((await read(id)).status).toBe('expired');
    const expired = (await api.rest('GET', `/payment_links?status=expired&customer_id=${customer_id}`)).body;
    expect(expired.map((link: { id: string }) => link.id)).toEqual([id]);
    expect((await fetch(url)).status).toBe(410);
    await submitCard(url);
    expect(await read(id)).not.toHaveProperty('card_id');
  });

  it('is cancelled with its customer', async () => {
    const { id, url, customer_id } = await newCardLink();
    await api.rest('DELETE', `/customers/${customer_id}`);
    expect((await read(id)).status).toBe('cancelled');
    expect((await fetch(url)).status).toBe(410);
  });
});

it('the link of a suspended merchant waits, and can be cancelled', async () => {
  const { suspend, resume } = suspension(api);
  const [{ url, id }, card] = [await newLink(), await newCardLink()];
  await suspend();
  expect(errorOf(await shop.post('/payment_links', payment))).toBe(1008);
  expect(errorOf(await shop.post(`/payment_links/${id}/send`, { email: 'ana@example.com' }))).toBe(1008);
  expect((await fetch(url)).status).toBe(423);
  await submitCard(card.url);
  expect((await read(card.id)).status).toBe('active');
  expect((await cancel(id)).body.status).toBe('cancelled');
  await resume();
  await submitCard(card.url);
  expect((await read(card.id)).status).toBe('completed');
});

it('accepts ten declined cards, and an outage is not among them', async () => {
  const { id, url } = await newCardLink();
  const state = () => db().paymentLink.findUniqueOrThrow({ where: { id } });
  await db().paymentLink.update({ where: { id }, data: { declines: 8 } });
  await submitCard(url, EXPIRED);
  expect(await state()).toMatchObject({ attempts: 1, declines: 9 });
  expect(await pageOf(url)).toContain('name="card_number"');
  await endAttempt(db(), id, 1, errorCodeOf('unavailable'));
  expect(await state()).toMatchObject({ declines: 9, error_code: 1004 });
  expect(await pageOf(url)).toContain('name="card_number"');
  await submitCard(url, { ...EXPIRED, attempt: '1' });
  expect(await pageOf(url)).toContain('Demasiados intentos');
  await submitCard(url, { attempt: '2' });
  expect(await state()).toMatchObject({ attempts: 2, declines: 10, status: 'active', card_id: null });
});
