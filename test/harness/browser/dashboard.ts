import type { BrowserContextOptions, Page } from 'playwright-core';
import type { testApi } from '../servers/api';
import { sizes, testPayers } from './payers';

/** The dashboard in browsers without data of earlier visits. Console errors, including policy errors, fail the test. */
export function testDashboard(api: ReturnType<typeof testApi>) {
  const payers = testPayers(api);
  const url = (path = ''): string => `${api.origin()}/dashboard${path}`;

  /** Not signed in; by default in English and on a desktop. */
  const visit = async (path = '', options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await payers.open(url(path), { locale: 'en', viewport: sizes.desktop, ...options });
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
    payers,
    url,
    visit,
    signIn,
    /** Signs in and opens this URL. */
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
