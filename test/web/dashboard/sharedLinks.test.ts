/** Links that several payers use, in the dashboard. */
import type { Page } from 'playwright-core';
import { expectGoodLooks } from '../../harness/browser/accessibility';
import { testDashboard } from '../../harness/browser/dashboard';
import { paymentLinks } from '../../harness/merchant/paymentLinks';
import { testApi } from '../../harness/servers/api';

const api = testApi({ trustedProxies: ['127.0.0.1'] });
const { enter, payers } = testDashboard(api);
const links = paymentLinks(api);

const dialog = (page: Page) => page.locator('dialog[open]');
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

async function openForm(use: string): Promise<Page> {
  const page = await enter('/links');
  await page.locator('main').getByRole('button', { name: 'Create payment link' }).click();
  await dialog(page).getByLabel('Use').selectOption(use);
  return page;
}
const create = (page: Page) => dialog(page).getByRole('button', { name: 'Create payment link' }).click();

it('a link whose amount payers enter is created, and shows its QR code, its payers and their payments', async () => {
  const page = await openForm('open');
  await dialog(page).getByLabel('Suggested amounts').fill('20.000, 50.000');
  await dialog(page).getByLabel('Description').fill('Donation');
  await create(page);
  await page.getByRole('heading', { name: 'Donation' }).waitFor();
  const id = idIn(page);
  const link = await links.read(id);
  expect(link).toMatchObject({ reusable: true, min_amount: 5000, suggested_amounts: [20_000, 50_000] });
  const code = page.getByRole('img', { name: 'QR code of the link' });
  expect(await code.evaluate((image: { naturalWidth?: number }) => image.naturalWidth)).toBeGreaterThan(0);
  const payer = { name: 'Ana', email: 'ana@example.com', suggested: '20000' };
  await links.submit(link.url, payer);
  await page.reload();
  const uses = page.getByRole('table', { name: 'Recent uses' });
  await uses.getByText('20.000').waitFor();
  await expectGoodLooks(page, 'dashboard-shared-link');
  await uses.getByRole('link').first().click();
  await page.getByRole('link', { name: 'View the link of all payers' }).waitFor();
});

it('a link to a plan for any payer is created', async () => {
  const plan_id = await payers.shop.newPlan({ name: 'Silver' });
  const page = await openForm('plan');
  await dialog(page).getByLabel('Plan').selectOption(plan_id);
  await dialog(page).getByLabel('The payer can enter a coupon code').check();
  await create(page);
  await page.getByRole('heading', { name: 'Silver' }).waitFor();
  expect(await links.read(idIn(page))).toMatchObject({ plan_id, reusable: true, accepts_coupons: true });
});
