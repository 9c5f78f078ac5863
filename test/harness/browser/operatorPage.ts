import type { BrowserContextOptions, Page } from 'playwright-core';
import type { testApi } from '../servers/api';
import { sizes, type testPayers } from './payers';

/** The operator page at a path, by default in English and on a desktop. */
export const operatorPage = (api: ReturnType<typeof testApi>, payers: ReturnType<typeof testPayers>) => ({
  /** Signs in with the key. */
  enter: async (key: string, path = '', options: BrowserContextOptions = {}): Promise<Page> => {
    const url = `${api.origin()}/operator${path}`;
    const page = await payers.open(url, { locale: 'en', viewport: sizes.desktop, ...options });
    await page.fill('#operator-key', key);
    await page.press('#operator-key', 'Enter');
    await page.waitForSelector('main.operator h1');
    return page;
  },
  /** Opens the dialog of a change, gives the reason and confirms. Returns the steps that were shown. */
  act: async (page: Page, name: string, reason: string): Promise<string[]> => {
    await page.getByRole('button', { name, exact: true }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.locator('.steps li').first().waitFor();
    const steps = await dialog.locator('.steps li').allTextContents();
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    return steps;
  },
});
