import type { Page } from 'playwright-core';

/** Resolves when the page is subscribed to the merchant's events: no later event is missed. */
export const eventStreamIsOpen = (page: Page): Promise<unknown> =>
  page.locator('.live[data-live="true"]').waitFor({ state: 'attached' });
