/** The link to the payer's page, on the page of a subscription. */
import type { Page } from 'playwright-core';
import { seriousViolations } from '../../harness/browser/accessibility';
import { sizes, testPayers } from '../../harness/browser/payers';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api } = billing;
const payers = testPayers(api);

type Subscribed = Awaited<ReturnType<typeof billing.subscribe>>;
async function visit({ id }: Subscribed): Promise<Page> {
  const page = await payers.open(`${api.origin()}/dashboard/subscriptions/${id}`, {
    viewport: sizes.phone,
    locale: 'en-US',
  });
  await page.getByLabel('Private key').fill(api.merchants().own.private_key);
  await page.keyboard.press('Enter');
  await page.locator('.timeline-item').first().waitFor();
  return page;
}

it('a link to the page of the payer is shown to copy', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const page = await visit(subscription);
  await page.getByRole('button', { name: 'Link for the payer', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Link for the payer' });
  await dialog.getByRole('button', { name: 'Link for the payer' }).click();
  const url = await dialog.getByLabel('Link', { exact: true }).inputValue();
  expect(await seriousViolations(page)).toEqual([]);
  expect((await fetch(url)).status).toBe(200);
});
