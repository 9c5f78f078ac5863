import type { BrowserContextOptions, Page } from 'playwright-core';
import type { testApi } from '../servers/api';
import { sizes, testPayers } from './payers';

/** The dashboard in browsers that have nothing of earlier visits. Console errors fail the test, those of the policy too. */
export function testDashboard(api: ReturnType<typeof testApi>) {
  const people = testPayers(api);
  const url = (path = ''): string => `${api.origin()}/dashboard${path}`;

  /** Not signed in, in English and on a desk unless told otherwise. */
  const visit = async (path = '', options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await people.open(url(path), { locale: 'en', viewport: sizes.desktop, ...options });
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.waitForSelector('#private-key');
    return page;
  };

  const signIn = async (page: Page, key = api.merchants().own.private_key): Promise<void> => {
    await page.fill('#private-key', key);
    await page.press('#private-key', 'Enter');
  };

  return {
    people,
    url,
    visit,
    signIn,
    /** Signs in and opens this address. */
    enter: async (path = '', options: BrowserContextOptions = {}): Promise<Page> => {
      const page = await visit(path, options);
      await signIn(page);
      await page.waitForSelector('.rail');
      return page;
    },
    /** Ends all sessions on the server, of any user. */
    revokeSessions: async (): Promise<void> => {
      for (const { id } of (await api.rest('GET', '/sessions')).body) await api.rest('DELETE', `/sessions/${id}`);
    },
  };
}
