/** "Show query" is available for every value, and its query returns only this value. */
import type { Page } from 'playwright-core';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testDashboard } from '../../harness/browser/dashboard';
import { answerOf, run } from '../../harness/browser/explorer';
import { until } from '../../harness/flow/until';
import { testSettlements } from '../../harness/merchant/settlements';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const { payers, enter, url } = testDashboard(api);
const { settle, item } = testSettlements(api);
const { shop } = payers;
const mark = (page: Page, name: string) => page.getByRole('button', { name: `Show query: ${name}`, exact: true });
const shown = (page: Page) => page.locator('.of-figure');

/** Sends the query in the drawer to the API with the private key, as a developer would. */
async function answerTo(page: Page) {
  const [query = '', variables = '{}'] = await shown(page).locator('pre').allTextContents();
  const { body } = await api.graphql(query, JSON.parse(variables));
  // This shop has no request to go live, which is an error that the screen expects.
  const { liveRequest: _, ...data } = body.data;
  const errors = (body.errors ?? []).filter(({ path }: { path: string[] }) => path[0] !== 'liveRequest');
  expect([query, errors]).toEqual([query, []]);
  return { query, data };
}

const paths: string[] = ['', '/charges?status=completed', '/customers', '/subscriptions', '/plans', '/fees'];
beforeAll(async () => {
  const customer = await shop.newCustomer();
  const source_id = await shop.newCard(`/customers/${customer}/cards`);
  const plan_id = await shop.newPlan({ name: 'Mensual' });
  const { id } = (await shop.post(`/customers/${customer}/subscriptions`, { plan_id, source_id })).body;
  await shop.post(`/customers/${customer}/charges`, { ...shop.charge, source_id });
  const fee = (await shop.post('/fees', { customer_id: customer, amount: 10, description: 'Fee' })).body.id;
  const charge = await shop.newCharge(await shop.newCard(), { amount: 1_234_567 });
  await shop.post(`/charges/${charge}/refund`, { amount: 10 });
  await settle([item(`${charge}-charge`, 1_234_567)]);
  const [settlement] = (await api.rest('GET', '/settlements')).body;
  const webhook = (await shop.post('/webhooks', { url: 'https://shop.example/hook' })).body.id;
  paths.push(`/customers/${customer}`, `/plans/${plan_id}`, `/subscriptions/${id}`, `/charges/${charge}`);
  paths.push(
    `/fees/${fee}`,
    `/settlements/${settlement.id}`,
    `/webhooks/${webhook}`,
    `/webhooks/${webhook}/deliveries`,
  );
  paths.push('/webhooks', '/events', '/settlements', '/statement', '/payouts', '/keys', '/keys/sessions', '/fraud');
  const [event] = (await api.rest('GET', '/events?limit=1')).body;
  paths.push('/audit', '/settings', `/events/${event.id}`);
});

it('every button on every screen shows a specific query that the API answers', async () => {
  const page = await enter();
  for (const path of paths) {
    await page.goto(url(path));
    const marks = page.locator('main .show-query');
    await marks.first().waitFor();
    await page.waitForSelector('.skeleton', { state: 'detached' });
    const seen = new Set<string>();
    for (const one of await marks.all()) {
      // The drawer may cover the button by now.
      await one.dispatchEvent('click');
      const name = (await one.getAttribute('aria-label'))?.replace('Show query: ', '');
      await shown(page)
        .getByRole('heading', { name: `Query of “${name}”`, exact: true })
        .waitFor();
      const { query, data } = await answerTo(page);
      expect([path, name, ...Object.values(data)]).not.toContain(null);
      expect([path, name, seen.has(query)]).toEqual([path, name, false]);
      seen.add(query);
    }
  }
});

it('the query of the amount collected today returns the days, and nothing else of the screen', async () => {
  const page = await enter();
  await mark(page, 'Collected today').click();
  const { data } = await answerTo(page);
  expect(Object.keys(data)).toEqual(['stats']);
  expect(Object.keys(data.stats)).toEqual(['days']);
  const { volume } = data.stats.days.at(-1);
  expect(volume).toBeGreaterThanOrEqual(1_234_567);
  const card = page.getByRole('region', { name: 'Collected today', exact: true });
  await card
    .getByText(`$ ${volume.toLocaleString('es-CO')}`)
    .first()
    .waitFor();
});

it('the query of a fraud rule dry run returns the charges that the rule would have refused', async () => {
  const page = await enter('/fraud/new');
  await page.getByLabel('Name').fill('five_in_an_hour');
  await page.getByRole('button', { name: 'Test with your charges' }).click();
  await mark(page, 'Charges it would have declined').click();
  const { data } = await answerTo(page);
  expect(Object.keys(data)).toEqual(['dryRunFraudRule']);
  expect(data.dryRunFraudRule).toMatchObject({ evaluated: expect.any(Number), refused: 0, charges: { nodes: [] } });
});

it('the query of a row count includes the filters of the list, and opens in the explorer', async () => {
  const page = await enter('/charges?status=failed,completed&amount=1000000..');
  await mark(page, 'Number of rows').click();
  const [query = '', variables = ''] = await shown(page).locator('pre').allTextContents();
  expect(query).not.toContain('edges');
  expect(JSON.parse(variables)).toEqual({ status: ['failed', 'completed'], least: '1000000', first: 25 });
  const [explorer] = await Promise.all([
    page.context().waitForEvent('page'),
    shown(page).getByRole('link', { name: 'Open in the explorer' }).click(),
  ]);
  await explorer.getByRole('tab', { name: 'Charges', selected: true }).waitFor();
  await run(explorer);
  await until(async () => (await answerOf(explorer)).includes('"totalCount"'));
  expect(JSON.parse(await answerOf(explorer)).data.charges).toEqual({
    totalCount: 1,
    totalCountIsExact: true,
  });
});

it('Show query is available by keyboard, and restores the focus', async () => {
  const page = await enter();
  await page.getByRole('link', { name: 'Collected today' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await shown(page).getByRole('heading', { name: 'Query of “Collected today”' }).waitFor();
  // The drawer handles keys when it has the focus.
  await page.locator('.drawer :focus').waitFor();
  await page.keyboard.press('Escape');
  await shown(page).waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.title')).toBe('Show query');
});

it.each(screens)('Show query fits and is accessible on $name', async ({ viewport, colorScheme }) => {
  const page = await enter('', { viewport, colorScheme });
  await mark(page, 'Past due').click();
  await shown(page).waitFor();
  expect([await overflowOf(page), await seriousViolations(page)]).toEqual([0, []]);
});
