import type { BrowserContextOptions, Page } from 'playwright-core';
import { atTheEnd } from '../flow/atTheEnd';
import { PATIENCE_MS, type testBrowser } from './browser';

/** A page in its own browser, closed with the test. */
export async function openPage(
  chromium: ReturnType<typeof testBrowser>,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await chromium.browser().newContext({ locale: 'en-US', ...options });
  atTheEnd(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}
