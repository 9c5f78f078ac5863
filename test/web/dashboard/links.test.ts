/** Payment links in the dashboard: what they show and do matches the API. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { testDashboard } from '../../harness/browser/dashboard';
import { sizes } from '../../harness/browser/payers';
import { paymentLink, paymentLinks } from '../../harness/merchant/paymentLinks';
import { testApi } from '../../harness/servers/api';
import { eventStreamIsOpen } from './eventStream';

const api = testApi({ trustedProxies: ['127.0.0.1'] });
const { enter, visit, signIn, payers, url } = testDashboard(api);
const { shop } = payers;
const links = paymentLinks(api);

const dialog = (page: Page) => page.locator('dialog[open]');
const table = (page: Page) => page.getByRole('table', { name: 'Payment links' });
const facts = (page: Page) => page.locator('.facts');
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';
const create = (page: Page) => dialog(page).getByRole('button', { name: 'Create payment link' }).click();
const isQueuedFor = (id: string) =>
  api.database.db().outbox.count({ where: { kind: 'payment_link_mail', object_id: id } });

/** Opens the dialog of the page. */
async function openForm(path: string): Promise<Page> {
  const page = await enter(path);
  await page.locator('main').getByRole('button', { name: 'Create payment link' }).click();
  await dialog(page).waitFor();
  return page;
}

it('the list applies the filters in the URL, and its CSV file cannot run formulas', async () => {
  const usual = await links.newLink({ ...paymentLink, description: '=HYPERLINK("x")', order_id: '+1' });
  const cancelled = await links.newLink({ ...paymentLink, description: 'Withdrawn' });
  await links.cancel(cancelled.id);
  const { customer_id } = await links.newSubscriptionLink({ name: 'Gold', amount: 35_000 });
  const page = await enter('/links');
  await table(page).getByText('Withdrawn').waitFor();
  const rows = () => table(page).getByRole('link').allTextContents();
  const gold = 'Gold · $ 35.000 every month';
  expect(await rows()).toEqual([gold, 'Withdrawn', '=HYPERLINK("x")']);
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByLabel('active').check();
  await page.getByLabel('used').check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('**/links?status=active%2Ccompleted');
  await table(page).getByText('Withdrawn').waitFor({ state: 'detached' });
  await table(page).getByText(gold).waitFor();
  expect(await rows()).toEqual([gold, '=HYPERLINK("x")']);
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['Order number', 'ID']) await page.getByLabel(name, { exact: true }).check();
  for (const name of ['Use', 'Customer', 'Expires', 'Created']) await page.getByLabel(name, { exact: true }).uncheck();
  await page.keyboard.press('Escape');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const [names, , line] = readFileSync(await file.path(), 'utf8').split('\r\n');
  expect(names).toBe('\uFEFFDescription,Amount,Status,Order number,ID');
  expect(line).toBe(`"'=HYPERLINK(""x"")",80000,active,'+1,${usual.id}`);
  const ofCustomer = await enter(`/links?customer=${customer_id}&kind=subscription`);
  await table(ofCustomer).getByText(gold).waitFor();
  expect(await table(ofCustomer).getByRole('link').count()).toBe(1);
});

it('a link for a payment is created, sent by e-mail and cancelled', async () => {
  const page = await openForm('/links');
  const amount = dialog(page).getByLabel('Amount');
  await amount.pressSequentially('125500,5');
  expect(await amount.inputValue()).toBe('125.500,5');
  await dialog(page).getByLabel('Description').fill('Course');
  await dialog(page).getByLabel('PSE').uncheck();
  await dialog(page).getByText('More options').click();
  await dialog(page).getByLabel('Last day').fill('2020-01-01');
  await dialog(page).getByText('More options').click();
  await create(page);
  await dialog(page).getByText('expires_at is in the past').waitFor();
  await dialog(page).getByLabel('Last day').fill('');
  await create(page);
  await page.getByRole('heading', { name: 'Course' }).waitFor();
  const id = idIn(page);
  const link = await links.read(id);
  expect(link).toMatchObject({ kind: 'payment', amount: 125_500.5, iva: '19%', methods: ['card', 'store', 'bre_b'] });
  expect(await page.getByRole('textbox', { name: 'Link' }).inputValue()).toBe(link.url);
  await page.getByRole('button', { name: 'Send by e-mail' }).click();
  await dialog(page).getByLabel('E-mail').fill('rosa@example.com');
  await dialog(page).getByRole('button', { name: 'Send by e-mail' }).click();
  await facts(page).getByText('rosa@example.com').waitFor();
  expect(await isQueuedFor(id)).toBe(1);
  await page.getByRole('button', { name: 'Cancel link' }).click();
  await dialog(page).getByRole('button', { name: 'Cancel link' }).click();
  await page.locator('.page-head .chip').getByText('cancelled').waitFor();
  expect(await page.getByRole('button', { name: 'Send by e-mail' }).count()).toBe(0);
  expect((await links.read(id)).status).toBe('cancelled');
});

it('a link to subscribe is created for the customer with an e-mail, who is suggested by name', async () => {
  const customer_id = await shop.newCustomer({ name: 'Lucinda', email: 'lucinda@example.com' });
  const twins = { name: 'Twin', email: 'twins@example.com' };
  await shop.newCustomer(twins);
  await shop.newCustomer(twins);
  const plan_id = await shop.newPlan({ name: 'Silver', trial_days: 7 });
  const page = await openForm('/links');
  await dialog(page).getByLabel('Use').selectOption('Subscription');
  expect(await dialog(page).getByLabel('Amount').count()).toBe(0);
  await dialog(page).getByLabel('Plan').selectOption(plan_id);
  await dialog(page).getByText('is subscribed: Silver · $ 49.900 every month · 7-day trial.').waitFor();
  const customer = dialog(page).getByLabel('Customer e-mail');
  await customer.fill('Lucinda');
  await dialog(page).locator('option[value="lucinda@example.com"]').waitFor({ state: 'attached' });
  await customer.fill('nobody@example.com');
  await create(page);
  await dialog(page).getByText('No customer has this e-mail').waitFor();
  await customer.fill(twins.email);
  await create(page);
  await dialog(page).getByText('Several customers have this e-mail').waitFor();
  await customer.fill('lucinda@example.com');
  await create(page);
  await page.getByRole('heading', { name: 'Silver · $ 49.900 every month' }).waitFor();
  expect(await links.read(idIn(page))).toMatchObject({ kind: 'subscription', customer_id, plan_id, status: 'active' });
});

it('a customer without a card gets a link to subscribe, and its page shows the subscription', async () => {
  const id = await shop.newCustomer({ name: 'Pablo' });
  const plan_id = await shop.newPlan({ name: 'Bronze' });
  const page = await enter(`/customers/${id}`, { viewport: sizes.phone });
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await dialog(page).getByLabel('Plan').selectOption(plan_id);
  await dialog(page).getByText(`The customer has no saved cards. ${shop.payer.email} gets a link`).waitFor();
  await dialog(page).getByRole('button', { name: 'Send link' }).click();
  const url = await dialog(page).getByLabel('Link', { exact: true }).inputValue();
  await dialog(page).getByRole('link', { name: 'View the link' }).click();
  await facts(page).getByText(shop.payer.email).waitFor();
  const link = idIn(page);
  expect(await isQueuedFor(link)).toBe(1);
  await eventStreamIsOpen(page);
  await links.subscribe(url);
  await page.locator('.page-head .chip').getByText('used').waitFor();
  await page.getByRole('link', { name: 'View the subscription' }).click();
  await page.getByRole('heading', { name: 'Pablo · Bronze · $ 49.900 every month' }).waitFor();
  expect((await links.read(link)).subscription_id).toBe(idIn(page));
});

it('the page of a link shows that its card was saved', async () => {
  const { id, url } = await links.newCardLink();
  const page = await enter(`/links/${id}`);
  await page.getByRole('button', { name: 'Cancel link' }).waitFor();
  await links.submitCard(url);
  await page.locator('.page-head .chip').getByText('used').waitFor();
  await facts(page)
    .getByText((await links.read(id)).card_id)
    .waitFor();
});

it('the page of a customer sends links to save a card and to subscribe, and creates links for payments', async () => {
  const id = await shop.newCustomer({ name: 'Nora' });
  await shop.newPlan({ name: 'Basic' });
  const page = await enter(`/customers/${id}`);
  for (const name of ['Send a link to save a card', 'Send a link to subscribe']) {
    await page.getByRole('button', { name }).click();
    await dialog(page).getByRole('button', { name: 'Send link' }).click();
    await dialog(page).getByText(`Link sent to ${shop.payer.email}.`).waitFor();
    await dialog(page).getByRole('button', { name: 'OK' }).click();
  }
  await table(page).getByText('Save a card').waitFor();
  await page.getByRole('button', { name: 'Create payment link' }).click();
  await dialog(page).getByLabel('Amount').fill('45000');
  await dialog(page).getByLabel('Description').fill('Towels');
  await create(page);
  await page.getByRole('heading', { name: 'Towels' }).waitFor();
  await facts(page).getByRole('link', { name: 'Nora' }).click();
  await table(page).getByText('Towels').waitFor();
  const made = (await api.rest('GET', `/payment_links?customer_id=${id}`)).body as { kind: string; email?: string }[];
  expect(made.map(({ kind, email }) => [kind, email])).toEqual([
    ['payment', undefined],
    ['subscription', shop.payer.email],
    ['card', shop.payer.email],
  ]);
});

it('a link whose e-mail failed is not created again when it is sent again', async () => {
  const id = await shop.newCustomer();
  const page = await enter(`/customers/${id}`);
  let failures = 0;
  await page.route('**/graphql', route => {
    const isLost = failures === 0 && (route.request().postData() ?? '').includes('mutation SendPaymentLink');
    if (isLost) failures++;
    return isLost ? route.abort() : route.continue();
  });
  await page.getByRole('button', { name: 'Send a link to save a card' }).click();
  await dialog(page).getByRole('button', { name: 'Send link' }).click();
  await dialog(page).getByText('We could not reach the server').waitFor();
  await dialog(page).getByRole('button', { name: 'Send link' }).click();
  await dialog(page).getByText('Link sent to').waitFor();
  const made = (await api.rest('GET', `/payment_links?customer_id=${id}`)).body as { id: string }[];
  expect([made.length, await isQueuedFor(made[0]?.id ?? '')]).toEqual([1, 1]);
  await page.unroute('**/graphql');
});

it('a read-only session shows links without buttons that change them', async () => {
  const { id, customer_id } = await links.newCardLink();
  const page = await visit(`/links/${id}`);
  await page.getByRole('checkbox', { name: 'Read only' }).check();
  await signIn(page);
  await facts(page).getByText(id).waitFor();
  for (const path of [`/links/${id}`, '/links', `/customers/${customer_id}`]) {
    await page.goto(url(path));
    await page.locator('main').getByText('Save a card').first().waitFor();
    const names = await page.locator('main').getByRole('button').allTextContents();
    expect(names.filter(name => /link|e-mail|subscribe|card/i.test(name))).toEqual([]);
  }
});
