/** The link to a payer's page, what its forms are allowed to do, and what it keeps private. */
import { testPayers, typed } from '../../harness/browser/payers';
import { MONTH, testFraudRules } from '../../harness/merchant/fraudRules';
import { payerPages } from '../../harness/merchant/payerPages';
import { testBilling } from '../../harness/merchant/subscriptions';
import { suspension } from '../../harness/merchant/suspension';
import { errorOf, sendRequest } from '../../harness/servers/api';

const billing = testBilling({ trustedProxies: ['127.0.0.1'] });
const { api, shop } = billing;
const payers = testPayers(api);
const { linkTo, pageOf, attemptOf, submit, submitCard, allow } = payerPages(billing);
const { suspend, resume } = suspension(api);
const { withRule } = testFraudRules(api);
const link = (path: string, method = 'POST') => api.rest(method, `${path}/link`, method === 'POST' ? { body: {} } : {});
const linesOf = async (subscription: {
  history: () => Promise<{ entries: { event: string; description: string }[] }>;
}) => (await subscription.history()).entries.map(({ event, description }) => `${event}: ${description}`);

describe('the link', () => {
  it('is shown again, replaced and revoked; former and wrong ones are all unknown alike', async () => {
    const subscription = await billing.subscribe('2040-01-10');
    const first = await linkTo(subscription);
    expect(first).toMatch(/\/s\/s[0-9a-z]{19}_[0-9a-f]{32}$/);
    expect(await linkTo(subscription)).toBe(first);
    const graphql = await api.graphql(
      `mutation { createSubscriptionLink(subscription_id: "${subscription.id}", link: {}) { url } }`,
    );
    expect(graphql.body.data.createSubscriptionLink.url).toBe(first);
    const second = await linkTo(subscription, { rotate: true });
    expect(second).not.toBe(first);
    expect((await pageOf(second)).status).toBe(200);
    expect((await link(subscription.path, 'DELETE')).status).toBe(204);
    const other = await linkTo(await billing.subscribe('2040-01-10'));
    const end = second.slice(-32);
    const never = await billing.subscribe('2040-01-10');
    const wrong = [
      ...[first, second, `${second.slice(0, -1)}x`, second.slice(0, -1), `${second}0`, other.replace(/.{32}$/, end)],
      ...[`${api.origin()}/s/${subscription.id}`, `${api.origin()}/s/${never.id}_${end}`, `${api.origin()}/s/x`],
    ];
    const answers = await Promise.all(wrong.map(url => pageOf(url)));
    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 404));
    const bodies = answers.map(({ text }) => text);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).not.toContain('Tienda');
    for (const url of wrong) expect((await submit(url, 'card', typed)).status).toBe(404);
    const third = await linkTo(subscription);
    expect([first, second]).not.toContain(third);
    expect((await pageOf(third)).status).toBe(200);
  });

  it('is stored nowhere, not even in the response to an Idempotency-Key', async () => {
    const subscription = await billing.subscribe('2040-01-10');
    const request = () => shop.post(`${subscription.path}/link`, {}, { 'idempotency-key': `link ${subscription.id}` });
    const { url } = (await request()).body;
    const again = await request();
    expect([again.body.url, again.headers.get('idempotent-replayed')]).toEqual([url, 'true']);
    const token = url.slice(-32);
    const rows = await api.database
      .db()
      .$queryRawUnsafe<{ text: string }[]>(
        `select row_to_json(t)::text as text from idempotent_replies t union all select row_to_json(t)::text from subscription_links t`,
      );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
    expect(api.lines().join('')).not.toContain(token);
  });

  it('is not created for an ended subscription, or with the keys of another merchant or customer', async () => {
    const subscription = await billing.subscribe('2040-01-10');
    const other = await billing.subscribe('2040-01-10');
    const path = `/customers/${other.customer_id}/subscriptions/${subscription.id}`;
    expect(errorOf(await link(path))).toBe(1005);
    const { other: stranger } = api.merchants();
    const url = `${api.origin()}/v1/${stranger.id}${subscription.path}/link`;
    expect(errorOf(await sendRequest(url, 'POST', { key: stranger.private_key, body: {} }))).toBe(1005);
    await subscription.remove();
    expect(errorOf(await link(subscription.path))).toBe(3006);
  });
});

it('the page has no personal data beyond the first name and the last four digits, and loads nothing from elsewhere', async () => {
  const customer_id = await shop.newCustomer({
    ...{ name: 'Marcela Quintero Rojas', email: 'marcela@privado.example', phone_number: '3001234567' },
    external_id: 'crm-778899',
  });
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
  const plan_id = await shop.newPlan();
  const path = `/customers/${customer_id}/subscriptions`;
  const { id } = (await shop.post(path, { plan_id, source_id, metadata: { note: 'secret-note' } })).body;
  await allow('cancel', 'pause');
  const url = await linkTo({ path: `${path}/${id}` });
  const pages = await Promise.all(['', '/card', '/cancel', '/pause'].map(step => pageOf(url + step)));
  for (const { status, text, headers } of pages) {
    expect(status).toBe(200);
    expect(text).not.toMatch(/Quintero|privado|3001234567|crm-778899|secret-note/);
    expect(text).not.toContain(typed.card_number.slice(0, 6));
    expect(text).not.toContain(typed.holder_name);
    for (const secret of [customer_id, source_id, plan_id, api.merchants().own.id]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/(?:src|href|action)="https?:/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|data:/);
    expect([headers.get('x-robots-tag'), headers.get('cache-control')]).toEqual(['noindex', 'no-store']);
  }
  expect(pages[0]?.text).toContain('Hola, Marcela<');
});

describe('cancelling and pausing', () => {
  it('are refused unless the profile allows them', async () => {
    await allow();
    const subscription = await billing.subscribe('2040-01-10');
    const url = await linkTo(subscription);
    expect((await pageOf(url)).text).not.toMatch(/Pausar|Cancelar/);
    for (const step of ['cancel', 'keep', 'pause', 'resume'])
      expect([step, (await submit(url, step, { months: '1' })).status]).toEqual([step, 403]);
    expect(await linesOf(subscription)).toHaveLength(2);
    expect(errorOf(await api.rest('PUT', '', { body: { payer_actions: ['refund'] } }))).toBe(1003);
  });

  it('offers the pause before the end, keeps the reason, and takes both back', async () => {
    await allow('cancel', 'pause');
    const subscription = await billing.subscribe('2040-01-10');
    const page = await payers.open(await linkTo(subscription));
    await page.getByRole('link', { name: 'Cancelar la suscripción' }).click();
    await page.getByText('Podrás usarla hasta el 9 feb 2040').waitFor();
    await page.getByLabel('Casi no la uso').check();
    await page.getByRole('button', { name: 'Cancelar el 9 feb 2040' }).click();
    await page.getByText('Termina el 9 feb 2040').waitFor();
    expect(await subscription.read()).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await page.getByRole('button', { name: 'Conservar mi suscripción' }).click();
    await page.getByRole('link', { name: 'Pausar' }).waitFor();
    await page.getByRole('link', { name: 'Cancelar la suscripción' }).click();
    await page.getByRole('link', { name: 'Prefiero pausarla' }).click();
    await page.getByLabel('2 meses: el próximo cobro es el 10 abr 2040').check();
    await page.getByRole('button', { name: 'Pausar' }).click();
    await page.getByText('Desde el 10 feb 2040 estará en pausa').waitFor();
    expect(await subscription.read()).toMatchObject({ pause: { since: '2040-02-10', resume_date: '2040-04-10' } });
    await subscription.moveTo('2040-02-15');
    await page.reload();
    await page.getByRole('button', { name: /Reanudar y pagar \$\s49\.900/ }).click();
    await page.getByText('Al día').waitFor();
    expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 2 });
    expect(await linesOf(subscription)).toEqual([
      ...['created: The subscription was created.', 'charged: Period 1 was charged.'],
      'cancel_scheduled: The payer scheduled the subscription to end with its period: not used enough.',
      'cancel_unscheduled: The scheduled end was removed.',
      'pause_requested: A pause after the current period was requested, until 2040-04-10.',
      ...['resumed: The subscription was resumed: a new period begins.', 'charged: Period 2 was charged.'],
    ]);
    const entries = await api.database.db().auditEntry.findMany({ where: { object_id: subscription.id } });
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(['payer']));
  });
});

it('forms from other sites, and those of an ended subscription, do nothing', async () => {
  await allow('cancel', 'pause');
  const subscription = await billing.subscribe('2040-01-10', { card: '4000000000000341' });
  const url = await linkTo(subscription);
  const attempt = await attemptOf(url);
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }])
    for (const step of ['card', 'cancel', 'pause'])
      expect((await submit(url, step, { ...typed, attempt, months: '1' }, headers)).status).toBe(403);
  expect(await subscription.read()).toMatchObject({ status: 'past_due', cancel_at_period_end: false });
  await subscription.remove();
  for (const step of ['card', 'cancel', 'pause', 'resume'])
    expect((await submit(url, step, { ...typed, attempt, months: '1' })).status).toBe(303);
  const { status, text } = await pageOf(url);
  expect([status, text.includes('Esta suscripción terminó'), text.includes('<form')]).toEqual([410, true, false]);
  expect((await subscription.journal()).map(({ outcome }) => outcome)).toEqual([3001]);
});

it('nothing is charged while the merchant is suspended', async () => {
  const subscription = await billing.subscribe('2040-01-10', { card: '4000000000000341' });
  const url = await linkTo(subscription);
  const attempt = await attemptOf(url);
  await suspend();
  expect((await pageOf(url)).text).toContain('Por ahora no se pueden hacer cobros');
  expect((await submit(url, 'card', { ...typed, attempt })).status).toBe(303);
  await resume();
  expect((await subscription.read()).status).toBe('past_due');
  await submitCard(url);
  expect((await subscription.read()).status).toBe('active');
});

it('a card from an address that a fraud rule refuses changes nothing', async () => {
  const [first, second] = [await billing.subscribe('2040-01-10'), await billing.subscribe('2040-01-10')];
  const [url, refusedUrl] = [await linkTo(first), await linkTo(second)];
  await withRule({ kind: 'attempts', scope: 'address', max: 1, minutes: MONTH }, async () => {
    for (const each of [url, refusedUrl]) {
      const form = { ...typed, card_number: '5555555555554444', attempt: await attemptOf(each) };
      expect((await submit(each, 'card', form, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(303);
    }
  });
  expect((await first.read()).card.card_number).toContain('4444');
  expect((await second.read()).card.card_number).toContain('7748');
  expect((await pageOf(`${refusedUrl}/card?tried=yes`)).text).toContain('El banco no permite pagos con esta tarjeta');
});
