/** The home screen: its values equal those of the API, come from one request, and are updated live. */
import type { Page } from 'playwright-core';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testDashboard } from '../../harness/browser/dashboard';
import { visa } from '../../harness/cards/testCards';
import { testApi } from '../../harness/servers/api';
import { eventStreamIsOpen } from './eventStream';

const ALWAYS_WITHOUT_FUNDS = '4000000000003345';
const api = testApi();
const { payers, enter, visit, signIn } = testDashboard(api);
const { shop } = payers;
const stats = async () => (await api.rest('GET', '/stats')).body;
const pesos = (amount: number): string => `$ ${amount.toLocaleString('es-CO')}`;
const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
let failing: string;

beforeAll(async () => {
  const plan_id = await shop.newPlan({ name: 'Mensual' });
  const subscribe = async (overrides: object) => {
    const customer_id = await shop.newCustomer({ requires_account: false });
    const saved = await shop.post(`/customers/${customer_id}/cards`, { ...visa, ...overrides });
    return shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id: saved.body.id });
  };
  expect((await subscribe({})).body).toMatchObject({ status: 'active' });
  expect((await subscribe({ card_number: ALWAYS_WITHOUT_FUNDS })).body).toMatchObject({ status: 'past_due' });
  // The card is valid until the end of this month, and the charge is in the next month.
  const [year = '', month = ''] = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(2).split('-');
  expect((await subscribe({ expiration_year: year, expiration_month: month })).body).toMatchObject({
    status: 'active',
  });
  await shop.newCharge(await shop.newToken(), { amount: 1_234_567 });
  failing = (await shop.post('/webhooks', { url: 'https://shop.example/hook' })).body.id;
  await api.database.db().webhook.update({
    where: { id: failing },
    data: { status: 'verified', failing_since: new Date('2026-11-16T19:02:00Z') },
  });
});

it('the home screen shows the same values as the API', async () => {
  const page = await enter();
  const { days, upcoming, mrr, renewals_today } = await stats();
  const { volume, paid, failed } = days.at(-1);
  const text = async (name: string): Promise<string> =>
    ((await card(page, name).textContent()) ?? '').replace(/\s+/g, ' ');
  expect(await text('Collected today')).toContain(pesos(volume));
  const rate = ((paid * 100) / (paid + failed)).toLocaleString('es-CO', { maximumFractionDigits: 1 });
  expect(await text('Charges approved today')).toContain(`${rate} %`);
  const [{ charges, amount }] = upcoming;
  expect(renewals_today).toEqual({ paid: 0, declined: 0, first_charges: 2 });
  const toCome = charges > 0 ? `${charges} to come (${pesos(amount)})` : '0 to come';
  expect(await text('Today’s renewals')).toContain(
    `${charges > 0 ? `0 of ${charges}` : '–'}0 paid, 0 declined, ${toCome}; 2 first charges`,
  );
  expect(await text('Past due')).toContain(`1${pesos(49900)} per month at risk; 0 recovered of 1 declined`);
  expect(await text('Monthly recurring revenue')).toContain(`${pesos(mrr)} COP3 new subscriptions and 0 cancelled`);
  expect(await text('Decline reasons')).toContain('Insufficient funds1 time');
});

it('the home screen shows the balance and the payouts in progress', async () => {
  const page = await enter();
  const money = card(page, 'Balance and payouts');
  await money
    .getByText(pesos(await shop.merchantBalance()))
    .first()
    .waitFor();
  await money.getByText('None in progress').waitFor();
  await money.getByRole('link', { name: 'Register bank account' }).waitFor();
  const bank_account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
  await api.rest('PUT', '', { body: { bank_account } });
  await eventStreamIsOpen(page);
  // The worker, which is not running, would send them to the bank.
  await shop.settle();
  for (const amount of [1000, 2000.5]) await shop.post('/payouts', { amount });
  await money.getByRole('link', { name: `${pesos(3000.5)}0 COP · 2 payouts` }).waitFor();
  await money.getByText('Bancolombia, savings, XXXXXXX8901').waitFor();
  await money
    .getByText(pesos(await shop.merchantBalance()).replace(/,5$/, ',50'))
    .first()
    .waitFor();
});

it('the home screen is loaded again when the tab becomes visible', async () => {
  const page = await enter();
  await card(page, 'Collected today').waitFor();
  const isToday = (body: string | null): boolean => body?.includes('query Today(') ?? false;
  const again = page.waitForResponse(response => isToday(response.request().postData()));
  await Promise.all([again, page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")]);
});

it('the home screen is loaded with one request', async () => {
  const page = await enter('/nowhere');
  // The frame of every screen has loaded the shop's name by then.
  await page.getByTitle('Account').getByText('Tienda').waitFor();
  const asked: string[] = [];
  page.on('request', request => {
    const { query = '' } = request.url().endsWith('/graphql') ? (request.postDataJSON() ?? {}) : {};
    if (query) asked.push(/(?:query|mutation) (\w+)/.exec(query)?.[1] ?? query);
  });
  await page.getByRole('link', { name: 'Go to Today' }).click();
  await card(page, 'Collected today').waitFor();
  expect(asked).toEqual(['Today']);
});

it('the home screen lists tasks for the merchant, with links', async () => {
  const page = await enter();
  const needs = card(page, /^Needs attention/);
  await needs.getByText('The webhook https://shop.example/hook has not responded since 16 Nov 2026, 14:02').waitFor();
  await needs.getByText('1 card expires before its next charge').waitFor();
  await needs.getByText('1 subscription is past due: its last charge was declined').waitFor();
  await needs.getByRole('link', { name: /has not responded/ }).click();
  await page.waitForURL(`**/dashboard/webhooks/${failing}`);
});

it('the home screen shows a rotated key that will expire, except in a read-only session', async () => {
  const { id } = (await shop.post('/keys', { kind: 'private', name: 'Web server' })).body;
  await shop.post('/keys', { kind: 'private', name: 'Accounting' });
  await shop.post(`/keys/${id}/rotate`, { overlap_hours: 24 });
  const page = await enter();
  const needs = card(page, /^Needs attention/);
  await needs.getByText(/^The key Web server was rotated and works until/).waitFor();
  expect(await needs.getByText(/^The key/).count()).toBe(1);
  await needs.getByRole('link', { name: /The key Web server/ }).click();
  await page.waitForURL(`**/dashboard/keys/${id}`);

  const reader = await visit();
  await reader.getByRole('checkbox', { name: 'Read only' }).check();
  await signIn(reader);
  await card(reader, /^Needs attention/)
    .getByText(/has not responded since/)
    .waitFor();
  expect(await reader.getByText(/^The key/).count()).toBe(0);
});

it('the home screen is updated when a payment arrives', async () => {
  const page = await enter();
  const before = (await stats()).days.at(-1).volume;
  await card(page, 'Collected today').getByText(pesos(before)).first().waitFor();
  await page.getByRole('img', { name: 'Live', exact: true }).waitFor();
  await eventStreamIsOpen(page);
  await shop.newCharge(await shop.newToken(), { amount: 100_000 });
  await card(page, 'Collected today')
    .getByText(pesos(before + 100_000))
    .first()
    .waitFor();
});

it('the home screen reads out each day to a user who moves along the bars with the arrow keys', async () => {
  const page = await enter();
  const bars = page.getByRole('slider', { name: 'Upcoming charges by day' });
  await bars.focus();
  const { upcoming } = await stats();
  const at = upcoming.findIndex(({ charges }: { charges: number }) => charges > 0);
  await page.keyboard.press('Home');
  for (let i = 0; i < at; i++) await page.keyboard.press('ArrowRight');
  const { charges, amount } = upcoming[at];
  expect(await bars.getAttribute('aria-valuetext')).toContain(`${pesos(amount)}, ${charges} charge`);
});

it.each(screens)('the home screen fits and is accessible on $name', async ({ viewport, colorScheme }) => {
  const page = await enter('', { viewport, colorScheme });
  await card(page, 'Collected today').waitFor();
  expect([await overflowOf(page), await seriousViolations(page)]).toEqual([0, []]);
});

it('the home screen shows the period that the user chooses, also after a reload', async () => {
  const page = await enter();
  await page.getByLabel('Period').selectOption('Last 7 days');
  await card(page, 'Decline reasons').getByText('7 days').waitFor();
  await page.reload();
  await card(page, 'Collected today').getByText('in 7 days').waitFor();
});

it('the home screen is available in Spanish', async () => {
  const page = await enter('', { locale: 'es-CO' });
  await card(page, 'Recaudado hoy').waitFor();
  await card(page, 'Motivos de rechazo').getByText('Fondos insuficientes').waitFor();
});

it('the home screen shows what was recovered after a decline, and by what', async () => {
  const customer_id = await shop.newCustomer({ requires_account: false });
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`, ALWAYS_WITHOUT_FUNDS);
  const plan_id = await shop.newPlan({ amount: 70_000 });
  const path = `/customers/${customer_id}/subscriptions`;
  const { id, status } = (await shop.post(path, { plan_id, source_id })).body;
  expect(status).toBe('past_due');
  const paid = await api.rest('PUT', `${path}/${id}`, { body: { card: { ...visa, card_number: '5555555555554444' } } });
  expect(paid.body).toMatchObject({ status: 'active' });
  const page = await enter();
  const recovery = ((await card(page, 'Recovered after a decline').textContent()) ?? '').replace(/\s+/g, ' ');
  expect(recovery).toContain(`${pesos(70_000)} COP1 of 2 periods (50%); median less than 1 hour, average less than 1`);
  expect(recovery).toContain(`New card less than 1 hour${pesos(70_000)} · 50 %`);
});
