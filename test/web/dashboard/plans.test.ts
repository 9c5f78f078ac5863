/** Retry schedules of plans, and subscriptions whose card must not be charged again. */
import type { Page } from 'playwright-core';
import { testDashboard } from '../../harness/browser/dashboard';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const { enter, payers, url } = testDashboard(api);
const { shop } = payers;
const dialog = (page: Page) => page.locator('dialog[open]');

it('a plan is created with retries on fixed days, whose errors are shown at the schedule', async () => {
  const page = await enter('/plans');
  await page.getByRole('button', { name: 'Create plan' }).first().click();
  await dialog(page).getByLabel('Name').fill('Fixed days');
  await dialog(page).getByLabel('Amount').fill('49900');
  expect(await dialog(page).getByLabel('Retries', { exact: true }).count()).toBe(1);
  await dialog(page).getByLabel('Days of the retries').selectOption('days');
  expect(await dialog(page).getByLabel('Retries', { exact: true }).count()).toBe(0);
  await dialog(page).getByLabel('Days after the charge').fill('3, 1');
  await dialog(page).getByRole('button', { name: 'Create plan' }).click();
  await dialog(page).getByText('retry_schedule must have 1 to 20 increasing days').waitFor();
  await dialog(page).getByLabel('Days after the charge').fill('1, 3, 7, 10');
  await dialog(page).getByRole('button', { name: 'Create plan' }).click();
  await page.waitForURL(url('/plans/*'));
  await page.getByText('1, 3, 7, 10 days after the charge').waitFor();
  const [plan] = (await api.rest('GET', '/plans')).body;
  expect(plan).toMatchObject({ retry_times: 4, retry_schedule: [1, 3, 7, 10] });
});

it('a subscription that waits for a new card says so, and offers no retry', async () => {
  const customer = await shop.newCustomer();
  const source_id = await shop.newCard(`/customers/${customer}/cards`);
  await shop.script(source_id, 3004);
  const body = { plan_id: await shop.newPlan(), source_id };
  const { id } = (await shop.post(`/customers/${customer}/subscriptions`, body)).body;
  const page = await enter(`/subscriptions/${id}`, { locale: 'es-CO' });
  await page.getByText('otra tarjeta', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Cambiar tarjeta' }).waitFor();
  expect(await page.getByRole('button', { name: 'Cobrar ahora' }).count()).toBe(0);
});
