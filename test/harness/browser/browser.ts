import type { Browser } from 'playwright-core';
import { PATIENCE_MS, replaceBrowser, sharedBrowser } from '../world/browser';

/** The browser of this Jest process. Each test opens its own windows in it. */
export function testBrowser(): { browser(): Browser; replaceBrowser(): Promise<void> } {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  return {
    browser: () => browser,
    /** A timeout for a browser that no longer responds. */
    replaceBrowser: async () => {
      console.warn('Chromium did not close its windows and was replaced by another.');
      browser = await replaceBrowser();
    },
  };
}

export { PATIENCE_MS };
