/** Pausing and resuming on the page of a subscription, with the preview that the rules compute. */
import type { Page } from 'playwright-core';
import { overflowOf, seriousViolations } from '../../harness/browser/accessibility';
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

it('a pause shows what it charges before it is requested, and the timeline draws it', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const page = await visit(subscription);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Pause' });
  await dialog.getByText('Nothing is charged until you resume it.').waitFor();
  await dialog.getByLabel('Resume on').fill('2040-01-20');
  await dialog.getByText('2040-02-10 or later', { exact: false }).waitFor();
  await dialog.getByLabel('Resume on').fill('2040-05-01');
  await dialog.getByText('$ 49.900 on 1 May 2040', { exact: false }).waitFor();
  expect(await overflowOf(page)).toBe(0);
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.locator('.period.paused').waitFor();
  await page.getByText('Paused from 10 Feb 2040').waitFor();
  expect(await subscription.read()).toMatchObject({ pause: { since: '2040-02-10', resume_date: '2040-05-01' } });

  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  const resume = page.getByRole('dialog', { name: 'Resume' });
  await resume.getByText('$ 49.900 on 10 Feb 2040', { exact: false }).waitFor();
  await resume.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.locator('.period.paused').waitFor({ state: 'detached' });
  expect(await subscription.read()).not.toHaveProperty('pause');
});
