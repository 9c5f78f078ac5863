import { type Browser, chromium } from 'playwright-core';
import type { BrowserExecutable } from './executable.cjs';

/** For broken pages only, as that of `until`. */
export const PATIENCE_MS = 120_000;

/** The browser that the setup of the run has found, or the sentence that says what to install. */
function foundBrowser(): BrowserExecutable {
  const { TEST_BROWSER = '', TEST_BROWSER_PROBLEM } = process.env;
  if (TEST_BROWSER_PROBLEM) throw new Error(TEST_BROWSER_PROBLEM);
  return JSON.parse(TEST_BROWSER);
}

function launch(): Promise<Browser> {
  const { executablePath, args, env } = foundBrowser();
  return chromium.launch({
    executablePath,
    // Pages that share a process need not wait for the start of one each.
    args: [...args, '--renderer-process-limit=1'],
    env: { ...process.env, ...env },
    timeout: PATIENCE_MS,
  });
}

/** A real browser for one test file. */
export function testBrowser(): { browser(): Browser; replaceBrowser(): Promise<void> } {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  return {
    browser: () => browser,
    /** For one that no longer answers, and so cannot be waited for; it ends with the tests' process at the latest. */
    replaceBrowser: async () => {
      console.warn('Chromium did not close its windows and was replaced by another.');
      void browser.close().catch(() => undefined);
      browser = await launch();
    },
  };
}
