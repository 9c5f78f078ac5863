import type { BrowserContextOptions, Page } from 'playwright-core';
import type { testApi } from '../servers/api';
import { sizes, testPayers } from './payers';

/** Opens the signed-in dashboard at a path, by default in English and on a desktop screen. */
export function testSignedInDashboard(api: ReturnType<typeof testApi>) {
  const payers = testPayers(api);
  return {
    payers,
    enter: async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
      const url = `${api.origin()}/dashboard${path}`;
      const page = await payers.open(url, { locale: 'en', viewport: sizes.desktop, ...options });
      await page.fill('#private-key', api.merchants().own.private_key);
      await page.press('#private-key', 'Enter');
      await page.waitForSelector('.rail');
      return page;
    },
  };
}

/** Presses a button, and then the button of the same name in the dialog. */
export async function confirm(page: Page, name: string, fill: Record<string, string> = {}): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
  const dialog = page.locator('dialog[open]');
  for (const [label, value] of Object.entries(fill)) await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole('button', { name, exact: true }).click();
}
