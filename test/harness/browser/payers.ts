import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { JournalEntry } from '../../../src/simulator/state';
import { canaries } from '../cards/canaries';
import { visa } from '../cards/testCards';
import { shopOf } from '../merchant/merchantCalls';
import type { testApi } from '../servers/api';
import { testBrowser } from './browser';

export const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;
export const bothSizes = Object.keys(sizes) as (keyof typeof sizes)[];

/** What a payer types. */
export const typed = {
  card_number: visa.card_number,
  holder_name: visa.holder_name,
  expiration: `${visa.expiration_month}/${visa.expiration_year}`,
  cvv2: visa.cvv2,
};
type Typed = { [name in keyof typeof typed]?: string };

export async function fill(page: Page, more: Typed = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...typed, ...more })) await page.fill(`#${name}`, value);
}

/** Over when the page that follows is there; it may be the same one with something else on it. */
export async function press(page: Page, button = 'form button'): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click(button)]);
}

export async function pay(page: Page, more: Typed = {}): Promise<void> {
  await fill(page, more);
  await press(page);
}

/** As a browser sends the form, without one. The answer is not followed. */
export const send = (url: string, form: Record<string, string> | string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' });

export const heading = (page: Page): Promise<string | null> => page.textContent('h1');

/** What a card tells, however it is spaced, in a text that must not hold it. */
export function secretsIn(text: string): string[] {
  const { card_number, holder_name, cvv2 } = typed;
  const joined = text.replace(/(\d)[ -](?=\d)/g, '$1');
  const named = [card_number, holder_name, encodeURIComponent(holder_name)].filter(secret => joined.includes(secret));
  return [...canaries.inText(text), ...named, ...(new RegExp(`\\b${cvv2}\\b`).exec(text) ?? [])];
}

/**
 * A payer's browser, and the shop to which payers come back. Every test ends with what no payer may ever meet: errors on the console,
 * files that are not there, requests to strangers, a card in an address.
 */
export function testPayers(api: ReturnType<typeof testApi>) {
  const { browser } = testBrowser();
  const shop = shopOf(api);
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const referers: (string | undefined)[] = [];
  let merchant: Server;
  beforeAll(async () => {
    merchant = createServer(({ url, headers }, reply) => {
      referers.push(headers.referer);
      // With nothing to show a browser stays where it was.
      if (url?.startsWith('/nothing')) reply.writeHead(204).end();
      else reply.setHeader('content-type', 'text/html').end('<!doctype html><h1>Tienda</h1>');
    }).listen(0, '127.0.0.1');
    await once(merchant, 'listening');
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()));
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => {
    merchant.close();
    merchant.closeAllConnections();
  });

  const merchantUrl = (): string => `http://127.0.0.1:${(merchant.address() as AddressInfo).port}`;

  function watch(context: BrowserContext): void {
    const ours = [api.origin(), new URL(api.acquirer.credentials().url).origin];
    const complain = (what: string) => complaints.push(what);
    context.on('console', message => {
      // A page that says no says so with its status; a file that is missing is seen below.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complain(message.text());
    });
    context.on('weberror', error => complain(error.error().message));
    context.on('request', request => {
      const url = request.url();
      const known = request.isNavigationRequest() ? [...ours, merchantUrl()] : ours;
      if (!known.includes(new URL(url).origin) && url !== `${merchantUrl()}/favicon.ico`) complain(`asked for ${url}`);
      if (secretsIn(decodeURIComponent(url)).length > 0) complain(`a card in ${url}`);
    });
    context.on('response', response => {
      const status = response.status();
      if ((status === 404 || status >= 500) && !response.request().isNavigationRequest())
        complain(`${status} ${response.url()}`);
    });
  }

  let viewport: { width: number; height: number } = sizes.phone;
  /** The tests of this block are on a screen of this size. */
  const on = (size: keyof typeof sizes): void => {
    beforeAll(() => {
      viewport = sizes[size];
    });
    afterAll(() => {
      viewport = sizes.phone;
    });
  };

  /** In a browser of its own, on a phone in Colombia unless told otherwise. */
  const open = async (url: string, more: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser().newContext({ viewport, locale: 'es-CO', ...more });
    contexts.push(context);
    watch(context);
    return openTab(await context.newPage(), url);
  };

  const openTab = async (page: Page, url: string): Promise<Page> => {
    await page.goto(url);
    return page;
  };

  const newPayment = async (more: object = {}) => {
    const redirect_url = `${merchantUrl()}/thanks?cart=7#end`;
    const { id, payment_method } = (await shop.post('/charges', { ...shop.redirect, redirect_url, ...more })).body;
    return { id: id as string, url: payment_method.url as string };
  };

  return {
    browser,
    shop,
    on,
    open,
    merchantUrl,
    /** What browsers told the shop about where they came from. */
    referers,
    /** A second tab of the same browser. */
    beside: async (page: Page, url: string): Promise<Page> => openTab(await page.context().newPage(), url),
    newPayment,
    newTransfer: async (more: object = {}) => {
      const { orderId: id, redirect_url: url } = (await shop.post('/pse', { ...shop.pse, ...more })).body;
      const bank = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
      return { id: id as string, url: url as string, bank };
    },
    newVoucher: async (more: object = {}) => (await shop.post('/charges', { ...shop.store, ...more })).body,
    change: (id: string, data: object) => api.database.db().transaction.update({ where: { id }, data }),
    read: async (id: string) => (await api.rest('GET', `/charges/${id}`)).body,
    /** What the acquirer was asked to charge for it, and what it said. */
    chargesOf: (id: string): JournalEntry['outcome'][] =>
      api.acquirer
        .journal()
        .filter(({ key, operation }) => key.startsWith(`${id}-pay-`) && operation === 'charge')
        .map(({ outcome }) => outcome),
    /** Where a payer arrives who has paid. */
    thanks: (id: string): string => `${merchantUrl()}/thanks?cart=7&id=${id}#end`,
  };
}
