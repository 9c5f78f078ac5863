import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { JournalEntry } from '../../../src/local/simulator/state';
import { withinTimeout } from '../../../src/platform/timeout';
import { canaries } from '../cards/canaries';
import { visa } from '../cards/testCards';
import { merchantCalls } from '../merchant/merchantCalls';
import type { testApi } from '../servers/api';
import { PATIENCE_MS, testBrowser } from './browser';

export const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;
/** A limit for closing a page, because Chromium sometimes never confirms it. The test is over by then. */
const MAX_TIDY_MS = 60_000;
export const bothSizes = Object.keys(sizes) as (keyof typeof sizes)[];

/** The values that a payer enters into the card form. */
export const typed = {
  card_number: visa.card_number,
  holder_name: visa.holder_name,
  expiration: `${visa.expiration_month}/${visa.expiration_year}`,
  cvv2: visa.cvv2,
};
type CardInput = { [name in keyof typeof typed]?: string };

export async function fill(page: Page, overrides: CardInput = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...typed, ...overrides })) await page.fill(`#${name}`, value);
}

/** Resolves when the next page has loaded, which may have the same URL. */
export async function press(page: Page, button = 'form button'): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click(button)]);
}

export async function pay(page: Page, overrides: CardInput = {}): Promise<void> {
  await fill(page, overrides);
  await press(page);
}

/** The values in the fields of the card form. */
export const valuesOf = async (page: Page): Promise<typeof typed> =>
  Object.fromEntries(
    await Promise.all(Object.keys(typed).map(async name => [name, await page.inputValue(`#${name}`)] as const)),
  ) as typeof typed;

/** Submits the form without a browser. Redirects are not followed. */
export const send = (url: string, form: Record<string, string> | string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' });

export const heading = (page: Page): Promise<string | null> => page.textContent('h1');

/** Finds card data, with or without spaces, in a text that must not contain it. */
export function secretsIn(text: string): string[] {
  const { card_number, holder_name, cvv2 } = typed;
  const joined = text.replace(/(\d)[ -](?=\d)/g, '$1');
  const named = [card_number, holder_name, encodeURIComponent(holder_name)].filter(secret => joined.includes(secret));
  return [...canaries.inText(text), ...named, ...(new RegExp(`\\b${cvv2}\\b`).exec(text) ?? [])];
}

/**
 * Payers' browsers, and the merchant's site to which payers return. After every test the browser must have had no
 * console errors, missing files, requests to other origins or card data in a URL.
 */
export function testPayers(api: ReturnType<typeof testApi>) {
  const { browser, replaceBrowser } = testBrowser();
  const shop = merchantCalls(api);
  const inUse: { context: BrowserContext; options: string }[] = [];
  /** Contexts by their options. A new window takes a second of processor time, so the tests of a file share them. */
  const idle = new Map<string, BrowserContext[]>();
  const problems: string[] = [];
  const referers: (string | undefined)[] = [];
  let merchantServer: Server;
  beforeAll(async () => {
    merchantServer = createServer(({ url, headers }, reply) => {
      referers.push(headers.referer);
      // After a 204 response the browser stays on its page.
      if (url?.startsWith('/nothing')) reply.writeHead(204).end();
      else reply.setHeader('content-type', 'text/html').end('<!doctype html><h1>Tienda</h1>');
    }).listen(0, '127.0.0.1');
    await once(merchantServer, 'listening');
  });
  /** Resets the window. */
  const reset = async ({ context, options }: (typeof inUse)[number]): Promise<void> => {
    const [, ...opened] = context.pages();
    await Promise.all(opened.map(page => page.close()));
    await context.clearCookies();
    idle.set(options, [...(idle.get(options) ?? []), context]);
  };
  afterEach(async () => {
    const isReset = await withinTimeout(Promise.all(inUse.splice(0).map(reset)), MAX_TIDY_MS);
    if (!isReset) {
      idle.clear();
      await replaceBrowser();
    }
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(() => {
    merchantServer.close();
    merchantServer.closeAllConnections();
  });

  const merchantUrl = (): string => `http://127.0.0.1:${(merchantServer.address() as AddressInfo).port}`;

  function watch(context: BrowserContext): void {
    const ownOrigins = [api.origin(), new URL(api.acquirer.credentials().url).origin];
    const report = (what: string) => problems.push(what);
    context.on('console', message => {
      // Pages with an error status are expected here; missing files are reported below.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) report(message.text());
    });
    context.on('weberror', error => report(error.error().message));
    context.on('request', request => {
      const url = request.url();
      const allowed = request.isNavigationRequest() ? [...ownOrigins, merchantUrl()] : ownOrigins;
      if (!allowed.includes(new URL(url).origin) && url !== `${merchantUrl()}/favicon.ico`) report(`requested ${url}`);
      if (secretsIn(decodeURIComponent(url)).length > 0) report(`a card in ${url}`);
    });
    context.on('response', response => {
      const status = response.status();
      if ((status === 404 || status >= 500) && !response.request().isNavigationRequest())
        report(`${status} ${response.url()}`);
    });
  }

  let viewport: { width: number; height: number } = sizes.phone;
  /** The tests of this describe block use a screen of this size. */
  const on = (size: keyof typeof sizes): void => {
    beforeAll(() => {
      viewport = sizes[size];
    });
    afterAll(() => {
      viewport = sizes.phone;
    });
  };

  const newWindow = async (options: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser().newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    watch(context);
    // Stays empty, and keeps the window open when a test's own pages are closed.
    await context.newPage();
    return context;
  };

  /** Opens a page in its own window without cookies, by default on a phone in Colombia. */
  const open = async (url: string, overrides: BrowserContextOptions = {}): Promise<Page> => {
    const options = { viewport, locale: 'es-CO', ...overrides };
    const key = JSON.stringify(options);
    const context = idle.get(key)?.pop() ?? (await newWindow(options));
    inUse.push({ context, options: key });
    return openTab(await context.newPage(), url);
  };

  const openTab = async (page: Page, url: string): Promise<Page> => {
    await page.goto(url);
    return page;
  };

  const newPayment = async (overrides: object = {}) => {
    const redirect_url = `${merchantUrl()}/thanks?cart=7#end`;
    const { id, payment_method } = (await shop.post('/charges', { ...shop.redirect, redirect_url, ...overrides })).body;
    return { id: id as string, url: payment_method.url as string };
  };

  return {
    browser,
    shop,
    on,
    open,
    merchantUrl,
    /** The Referer headers that the merchant's site has received. */
    referers,
    /** Opens a second tab of the same browser. */
    openSecondTab: async (page: Page, url: string): Promise<Page> => openTab(await page.context().newPage(), url),
    newPayment,
    newTransfer: async (overrides: object = {}) => {
      const { orderId: id, redirect_url: url } = (await shop.post('/pse', { ...shop.pse, ...overrides })).body;
      const bank = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
      return { id: id as string, url: url as string, bank };
    },
    newVoucher: async (overrides: object = {}) => (await shop.post('/charges', { ...shop.store, ...overrides })).body,
    change: (id: string, data: object) => api.database.db().transaction.update({ where: { id }, data }),
    read: async (id: string) => (await api.rest('GET', `/charges/${id}`)).body,
    /** The outcomes of the acquirer's charges for this payment. */
    chargesOf: (id: string): JournalEntry['outcome'][] =>
      api.acquirer
        .journal()
        .filter(({ key, operation }) => key.startsWith(`${id}-pay-`) && operation === 'charge')
        .map(({ outcome }) => outcome),
    /** The merchant's URL to which a payer who has paid is redirected. */
    thanksUrl: (id: string): string => `${merchantUrl()}/thanks?cart=7&id=${id}#end`,
  };
}
