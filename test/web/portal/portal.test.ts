/** The portal of a customer: who gets the link, how long it works, what it shows, and its cards. */
import { portalUrl } from '../../../src/billing/portals/token';
import { heading, pay, press, testPayers, typed } from '../../harness/browser/payers';
import { until } from '../../harness/flow/until';
import { payerPages } from '../../harness/merchant/payerPages';
import { testBilling } from '../../harness/merchant/subscriptions';
import { suspension } from '../../harness/merchant/suspension';
import { errorOf, sendRequest } from '../../harness/servers/api';
import { startApi } from '../../harness/servers/apiProgram';
import { vault } from '../../harness/world/secrets';

const billing = testBilling({ trustedProxies: ['127.0.0.1'] });
const { api, shop } = billing;
const payers = testPayers(api);
const { pageOf, attemptOf, submit, submitCard, submitWhenReady } = payerPages(billing);
const { suspend, resume } = suspension(api);
const DECLINES = '4000000000000341';
const [NO_FUNDS, ANOTHER] = ['4444444444444448', '5555555555554444'] as const;

const create = (customer_id: string, body: object = {}) => shop.post(`/customers/${customer_id}/portal`, body);
const portalOf = async ({ customer_id }: { customer_id: string }, body: object = {}): Promise<string> =>
  (await create(customer_id, body)).body.url;
const cardsOf = async ({ customer_id }: { customer_id: string }): Promise<{ id: string; card_number: string }[]> =>
  (await api.rest('GET', `/customers/${customer_id}/cards`)).body;
const newCustomer = async () => ({ customer_id: await shop.newCustomer() });

describe('the link', () => {
  it('is for one customer of the merchant, and for an hour', async () => {
    const { customer_id } = await newCustomer();
    const before = Date.now();
    const { status, body } = await create(customer_id);
    expect([status, body.url]).toEqual([200, expect.stringMatching(/\/p\/a[0-9a-z]{19}_[0-9a-z]{6,7}_[0-9a-f]{32}$/)]);
    const validMs = Date.parse(body.expires_at) - before;
    expect(validMs).toBeGreaterThan(3_590_000);
    expect(validMs).toBeLessThanOrEqual(3_600_000 + (Date.now() - before));
    const graphql = await api.graphql(
      `mutation { createCustomerPortal(customer_id: "${customer_id}", portal: { return_url: "https://tienda.example/cuenta" }) { url expires_at } }`,
    );
    const { text } = await pageOf(graphql.body.data.createCustomerPortal.url);
    expect(text).toContain('href="https://tienda.example/cuenta" rel="noreferrer">Volver a Tienda');
    const { other } = api.merchants();
    const path = `${api.origin()}/v1/${other.id}/customers/${customer_id}/portal`;
    expect(errorOf(await sendRequest(path, 'POST', { key: other.private_key, body: {} }))).toBe(1005);
    const unknown = await create('a9s8d7f6g5h4j3k2l1q0');
    expect(errorOf(unknown)).toBe(1005);
    const addresses = ['http://tienda.example', 'javascript:alert(1)', 'https://user@tienda.example', 'tienda'];
    for (const return_url of addresses)
      expect([return_url, errorOf(await create(customer_id, { return_url }))]).toEqual([return_url, 1003]);
    expect(errorOf(await create(customer_id, { return_url: `https://tienda.example/${'x'.repeat(500)}` }))).toBe(1001);
  });

  it('is stored nowhere, not even in the response to an Idempotency-Key', async () => {
    const { customer_id } = await newCustomer();
    const request = () =>
      shop.post(
        `/customers/${customer_id}/portal`,
        { return_url: 'https://tienda.example/a' },
        { 'idempotency-key': `portal ${customer_id}` },
      );
    const { url } = (await request()).body;
    const again = await request();
    expect([again.body.url, again.headers.get('idempotent-replayed')]).toEqual([url, 'true']);
    const signature = /_([0-9a-f]{32})/.exec(url)?.[1] ?? '';
    expect(signature).not.toBe('');
    await pageOf(url);
    const rows = await api.database
      .db()
      .$queryRawUnsafe<{ text: string }[]>('select row_to_json(t)::text as text from idempotent_replies t');
    expect(rows.filter(({ text }) => text.includes(signature))).toEqual([]);
    expect(api.lines().join('')).not.toContain(signature);
  });

  it('is unknown with any part changed, and says so after an hour', async () => {
    const { customer_id } = await newCustomer();
    const { customer_id: neighbour } = await newCustomer();
    const url = await portalOf({ customer_id }, { return_url: 'https://tienda.example/a' });
    await portalOf({ customer_id: neighbour });
    const [, end = ''] = /_([0-9a-z]{6,7})_/.exec(url) ?? [];
    const later = (Number.parseInt(end, 36) + 3600).toString(36);
    const back = Buffer.from('https://evil.example').toString('base64url');
    const wrong = [
      ...[url.replace(customer_id, neighbour), url.replace(`_${end}_`, `_${later}_`)],
      ...[
        url.replace(/\.[\w-]+$/, ''),
        url.replace(/\.[\w-]+$/, `.${back}`),
        `${url}x`,
        url.replace(/_[0-9a-f]{32}/, ''),
      ],
      ...[`${api.origin()}/p/${customer_id}`, `${api.origin()}/p`],
    ];
    expect(wrong).not.toContain(url);
    const answers = await Promise.all(wrong.map(each => pageOf(each)));
    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 404));
    const expires_at = new Date('2026-01-01T00:00:00Z');
    const expired = portalUrl(api.origin(), vault.linking, { customer_id, expires_at, return_url: undefined });
    const { status, text } = await pageOf(expired);
    expect([status, text]).toEqual([410, expect.stringMatching(/Este enlace venció.*Pide uno nuevo a Tienda/s)]);
    expect(text).not.toMatch(/María|<form/);
    expect((await submit(expired, 'card', { ...typed, attempt: '0' })).status).toBe(410);
    expect(await cardsOf({ customer_id })).toEqual([]);
  });

  it('ends with the customer, and while the merchant is suspended', async () => {
    const { customer_id } = await newCustomer();
    const url = await portalOf({ customer_id });
    const attempt = await attemptOf(url);
    await suspend();
    const { status, text } = await pageOf(url);
    expect([status, text]).toEqual([423, expect.not.stringMatching(/María|<form/)]);
    expect((await submit(url, 'card', { ...typed, attempt })).status).toBe(423);
    expect(errorOf(await create(customer_id))).toBe(1008);
    await resume();
    expect((await pageOf(url)).status).toBe(200);
    expect((await api.rest('DELETE', `/customers/${customer_id}`)).status).toBe(204);
    expect((await pageOf(url)).status).toBe(404);
    expect((await submit(url, 'card', { ...typed, attempt })).status).toBe(404);
  });
});

it('leads to the pages of its own subscriptions only', async () => {
  const [own, other] = [await billing.subscribe('2040-01-10'), await billing.subscribe('2040-01-10')];
  const url = await portalOf(own);
  const page = await payers.open(url);
  await page.getByRole('link', { name: 'Ver y administrar Monthly' }).click();
  await page.waitForURL(/\/s\/s[0-9a-z]{19}_[0-9a-f]{32}$/);
  expect(await heading(page)).toBe('Monthly');
  expect((await pageOf(`${url}/subscriptions/${other.id}`)).status).toBe(404);
  for (const end of [() => api.rest('DELETE', `${own.path}/link`), own.remove]) {
    await end();
    expect((await pageOf(`${url}/subscriptions/${own.id}`)).status).toBe(404);
  }
  expect((await pageOf(url)).text).toContain('No tienes suscripciones activas.');
});

it('has no personal data beyond the first name and the last four digits', async () => {
  const name = { name: 'Marcela Quintero Rojas', email: 'marcela@privado.example', phone_number: '3001234567' };
  const customer_id = await shop.newCustomer({ ...name, external_id: 'crm-778899', metadata: { note: 'secret-note' } });
  await shop.newCard(`/customers/${customer_id}/cards`);
  const url = await portalOf({ customer_id });
  for (const { status, text, headers } of await Promise.all([url, `${url}/card`].map(each => pageOf(each)))) {
    expect(status).toBe(200);
    expect(text).not.toMatch(/Quintero|privado|3001234567|crm-778899|secret-note/);
    for (const hidden of [typed.card_number.slice(0, 6), typed.holder_name, api.merchants().own.id])
      expect(text).not.toContain(hidden);
    expect(text).not.toMatch(/(?:src|href|action)="https?:/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([headers.get('x-robots-tag'), headers.get('cache-control')]).toEqual(['noindex', 'no-store']);
  }
});

describe('cards', () => {
  it('are added on a phone, after a declined one', async () => {
    const customer = await newCustomer();
    const page = await payers.open(await portalOf(customer));
    await page.getByRole('link', { name: 'Agregar una tarjeta' }).click();
    await page.locator('#card_number').waitFor();
    await pay(page, { card_number: NO_FUNDS });
    expect(await page.textContent('[role=alert]')).toContain('Fondos insuficientes. No se guardó.');
    await pay(page, { card_number: ANOTHER });
    expect(await page.textContent('[role=status]')).toContain('La tarjeta quedó guardada');
    expect(await page.textContent('main')).toMatch(/Mastercard ···· 4444.*Vence/s);
    await page.getByRole('link', { name: 'Agregar una tarjeta' }).click();
    await page.locator('#card_number').waitFor();
    await pay(page, { card_number: ANOTHER });
    expect(await page.textContent('[role=alert]')).toBe('Esta tarjeta ya está guardada.');
    expect(await cardsOf(customer)).toMatchObject([{ card_number: '555555XXXXXX4444' }]);
  });

  it('are removed without JavaScript, unless a subscription is charged to them', async () => {
    const subscription = await billing.subscribe('2040-01-10');
    const url = await portalOf(subscription);
    await submitCard(url, { card_number: ANOTHER });
    const page = await payers.open(`${url}?lang=en`, { javaScriptEnabled: false });
    expect(await page.textContent('main')).toMatch(/Pays Monthly/);
    await page.getByText('Remove Mastercard ···· 4444').first().click();
    await press(page, 'details button');
    expect((await cardsOf(subscription)).map(({ id }) => id)).toEqual([subscription.card_id]);
    expect((await submit(url, 'remove', { card_id: subscription.card_id })).headers.get('location')).toContain(
      'isUsed',
    );
    const other = await billing.subscribe('2040-01-10');
    await other.remove();
    await submit(url, 'remove', { card_id: other.card_id });
    expect(await cardsOf(other)).toHaveLength(1);
    const entries = await api.database.db().auditEntry.findMany({ where: { action: 'card.deleted', actor: 'payer' } });
    expect(entries).toHaveLength(1);
  });

  it('are not changed by forms of other sites', async () => {
    const subscription = await billing.subscribe('2040-01-10', { card: DECLINES });
    const url = await portalOf(subscription);
    const attempt = await attemptOf(url);
    const card_id = await shop.newCard(`/customers/${subscription.customer_id}/cards`, ANOTHER);
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ]) {
      expect((await submit(url, 'card', { ...typed, attempt }, headers)).status).toBe(403);
      expect((await submit(url, 'remove', { card_id }, headers)).status).toBe(403);
    }
    expect(await cardsOf(subscription)).toHaveLength(2);
  });

  it('are saved once by twenty forms at once, and not by a form from before', async () => {
    const customer = await newCustomer();
    const url = await portalOf(customer);
    const attempt = await attemptOf(url);
    const forms = Array.from({ length: 20 }, () => submit(url, 'card', { ...typed, attempt }));
    expect((await Promise.all(forms)).map(({ status }) => status)).toEqual(Array(20).fill(303));
    await submit(url, 'card', { ...typed, card_number: ANOTHER, attempt });
    expect(await cardsOf(customer)).toMatchObject([{ card_number: expect.stringMatching(/7748$/) }]);
    const { id } = (await cardsOf(customer))[0] ?? {};
    expect(api.acquirer.journal().filter(({ key }) => key === `verify-${id}`)).toHaveLength(1);
  });

  it('are accepted again an hour after ten declined ones', async () => {
    const customer = await newCustomer();
    const url = await portalOf(customer);
    const { customerPortal } = api.database.db();
    const where = customer;
    await customerPortal.update({ where, data: { declines: 9, attempt_date: new Date() } });
    await submitCard(url, { card_number: NO_FUNDS });
    expect((await pageOf(`${url}/card`)).text).toContain('Por ahora no se aceptan más tarjetas');
    await submit(url, 'card', { ...typed, attempt: '1' });
    expect(await cardsOf(customer)).toEqual([]);
    await customerPortal.update({ where, data: { attempt_date: new Date(Date.now() - 3_601_000) } });
    await submitCard(url);
    expect(await cardsOf(customer)).toHaveLength(1);
  });

  it('are saved by another form if the process of the first one is killed', async () => {
    const customer = await newCustomer();
    const url = await portalOf(customer);
    const form = { ...typed, attempt: await attemptOf(url) };
    const { url: ACQUIRER_URL } = api.acquirer.credentials();
    const { program, origin } = await startApi({ DATABASE_URL: api.database.url(), ACQUIRER_URL });
    const verifications = api.acquirer.hold('/verify');
    const lost = submitWhenReady(url.replace(api.origin(), origin), 'card', form).catch(() => 'lost');
    await until(async () => verifications.count() > 0);
    expect((await pageOf(`${url}/card`)).text).toContain('Un momento');
    await program.stop('SIGKILL');
    expect(await lost).toBe('lost');
    verifications.release();
    await api.database.db().customerPortal.update({ where: customer, data: { lease_until: new Date(0) } });
    expect((await pageOf(`${url}/card?note=tried`)).text).not.toContain('quedó guardada');
    await submitCard(url);
    expect(await cardsOf(customer)).toHaveLength(1);
  });
});
