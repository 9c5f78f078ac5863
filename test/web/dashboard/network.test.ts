/** The size of the first view, and the dashboard on a slow or failed network. */
import type { Page } from 'playwright-core';
import { testDashboard } from '../../harness/browser/dashboard';
import { testApi } from '../../harness/servers/api';
import { eventStreamIsOpen } from './eventStream';

const MAX_COMPRESSED_KB = 100;
const api = testApi();
const { payers, url, enter, visit, signIn } = testDashboard(api);
const { shop } = payers;

it('the dashboard loads less than 100 KB before the first view, compressed', async () => {
  const encoding = { 'accept-encoding': 'br', accept: 'text/html' };
  const answer = await fetch(url(), { headers: encoding });
  const html = await answer.text();
  const files = html.match(/\/pages\/\w+\/[\w.-]+/g) ?? [];
  const names = ['dashboard-chunk.js', 'dashboard.css', 'dashboard.js', 'icon.svg'];
  expect(files.map(file => file.split('/').at(-1)).sort()).toEqual(names);
  let bytes = Buffer.byteLength(html);
  for (const file of files) {
    const { headers } = await fetch(api.origin() + file, { headers: encoding });
    bytes += Number(headers.get('content-length'));
  }
  expect(bytes / 1024).toBeLessThan(MAX_COMPRESSED_KB);
});

/** Delays all responses until the returned function is called. */
async function holdAnswers(page: Page): Promise<() => void> {
  let answer = (): void => undefined;
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  await page.route('**/graphql', async route => {
    await held;
    await route.continue();
  });
  return answer;
}

it('the dashboard shows a skeleton while the network is slow, and then the contents', async () => {
  const page = await visit();
  const answer = await holdAnswers(page);
  await signIn(page);
  const skeleton = page.getByRole('status', { name: 'Loading' });
  await skeleton.waitFor();
  // The skeleton appears with a delay, so that fast responses cause no flicker.
  expect(await page.evaluate("getComputedStyle(document.querySelector('.skeleton')).animationDelay")).toBe('0.2s');
  answer();
  await page.getByRole('heading', { name: 'Collected today' }).waitFor();
  expect(await skeleton.count()).toBe(0);
});

it('the dashboard reports a failed network, keeps the contents, and refreshes by itself when the network is back', async () => {
  const page = await enter();
  const volume = page.getByRole('region', { name: 'Collected today' });
  await volume.waitFor();
  await page.getByRole('img', { name: 'Live', exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('No connection.').waitFor();
  expect(await volume.isVisible()).toBe(true);
  await shop.newCharge(await shop.newToken(), { amount: 654_300 });
  await page.context().setOffline(false);
  await volume.getByText('$ 654.300').first().waitFor();
  expect(await page.getByText('No connection.').count()).toBe(0);
});

it('the dashboard reports a failed request in its place, and retries on demand', async () => {
  const page = await visit();
  await page.route('**/graphql', route => route.abort());
  await signIn(page);
  await page.getByRole('alert').getByText('We could not reach the server. Try again.').waitFor();
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: 'Collected today' }).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

it('the dashboard reports on the sign-in page that the server cannot be reached', async () => {
  const page = await visit();
  await page.route('**/session', route => route.abort());
  await signIn(page);
  await page
    .getByRole('alert')
    .getByText('We could not reach the server. Check your connection and try again.')
    .waitFor();
  await page.unroute('**/session');
  await signIn(page);
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
});

it('the dashboard waits for a slow response despite new events, and sends one more request after it', async () => {
  const card = await shop.newToken();
  const page = await enter();
  await page.getByRole('img', { name: 'Live', exact: true }).waitFor();
  await eventStreamIsOpen(page);
  let answer = (): void => undefined;
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  const lost: string[] = [];
  const isList = (body: string | null): boolean => body?.includes('query Charges(') ?? false;
  page.on('requestfailed', request => isList(request.postData()) && lost.push(request.url()));
  await page.route('**/graphql', async route => {
    if (!isList(route.request().postData())) return route.continue();
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Developer tools' }).click();
  await page.getByRole('tab', { name: 'Events' }).click();
  const asked = page.waitForRequest(request => isList(request.postData()));
  await page.getByRole('link', { name: 'Charges', exact: true }).click();
  await asked;
  await shop.newCharge(card, { description: 'Meanwhile' });
  await page.getByText('charge.succeeded').first().waitFor();
  // Longer than events are batched. The duration does not matter if nothing is broken.
  await page.waitForTimeout(1000);
  expect(lost).toEqual([]);
  answer();
  await page.getByRole('table', { name: 'Charges' }).getByText('Meanwhile').waitFor();
});

it('the dashboard keeps the rows and the focus during a page change until the next rows arrive', async () => {
  for (let made = 0; made < 26; made++) await shop.newPlan({ name: `Plan ${made}` });
  const page = await enter('/plans');
  const table = page.getByRole('table', { name: 'Plans' });
  await table.getByText('Plan 25').waitFor();
  const answer = await holdAnswers(page);
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await page.getByRole('button', { name: 'Next' }).press('Enter');
  await page.waitForURL('**/plans?after=*');
  await page.locator('table[aria-busy=true]').waitFor();
  expect([await table.getByText('Plan 25').count(), await focused()]).toEqual([1, 'Next']);
  answer();
  await table.getByText('Plan 0', { exact: true }).waitFor();
  await page.locator('table[aria-busy=false]').waitFor();
  await page.locator('.pages button:focus').getByText('Previous').waitFor();
});
