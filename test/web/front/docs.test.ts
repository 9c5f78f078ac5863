/** /docs: the reference and the guides, as readers see them. */

import { openapi } from '../../../src/api/rest/openapi';
import { EVENT_TYPES } from '../../../src/events/types';
import { ERRORS } from '../../../src/platform/errors';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testBrowser } from '../../harness/browser/browser';
import { openPage } from '../../harness/browser/openPage';
import { until } from '../../harness/flow/until';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const chromium = testBrowser();

const open = (path: string, options?: Parameters<typeof openPage>[2]) =>
  openPage(chromium, `${api.origin()}${path}`, options);

interface Fetched {
  links: string[];
  ids: Set<string>;
  text: string;
}

async function fetchPage(origin: string, path: string): Promise<Fetched> {
  const answer = await fetch(`${origin}${path}`, { headers: { accept: 'text/html' } });
  const text = await answer.text();
  expect([path, answer.status]).toEqual([path, 200]);
  const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
  return { links: all(/<a [^>]*href="([^"]+)"/g), ids: new Set(all(/ id="([^"]+)"/g)), text };
}

/** Every page that is linked from /docs, directly or indirectly. */
async function crawl(origin: string): Promise<Map<string, Fetched>> {
  const pages = new Map<string, Fetched>();
  const waiting = ['/docs'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const page = await fetchPage(origin, path);
    pages.set(path, page);
    waiting.push(...page.links.flatMap(link => (/^\/docs/.test(link) ? (link.split('#')[0] ?? []) : [])));
  }
  return pages;
}

describe('all pages', () => {
  it('link only to existing pages and headings', async () => {
    const pages = await crawl(api.origin());
    expect(pages.size).toBeGreaterThan(30);
    const broken = [...pages].flatMap(([path, { links }]) =>
      links
        .filter(link => /^(\/docs|#)/.test(link))
        .filter(link => {
          const [to, anchor] = link.split('#');
          const page = pages.get(to || path);
          return !page || (anchor && !page.ids.has(decodeURIComponent(anchor)));
        })
        .map(link => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('have unique headings and no inline scripts or styles', async () => {
    for (const [path, { text }] of await crawl(api.origin())) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []]);
      expect([path, / on\w+="|style="|<style|<script>/.test(text.replace(/<pre[\s\S]*?<\/pre>/g, ''))]).toEqual([
        path,
        false,
      ]);
    }
  });

  it('include every operation, error and event, and all guides', async () => {
    const pages = await crawl(api.origin());
    const { paths } = openapi('sandbox') as { paths: Record<string, Record<string, { operationId: string }>> };
    const headings = [...pages.values()].flatMap(({ ids }) => [...ids]);
    for (const { operationId } of Object.values(paths).flatMap(methods => Object.values(methods)))
      expect(headings).toContain(operationId);
    for (const { code, text } of ERRORS) {
      expect(pages.get('/docs/errors')?.text).toContain(`<code>${code}</code>`);
      expect(pages.get('/docs/errors')?.text).toContain(text);
    }
    const events = pages.get('/docs/events')?.text ?? '';
    for (const type of EVENT_TYPES) expect(events).toMatch(new RegExp(`<code>${type}</code></td><td>\\w`));
    for (const language of ['js', 'python', 'php'])
      expect(events).toContain(`<pre tabindex="0" data-code="${language}">`);
    for (const guide of ['api', 'webhooks', 'decisions', 'going-live', 'operating', 'configuration'])
      expect(pages.has(`/docs/guides/${guide}`)).toBe(true);
  });

  it('do not mention the sandbox in production', async () => {
    const pages = await crawl(await api.startProduction());
    expect(pages.has('/docs/sandbox')).toBe(false);
    expect([...pages.values()].some(({ text }) => text.includes('Test mode'))).toBe(false);
  });
});

describe.each(['/docs', '/docs/charges', '/docs/events', '/docs/guides/api'])('%s', path => {
  it.each(screens)(
    'fits $name, is accessible and complies with its content policy',
    async ({ name: _, ...options }) => {
      const page = await openPage(chromium, 'about:blank', options);
      const [requests, problems]: [string[], string[]] = [[], []];
      page.on('request', request => requests.push(request.url()));
      page.on('console', message => message.type() === 'error' && problems.push(message.text()));
      await page.goto(`${api.origin()}${path}`);
      expect(await overflowOf(page)).toBe(0);
      expect(await seriousViolations(page)).toEqual([]);
      expect(problems).toEqual([]);
      expect(requests.filter(url => !url.startsWith(api.origin()))).toEqual([]);
    },
  );
});

it('the examples are shown in the selected language, also on the next page, and can be copied', async () => {
  const page = await open('/docs/customers', { permissions: ['clipboard-read', 'clipboard-write'] });
  const visible = () =>
    page.locator('pre[data-language]:visible').evaluateAll(all => all.map(pre => pre.dataset.language));
  expect(new Set(await visible())).toEqual(new Set(['curl']));
  await page.locator('[data-choose="python"]').first().click();
  expect(new Set(await visible())).toEqual(new Set(['python']));
  await page.goto(`${api.origin()}/docs/plans`);
  expect(new Set(await visible())).toEqual(new Set(['python']));
  // Otherwise the confirmation is visible for only two seconds.
  await page.evaluate('window.setTimeout = () => 0');
  await page.locator('.copy').first().click();
  await page.getByText('Copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toBe(await page.locator('pre[data-language="python"]').first().textContent());
});

it('the documentation shows all three languages without JavaScript', async () => {
  const page = await open('/docs/pse', { javaScriptEnabled: false });
  expect(await page.locator('pre[data-language]:visible').count()).toBe(6);
});

it('the search finds operations, errors and headings with the keyboard alone', async () => {
  const page = await open('/docs');
  await page.keyboard.press('/');
  await page.keyboard.type('refund');
  await page.locator('#found a').first().waitFor();
  expect(await page.locator('#found a').first().textContent()).toMatch(/^Refund a charge/);
  await page.keyboard.press('ArrowDown');
  // A page that receives the focus late triggers the focus event of its field again.
  await page.evaluate(`(async () => {
    document.querySelector('#find').dispatchEvent(new Event('focus'));
    await fetch('/docs/search.json');
    await new Promise(resolve => setTimeout(resolve));
  })()`);
  await page.keyboard.press('Enter');
  await until(async () => page.url().endsWith('/docs/charges#refundCharge'));
  // The dialog appears when the script of the new page runs.
  await page.locator('#find').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('3003');
  await page.locator('#found a', { hasText: '3003' }).first().waitFor();
  await page.keyboard.press('Escape');
  expect(await page.locator('#found').isVisible()).toBe(false);
  await page.keyboard.type('xyzzy');
  expect(await page.locator('#found').textContent()).toBe('Nothing has all of these words.');
});

it('the table of contents opens on a phone', async () => {
  const page = await open('/docs/errors', { viewport: { width: 360, height: 800 } });
  const rail = page.getByRole('navigation', { name: 'Documentation' });
  expect(await rail.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Contents' }).click();
  await rail.getByRole('link', { name: 'Plans' }).click();
  await page.waitForURL('**/docs/plans');
  expect(await page.locator('h1').textContent()).toBe('Plans');
});

it.each(['/docs', '/docs/charges', '/docs/guides/api'])(
  '%s responds 404 to a client that is not a browser',
  async path => {
    const answer = await fetch(`${api.origin()}${path}`);
    expect([answer.status, await answer.json()]).toMatchObject([404, { error_code: 1005 }]);
  },
);

it('an unknown page responds 404', async () => {
  const answer = await fetch(`${api.origin()}/docs/nothing`, { headers: { accept: 'text/html' } });
  expect(answer.status).toBe(404);
});
