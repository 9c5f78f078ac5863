import type { Page } from 'playwright-core';

/** Until the server has taken the page's subscription to events: the page says that it is live a moment before. */
export const eventsAreFollowed = (page: Page): Promise<unknown> =>
  page.waitForFunction("performance.getEntriesByType('resource').some(({ responseStatus }) => responseStatus === 202)");
