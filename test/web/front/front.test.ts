/** The page at `/`: its contents for browsers in the sandbox and in production, and the response to other clients. */
import { ensureSearchAttributes } from '../../../src/operations/background/temporalNamespace';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testBrowser } from '../../harness/browser/browser';
import { openPage } from '../../harness/browser/openPage';
import { eventually } from '../../harness/flow/until';
import { testApi } from '../../harness/servers/api';
import { testNamespace } from '../../harness/servers/temporal';

const neighbours = {
  temporalUi: 'http://127.0.0.1:28017',
  temporalNamespace: 'billing',
  inbox: 'http://127.0.0.1:19406',
  journal: 'http://127.0.0.1:18122/journal',
};
const temporal = testNamespace();
const api = testApi({ neighbours, namespace: temporal.name });
const chromium = testBrowser();

const open = (url: string, options?: Parameters<typeof openPage>[2]) => openPage(chromium, url, options);

const fetchPage = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { accept: 'text/html', ...headers } });

describe('in the sandbox', () => {
  it('links to everything that runs here', async () => {
    const page = await open(api.origin());
    const links = await page.locator('main a').evaluateAll(all => all.map(link => link.getAttribute('href')));
    expect(links).toEqual(
      expect.arrayContaining(['/docs', '/openapi.json', '/v1/tokenize-demo', '/ready', neighbours.temporalUi]),
    );
    expect(links).toEqual(expect.arrayContaining([neighbours.inbox, neighbours.journal]));
    for (const link of links.filter(link => link?.startsWith('/'))) {
      const { status } = await fetchPage(`${api.origin()}${link}`);
      expect([link, status]).toEqual([link, link === '/ready' ? expect.any(Number) : 200]);
    }
  });

  it('opens searches of the Temporal UI: subscriptions, past due subscriptions, overdue charges and more', async () => {
    const page = await open(api.origin());
    const views = await page.locator('.views a').evaluateAll(all => all.map(link => (link as { href?: string }).href));
    expect(views.every(view => view?.startsWith('http://127.0.0.1:28017/namespaces/billing/workflows?query='))).toBe(
      true,
    );
    await ensureSearchAttributes(temporal.client());
    const queries = views.map(view => new URL(view ?? '').searchParams.get('query') ?? '');
    for (const query of queries) {
      // The server loads new search attributes with a delay.
      const { count } = await eventually(() => temporal.client().workflow.count(query));
      expect([query, count]).toEqual([query, 0]);
    }
    expect(queries).toContainEqual(expect.stringContaining('SubscriptionStatus = "past_due"'));
    expect(queries).toContainEqual(expect.stringMatching(/NextChargeAt < "20/));
  });

  it('shows which parts respond', async () => {
    const page = await open(api.origin());
    const shown = (part: string) => page.locator(`[data-part="${part}"]`);
    await shown('database').and(page.locator('.up')).waitFor();
    expect(await shown('api').textContent()).toBe('API up');
    // No worker runs beside this test.
    await shown('worker').and(page.locator('.down')).waitFor();
    expect(await shown('worker').textContent()).toBe('Worker not responding');
  });

  it('shows when nothing responds any more', async () => {
    const page = await open(api.origin());
    await page.route('**/ready', route => route.abort());
    await page.locator('[data-part="api"].down').waitFor();
    expect(await page.locator('[data-part="api"]').textContent()).toBe('API not responding');
  });

  it.each(screens)('fits $name, is accessible and loads nothing from other sites', async ({ name: _, ...options }) => {
    const page = await open('about:blank', options);
    const [requests, problems]: [string[], string[]] = [[], []];
    page.on('request', request => requests.push(request.url()));
    page.on('console', message => message.type() === 'error' && problems.push(message.text()));
    await page.goto(api.origin());
    await page.locator('[data-part="api"].up').waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    expect(requests.filter(url => !url.startsWith(api.origin()))).toEqual([]);
    // The browser itself logs that /ready responds 503, because no worker runs.
    expect(problems.filter(text => !text.includes('503'))).toEqual([]);
  });

  it('is in the reader’s language', async () => {
    const languageOf = async (query: string, language?: string) => {
      const page = await fetchPage(api.origin() + query, language ? { 'accept-language': language } : {});
      return [page.headers.get('content-language'), /<h1>([^<]*)/.exec(await page.text())?.[1]];
    };
    const es = ['es', 'Pagos y cobros recurrentes en pesos colombianos'];
    const en = ['en', 'Payments and recurring billing in Colombian pesos'];
    expect(await languageOf('')).toEqual(es);
    expect(await languageOf('', 'en-US')).toEqual(en);
    expect(await languageOf('?lang=en', 'es')).toEqual(en);
    expect(await languageOf('?lang=es', 'en')).toEqual(es);
  });

  it('has a policy without inline or third-party contents', async () => {
    const page = await fetchPage(api.origin());
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(await page.text()).not.toMatch(/<script>|<style|style="| on\w+="/);
  });
});

it('in production shows only its name and the location of the documentation', async () => {
  const page = await open(await api.startProduction());
  expect(await page.locator('h1').textContent()).toBe('recaudo');
  expect(await page.locator('main a').evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
    '/docs',
  ]);
  const text = await page.content();
  for (const url of [neighbours.temporalUi, neighbours.inbox, neighbours.journal]) expect(text).not.toContain(url);
  expect(text).not.toContain('data-part');
  expect(await seriousViolations(page)).toEqual([]);
});

it.each(['*/*', 'application/json', ''])('a request that accepts %j gets the addresses of the API', async accept => {
  const answer = await fetch(api.origin(), { headers: { accept } });
  const { documentation, openapi, health, ...addresses } = (await answer.json()) as Record<string, string>;
  expect([answer.status, answer.headers.get('vary'), addresses]).toEqual([
    200,
    'accept',
    {
      name: 'recaudo',
      environment: 'sandbox',
      api: `${api.origin()}/v1/{merchant_id}`,
      graphql: `${api.origin()}/graphql`,
    },
  ]);
  for (const url of [documentation, openapi, health]) expect((await fetchPage(url ?? '')).status).toBe(200);
});
