/** "Try it" in the reference: sends an operation to the sandbox with the session of the reader. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { fromRoot } from '../../../src/platform/root';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testPayers } from '../../harness/browser/payers';
import { until } from '../../harness/flow/until';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const payers = testPayers(api);
const key = () => api.merchants().own.private_key;

const visit = (path: string, options: BrowserContextOptions = {}): Promise<Page> =>
  payers.open(`${api.origin()}${path}`, { locale: 'en', viewport: { width: 1440, height: 900 }, ...options });

/** Opens the panel of an operation. */
const panelOf = (page: Page, id: string) => page.locator(`section:has(> .said #${id}) .try`);
async function openPanel(page: Page, id: string) {
  const panel = panelOf(page, id);
  await panel.getByText('Try it', { exact: true }).click();
  return panel;
}

/** A page with a session, as the dashboard leaves one. */
async function signedIn(path: string, scope = 'all', options: BrowserContextOptions = {}): Promise<Page> {
  const page = await visit(path, options);
  const body = JSON.stringify({ private_key: key(), scope: [scope] });
  expect(
    await page.evaluate<number>(`fetch('/session', { method: 'POST', body: ${JSON.stringify(body)} })
    .then(({ status }) => status)`),
  ).toBe(201);
  return page;
}

type Panel = Awaited<ReturnType<typeof openPanel>>;
async function send(panel: Panel): Promise<{ outcome: string; body: Record<string, unknown>; headers: string }> {
  await panel.getByRole('button', { name: 'Send' }).click();
  await panel.locator('.outcome[data-mood]').waitFor();
  const text = await panel.locator('.reply pre').textContent();
  return {
    outcome: (await panel.locator('.outcome').textContent()) ?? '',
    body: JSON.parse(text ?? '') as Record<string, unknown>,
    headers: (await panel.locator('.reply dl > *').allTextContents()).join(' '),
  };
}

it('a reader without a session signs in, comes back to the operation and creates a customer', async () => {
  const page = await visit('/docs/customers');
  const panel = await openPanel(page, 'createCustomer');
  expect(await panel.getByRole('button', { name: 'Send' }).isVisible()).toBe(false);
  await panel.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Private key').fill(key());
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/customers#createCustomer');
  const { outcome, body, headers } = await send(panelOf(page, 'createCustomer'));
  expect(outcome).toMatch(/^201 Created · \d+ ms$/);
  expect(headers).toMatch(/request-id \S+ location \/v1\/\w+\/customers\/\w+ ratelimit-limit \d+/);
  const { body: stored } = await api.rest('GET', `/customers/${body.id}`);
  expect(stored).toMatchObject({ name: 'María', email: 'maria@example.com' });
  // The key was typed into the sign-in only.
  expect(await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.toMatch(
    /[sp][kt]_/,
  );
});

it('the sign-in returns to no other page than those of the reference', async () => {
  const page = await signedIn('/docs/customers');
  for (const target of ['https://example.com/', '//example.com', '/docs/../v1', '/docs@example.com', '/session']) {
    await page.goto(`${api.origin()}/dashboard?return=${encodeURIComponent(target)}`);
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  }
  await page.goto(`${api.origin()}/dashboard?return=${encodeURIComponent('/docs/plans?try#createPlan')}`);
  await page.waitForURL('**/docs/plans#createPlan');
  await panelOf(page, 'createPlan').getByRole('button', { name: 'Send' }).waitFor();
});

it('the IDs of a response are filled in below and on the next page', async () => {
  const page = await signedIn('/docs/customers');
  const { body: customer } = await send(await openPanel(page, 'createCustomer'));
  const path = (await openPanel(page, 'customer')).getByRole('textbox', { name: 'customer_id' });
  await until(async () => (await path.inputValue()) === customer.id);
  expect((await send(panelOf(page, 'customer'))).body).toMatchObject({ id: customer.id });
  await page.goto(`${api.origin()}/docs/cards`);
  const { body: card } = await send(await openPanel(page, 'createCardOfCustomer'));
  await page.goto(`${api.origin()}/docs/charges`);
  const charge = await send(await openPanel(page, 'createChargeOfCustomer'));
  expect(charge.body).toMatchObject({ customer_id: customer.id, status: 'completed', card: { id: card.id } });
});

it('query parameters are sent, and errors are shown as the API returns them', async () => {
  const page = await signedIn('/docs/customers');
  const panel = await openPanel(page, 'customers');
  await panel.getByText('Optional query parameters').click();
  await panel.getByRole('textbox', { name: 'limit' }).fill('0');
  expect(await send(panel)).toMatchObject({ outcome: expect.stringMatching(/^422 /), body: { field: 'limit' } });
  const create = await openPanel(page, 'createCustomer');
  await create.getByRole('textbox', { name: 'Body' }).fill('{"name": ');
  expect(await send(create)).toMatchObject({ outcome: expect.stringMatching(/^400 /), body: { error_code: 1001 } });
});

it('each request has its own Idempotency-Key, and a typed one is replayed', async () => {
  const page = await signedIn('/docs/plans');
  const panel = await openPanel(page, 'createPlan');
  const [first, second] = [await send(panel), await send(panel)];
  expect(second.body.id).not.toBe(first.body.id);
  const [, sent = ''] = /idempotency-key \(sent\) (\S+)/.exec(second.headers) ?? [];
  await panel.getByRole('textbox', { name: 'Idempotency-Key' }).fill(sent);
  const repeated = await send(panel);
  expect(repeated.body.id).toBe(second.body.id);
  expect(repeated.headers).toContain('idempotent-replayed true');
});

it('after a failed connection the same key is used again', async () => {
  const page = await signedIn('/docs/plans');
  const panel = await openPanel(page, 'createPlan');
  await panel.getByRole('button', { name: 'Send' }).waitFor();
  await page.route('**/plans', route => route.abort());
  await panel.getByRole('button', { name: 'Send' }).click();
  await panel.getByText('The server could not be reached').waitFor();
  await page.unroute('**/plans');
  const kept = await panel.getByRole('textbox', { name: 'Idempotency-Key' }).inputValue();
  expect(kept).toMatch(/^[0-9a-f-]{36}$/);
  expect((await send(panel)).headers).toContain(`idempotency-key (sent) ${kept}`);
});

it.each([
  ['keys', 'createKey', 'all'],
  ['customers', 'createCustomer', 'read'],
])('the API refuses operations that the session does not allow: /docs/%s, %s', async (tag, id, scope) => {
  const page = await signedIn(`/docs/${tag}`, scope);
  const { outcome, body } = await send(await openPanel(page, id));
  expect([outcome.slice(0, 3), body.error_code]).toEqual(['403', 1010]);
});

it('a session that ended leads to the sign-in, with what was typed', async () => {
  const page = await signedIn('/docs/customers');
  const panel = await openPanel(page, 'createCustomer');
  await panel.getByRole('textbox', { name: 'Body' }).fill('{"name": "Ana"}');
  await page.context().clearCookies();
  expect((await send(panel)).outcome).toMatch(/^401 /);
  await panel.getByText('Your session has ended.').waitFor();
  expect(await panel.getByRole('textbox', { name: 'Body' }).inputValue()).toBe('{"name": "Ana"}');
});

it('production does not have it, because it would move real money', async () => {
  const read = async (origin: string) =>
    (await fetch(`${origin}/docs/customers`, { headers: { accept: 'text/html' } })).text();
  expect(await read(api.origin())).toContain('Try it');
  expect(await read(await api.startProduction())).not.toContain('Try it');
});

it.each(screens)('fits and is accessible on $name', async ({ name, ...options }) => {
  const page = await signedIn('/docs/plans', 'all', options);
  const check = async (state: string) => {
    expect([state, await overflowOf(page), ...(await seriousViolations(page))]).toEqual([state, 0]);
    const path = fromRoot(`screenshots/try-it-${state}-${name}.png`);
    if (process.env.SCREENSHOTS) await page.screenshot({ path });
  };
  const list = await openPanel(page, 'plans');
  await list.getByText('Optional query parameters').click();
  await list.scrollIntoViewIfNeeded();
  await check('parameters');
  await send(await openPanel(page, 'createPlan'));
  await panelOf(page, 'createPlan').scrollIntoViewIfNeeded();
  await check('created');
  await page.context().clearCookies();
  await openPanel(page, 'updatePlan');
  await page.getByText('to send this request to the sandbox').waitFor();
  await check('signed-out');
});
