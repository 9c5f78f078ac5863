/** The links for payers, on the pages of a subscription and a customer. */
import type { Page } from 'playwright-core';
import { seriousViolations } from '../../harness/browser/accessibility';
import { sizes, testPayers } from '../../harness/browser/payers';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api } = billing;
const payers = testPayers(api);

async function visit(path: string, shown: string): Promise<Page> {
  const page = await payers.open(`${api.origin()}/dashboard/${path}`, { viewport: sizes.phone, locale: 'en-US' });
  await page.getByLabel('Private key').fill(api.merchants().own.private_key);
  await page.keyboard.press('Enter');
  await page.locator(shown).first().waitFor();
  return page;
}

/** Opens the page of the link. */
async function follow(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByRole('button', { name }).click();
  const url = await dialog.getByLabel('Link', { exact: true }).inputValue();
  expect(await seriousViolations(page)).toEqual([]);
  return (await fetch(url)).text();
}

it('a link to the page of the payer is shown to copy', async () => {
  const { id } = await billing.subscribe('2040-01-10');
  const text = await follow(await visit(`subscriptions/${id}`, '.timeline-item'), 'Link for the payer');
  expect(text).toContain('Tu suscripción');
});

it('a link to the portal of the customer is shown to copy', async () => {
  const { customer_id } = await billing.subscribe('2040-01-10');
  const page = await visit(`customers/${customer_id}`, 'h1');
  expect(await follow(page, 'Portal link')).toContain('Tus suscripciones y tarjetas');
});
