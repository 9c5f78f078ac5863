/** Coupons in the dashboard, subscriptions that redeem them, and lists by metadata. */
import type { Page } from 'playwright-core';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testSignedInDashboard } from '../../harness/browser/signedInDashboard';
import { until } from '../../harness/flow/until';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const { enter, payers } = testSignedInDashboard(api);
const { shop } = payers;
const [{ viewport: phone }] = screens;
const dialogOf = (page: Page) => page.locator('dialog[open]');

it('a coupon is created from the empty list, found by its code, and deleted', async () => {
  const page = await enter('/coupons', { viewport: phone });
  await page.getByText('Create the first one and add it to a subscription by its code.').waitFor();
  expect([await overflowOf(page), ...(await seriousViolations(page))]).toEqual([0]);
  await page.getByRole('button', { name: 'Create coupon' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Code').fill('launch 20');
  await dialog.getByLabel('Percentage off').fill('12,5');
  await dialog.getByLabel('Duration').selectOption('periods');
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Maximum redemptions').fill('10');
  expect([await overflowOf(page), ...(await seriousViolations(page))]).toEqual([0]);
  await dialog.getByRole('button', { name: 'Create coupon' }).click();
  await dialog.locator('.problem').waitFor();
  await dialog.getByLabel('Code').fill('launch-20');
  await dialog.getByRole('button', { name: 'Create coupon' }).click();
  await page.getByRole('heading', { name: 'LAUNCH-20' }).waitFor();
  await page.getByText('0 of 10').waitFor();
  const [coupon] = (await api.rest('GET', '/coupons')).body;
  expect(coupon).toMatchObject({ percent_off: 12.5, duration: 'periods', periods: 3, max_redemptions: 10 });

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('launch-20');
  await page.getByRole('option', { name: /LAUNCH-20 · 12,5 %/ }).click();
  await page.getByRole('button', { name: 'Delete coupon' }).click();
  await dialog.getByText('Those that have it keep their discount.', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Delete coupon' }).click();
  await page.getByRole('heading', { name: 'Coupons' }).waitFor();
  expect((await api.rest('GET', '/coupons')).body).toEqual([]);
});

it('a subscription is created with a quantity and a coupon, and the button charges their amount', async () => {
  const customer = await shop.newCustomer();
  await shop.newCard(`/customers/${customer}/cards`);
  const plan_id = await shop.newPlan({ amount: 33_333.33 });
  await shop.post('/coupons', { code: 'HALF', percent_off: 50, duration: 'once', plan_ids: [plan_id] });
  const page = await enter(`/customers/${customer}`, { viewport: phone });
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('button', { name: 'Subscribe and charge $ 33.333,33' }).waitFor();
  await dialog.getByLabel('Quantity').fill('3');
  await dialog.getByRole('button', { name: 'Subscribe and charge $ 99.999,99' }).waitFor();
  await dialog.getByLabel('Coupon code').fill('none');
  await dialog.getByText('coupon does not exist', { exact: false }).waitFor();
  await dialog.getByLabel('Coupon code').fill('half');
  // Half a centavo is rounded up, in the discount.
  await dialog.getByRole('button', { name: 'Subscribe and charge $ 49.999,99' }).waitFor();
  expect([await overflowOf(page), ...(await seriousViolations(page))]).toEqual([0]);
  await dialog.getByRole('button', { name: 'Subscribe and charge $ 49.999,99' }).click();
  await page.getByRole('heading', { name: 'Monthly × 3' }).waitFor();
  const { body } = await api.rest('GET', `/customers/${customer}/charges`);
  expect(body).toMatchObject([{ amount: 49_999.99, status: 'completed' }]);
});

it('customers, plans and subscriptions are filtered by a pair of metadata', async () => {
  const customer = await shop.newCustomer({ name: 'Web', metadata: { channel: 'web' } });
  await shop.newCustomer({ name: 'Shop', metadata: { channel: 'shop' } });
  const plan_id = await shop.newPlan({ name: 'Web plan', trial_days: 5, metadata: { channel: 'web' } });
  await shop.newPlan({ name: 'Other plan' });
  const source_id = await shop.newCard(`/customers/${customer}/cards`);
  for (const metadata of [{ channel: 'web' }, { channel: 'shop' }]) {
    const { status } = await shop.post(`/customers/${customer}/subscriptions`, { plan_id, source_id, metadata });
    expect(status).toBe(201);
  }
  for (const path of ['/customers', '/plans', '/subscriptions']) {
    const page = await enter(path);
    await page.locator('tbody tr').nth(1).waitFor();
    await page.getByRole('button', { name: 'Metadata' }).click();
    await page.getByLabel('Key').fill('channel');
    await page.getByLabel('Value').fill('web');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Metadata: channel: web', exact: true }).waitFor();
    const rows = page.locator('tbody tr');
    await until(async () => (await rows.count()) === 1);
    expect(await rows.textContent()).toContain('Web');
    await page.reload();
    await page.getByRole('button', { name: 'Metadata: channel: web', exact: true }).waitFor();
  }
});
