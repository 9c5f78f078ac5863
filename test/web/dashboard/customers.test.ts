/** Customers, plans and subscriptions in the dashboard, from a new customer to a deleted customer. */
import type { Page } from 'playwright-core';
import { testDashboard } from '../../harness/browser/dashboard';
import { sizes } from '../../harness/browser/payers';
import { errorOf, testApi } from '../../harness/servers/api';
import { eventStreamIsOpen } from './eventStream';

const api = testApi();
const { enter, payers } = testDashboard(api);
const { shop } = payers;

const dialog = (page: Page) => page.locator('dialog[open]');
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

async function act(page: Page, button: string, fill: Record<string, string> = {}): Promise<void> {
  await page.locator('main').getByRole('button', { name: button, exact: true }).click();
  for (const [label, value] of Object.entries(fill)) await dialog(page).getByLabel(label).fill(value);
  await dialog(page).getByRole('button', { name: button, exact: true }).click();
}

it('a customer is created, found by name and changed, and a duplicate identifier is refused', async () => {
  await shop.newCustomer({ external_id: 'taken' });
  const page = await enter('/customers');
  await page.getByRole('table', { name: 'Customers' }).waitFor();
  await act(page, 'Create customer', {
    'Given names': 'Lucía',
    'Last name': 'Ríos',
    'E-mail': 'lucia@example.com',
    City: 'Cali',
    'External ID': 'taken',
  });
  await dialog(page).getByText('A customer with this external_id already exists').waitFor();
  await dialog(page).getByLabel('External ID').fill('lucia-1');
  await dialog(page).getByRole('button', { name: 'Create customer' }).click();
  await page.getByRole('heading', { name: 'Lucía Ríos' }).waitFor();
  const id = idIn(page);
  const read = async () => (await api.rest('GET', `/customers/${id}`)).body;
  expect(await read()).toMatchObject({
    name: 'Lucía',
    external_id: 'lucia-1',
    requires_account: false,
    customer_address: { city: 'Cali' },
  });
  const customer_address = { city: 'Cali', postal_code: '760001' };
  await api.rest('PUT', `/customers/${id}`, { body: { name: 'Lucía', email: 'lucia@example.com', customer_address } });
  await page.reload();
  await act(page, 'Change', { 'Last name': '', Phone: '3001234567', City: 'Palmira' });
  await page.getByRole('heading', { name: 'Lucía', exact: true }).waitFor();
  expect(await read()).toMatchObject({
    last_name: null,
    phone_number: '3001234567',
    customer_address: { city: 'Palmira', postal_code: '760001' },
  });
  const list = await enter('/customers?name=luc');
  await list.getByRole('link', { name: 'Lucía' }).click();
  await list.waitForURL(`**/customers/${id}`);
});

it('a saved card is declined, charged and subscribed to a plan, and cannot be deleted while a subscription uses it', async () => {
  const id = await shop.newCustomer({ name: 'Pablo', requires_account: false });
  await shop.newCard(`/customers/${id}/cards`);
  const plan = await shop.newPlan({ name: 'Gold' });
  await shop.newPlan({ name: 'Gold', amount: 499_000, repeat_unit: 'year', trial_days: 7 });
  const page = await enter(`/customers/${id}`, { viewport: sizes.phone });
  await page.getByRole('button', { name: 'Simulate declines' }).click();
  await dialog(page).getByLabel('Bank response').selectOption('Insufficient funds');
  await dialog(page).getByRole('button', { name: 'Simulate declines' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await act(page, 'Charge', { Amount: '25000', Description: 'Towels' });
  await dialog(page).getByText('Insufficient funds').waitFor();
  await dialog(page).getByRole('button', { name: 'Charge', exact: true }).click();
  await page.getByRole('heading', { name: '$ 25.000' }).waitFor();
  expect(await payers.read(idIn(page))).toMatchObject({ status: 'completed', amount: 25_000, customer_id: id });
  await page.getByRole('link', { name: 'Pablo' }).click();
  await page.getByRole('table', { name: 'Charges' }).getByText('Insufficient funds').waitFor();
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await dialog(page).getByLabel('Plan').selectOption('Gold · $ 499.000 every year');
  await dialog(page).getByText('Gold · $ 499.000 every year · 7-day trial. $ 499.000 is charged when the').waitFor();
  await dialog(page).getByRole('button', { name: 'Subscribe for $ 499.000' }).waitFor();
  await dialog(page).getByLabel('Plan').selectOption('Gold · $ 49.900 every month');
  await dialog(page).getByText('· no trial period. $ 49.900 is charged immediately.').waitFor();
  await dialog(page).getByRole('button', { name: 'Subscribe and charge $ 49.900' }).click();
  await page.waitForURL('**/subscriptions/*');
  await page.getByRole('heading', { name: 'Pablo · Gold · $ 49.900 every month' }).waitFor();
  const { body: subscription } = await api.rest('GET', `/customers/${id}/subscriptions/${idIn(page)}`);
  expect(subscription).toMatchObject({ plan_id: plan, status: 'active' });
  await page.goBack();
  await page.getByRole('table', { name: 'Subscriptions' }).getByText('active').waitFor();
  await page.getByRole('table', { name: 'Subscriptions' }).getByText('Gold · $ 49.900 every month').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog(page).getByText('The card pays for a subscription that has not ended').waitFor();
  await dialog(page).getByRole('button', { name: 'Not now' }).click();
  await eventStreamIsOpen(page);
  await api.rest('DELETE', `/customers/${id}/subscriptions/${subscription.id}`);
  await page.getByRole('table', { name: 'Subscriptions' }).getByText('cancelled').waitFor();
  await act(page, 'Delete');
  await page.getByText('No saved cards').waitFor();
  await act(page, 'Delete customer');
  await page.waitForURL('**/customers');
  expect(errorOf(await api.rest('GET', `/customers/${id}`))).toBe(1005);
});

it('a fee is charged to a customer’s account, and refunded', async () => {
  const id = await shop.newCustomer({ name: 'Nora', requires_account: true });
  const source_id = await shop.newCard(`/customers/${id}/cards`);
  await shop.post(`/customers/${id}/charges`, { ...shop.charge, source_id });
  const page = await enter(`/customers/${id}`);
  await act(page, 'Charge a fee', { Amount: '40000', Description: 'Locker' });
  await page.locator('.facts').getByText('$ 60.000').waitFor();
  expect(await shop.customerBalance(id)).toBe(60_000);
  await page.getByRole('link', { name: 'Fees' }).click();
  await page.getByRole('link', { name: 'Locker' }).click();
  await act(page, 'Refund', { Amount: '15000' });
  await page.locator('.facts').getByText('$ 25.000').waitFor();
  expect(await shop.customerBalance(id)).toBe(75_000);
});

it('a plan is created, renamed and deleted, and its subscriptions are listed by plan and status', async () => {
  const page = await enter('/plans');
  await act(page, 'Create plan', { Name: 'Silver', Amount: '19900.5' });
  await page.getByRole('heading', { name: 'Silver' }).waitFor();
  const id = idIn(page);
  expect((await api.rest('GET', `/plans/${id}`)).body).toMatchObject({
    amount: 19900.5,
    repeat_unit: 'month',
    retry_times: 3,
    status_after_retry: 'unpaid',
  });
  const customer = await shop.newCustomer({ name: 'Iván' });
  const source_id = await shop.newCard(`/customers/${customer}/cards`);
  await eventStreamIsOpen(page);
  await shop.post(`/customers/${customer}/subscriptions`, { plan_id: id, source_id });
  await page.getByRole('link', { name: 'Iván' }).waitFor();
  await page.getByRole('link', { name: 'View all' }).click();
  await page.getByRole('button', { name: 'Plan: Silver' }).waitFor();
  await page.getByRole('table').waitFor();
  expect(await page.getByRole('table').getByRole('link').allTextContents()).toEqual(['Iván']);
  const none = await enter(`/subscriptions?plan=${id}&status=cancelled,past_due`);
  await none.getByText('No results match these filters.').waitFor();
  const again = await enter(`/plans/${id}`);
  await act(again, 'Change', { Name: 'Silver plus' });
  await again.getByRole('heading', { name: 'Silver plus' }).waitFor();
  await act(again, 'Delete plan');
  await again.waitForURL('**/plans');
  expect((await api.rest('GET', `/plans/${id}`)).body).toMatchObject({ name: 'Silver plus', status: 'deleted' });
});

it('an invalid day in the URL is shown with an explanation of the empty list', async () => {
  const page = await enter('/customers?created=2026-13-01..');
  await page.getByRole('button', { name: 'Created: from 2026-13-01', exact: true }).waitFor();
  await page.getByRole('alert').getByText('is a date that does not exist').waitFor();
});
