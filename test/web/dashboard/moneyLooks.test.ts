/** Lists and pages of money on a phone and a desktop, in both themes: they fit and are accessible. */
import type { Page } from 'playwright-core';
import { fromRoot } from '../../../src/platform/root';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testDashboard } from '../../harness/browser/dashboard';
import { paymentLink, paymentLinks } from '../../harness/merchant/paymentLinks';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const { enter, payers, url } = testDashboard(api);
const links = paymentLinks(api);
const { shop } = payers;
const LONG = 'Luisa Fernández de Castro y Santamaría del Valle y de las Torres';

/** Each screen by its path, with a text that appears when it is loaded. */
const places: [path: string, seen: string][] = [];

beforeAll(async () => {
  const customer = await shop.newCustomer({ name: LONG, email: `${'luisa'.repeat(10)}@example.com` });
  const source_id = await shop.newCard(`/customers/${customer}/cards`);
  const plan_id = await shop.newPlan({ name: `Plan ${LONG}`.slice(0, 80) });
  await shop.post(`/customers/${customer}/subscriptions`, { plan_id, source_id });
  await shop.post(`/customers/${customer}/charges`, { ...shop.charge, source_id, amount: 123_456_789.01 });
  const fee = (await shop.post('/fees', { customer_id: customer, amount: 10, description: LONG })).body.id;
  const card = await shop.newCard();
  await shop.newCharge(card, { amount: 10_000_000 });
  const charge = await shop.newCharge(card, { description: 'x'.repeat(120), metadata: { channel: 'web' } });
  await shop.post(`/charges/${charge}/refund`, { amount: 10, description: LONG });
  const { id: link } = await links.newLink({ ...paymentLink, description: LONG, customer_id: customer });
  await links.newLink({ kind: 'subscription', customer_id: customer, plan_id, description: 'x'.repeat(120) });
  const voucher = (await payers.newVoucher()).id;
  places.push(
    ['/charges', 'x'.repeat(120)],
    ['/charges?status=completed,failed&created=2020-01-01..2030-01-01&amount=1..', 'x'.repeat(120)],
    ['/charges?order=none', 'No results match these filters.'],
    [`/charges/${charge}`, 'charge.refunded'],
    [`/charges/${voucher}`, 'charge.created'],
    ['/customers', LONG],
    [`/customers/${customer}`, 'Details'],
    ['/subscriptions', LONG],
    ['/plans', 'Plan Luisa'],
    [`/plans/${plan_id}`, 'Latest subscriptions'],
    ['/fees', LONG],
    ['/links', 'x'.repeat(120)],
    [`/links/${link}`, LONG],
    [`/fees/${fee}`, 'fee.succeeded'],
  );
});

async function check(page: Page, name: string): Promise<void> {
  expect([name, await overflowOf(page)]).toEqual([name, 0]);
  expect([name, ...(await seriousViolations(page))]).toEqual([name]);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: fromRoot(`screenshots/dashboard-${name.replace(/\W+/g, '-')}.png`), fullPage: true });
}

it.each(screens)('every list and every page fits and is accessible on $name', async ({ name, ...options }) => {
  const page = await enter('/charges', options);
  for (const [path, seen] of places) {
    await page.goto(url(path));
    await page.locator('main').getByText(seen).first().waitFor();
    await check(page, `${name} ${path.replace(/[a-z0-9]{20}/, 'id')}`);
  }
  await page.goto(url('/charges'));
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await check(page, `${name} filter`);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create payment link' }).click();
  await page.locator('dialog[open]').waitFor();
  await check(page, `${name} dialog`);
});
