import type { BrowserContextOptions, Page } from 'playwright-core';
import type { testApi } from '../servers/api';
import { sizes, testPayers } from './payers';

/** The explorer in browsers without data of earlier visits. Console errors, including policy errors, fail the test. */
export function testExplorer(api: ReturnType<typeof testApi>) {
  const payers = testPayers(api);
  const url = (): string => `${api.origin()}/graphql`;

  /** Not signed in: the dialog is open. */
  const visit = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await payers.open(url(), { locale: 'en', viewport: sizes.desktop, ...options });
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.waitForSelector('dialog[open]');
    return page;
  };

  const signIn = async (page: Page, key = api.merchants().own.private_key): Promise<void> => {
    await page.fill('#private-key', key);
    await page.press('#private-key', 'Enter');
  };

  const isSignedIn = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign out' }).waitFor();

  return {
    payers,
    url,
    visit,
    signIn,
    isSignedIn,
    enter: async (options?: BrowserContextOptions): Promise<Page> => {
      const page = await visit(options);
      await signIn(page);
      await isSignedIn(page);
      return page;
    },
  };
}

/** Replaces the text of the editor with this name. */
export async function write(page: Page, editor: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: editor, exact: true }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

/** Runs the text of the editor, and returns the response and the line above it. */
export async function run(page: Page): Promise<{ answer: string; note: string }> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForSelector('.note[data-mood=good], .note[data-mood=bad]');
  return { answer: await answerOf(page), note: (await page.textContent('.note')) ?? '' };
}

export const answerOf = async (page: Page): Promise<string> =>
  (await page.locator('.answer .cm-line').allTextContents()).join('\n');
