/** The developer drawer: requests of a screen, live events, and deliveries. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testDashboard } from '../../harness/browser/dashboard';
import { answerOf, run } from '../../harness/browser/explorer';
import { until } from '../../harness/flow/until';
import { testApi } from '../../harness/servers/api';
import { eventStreamIsOpen } from './eventStream';

const api = testApi();
const { payers, enter, visit, signIn } = testDashboard(api);
const { shop } = payers;

const openDrawer = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { name: 'Collected today' }).waitFor();
  await page.getByRole('button', { name: 'Developer tools' }).click();
  await page.getByRole('complementary', { name: 'Developer tools' }).waitFor();
};
/** Opens another screen first: every screen requests the shop's name, and this response may arrive last. */
const withDrawer = async (): Promise<Page> => {
  const page = await enter('/nowhere');
  await page.getByTitle('Account').getByText('Tienda').waitFor();
  await page.getByRole('link', { name: 'Go to Today' }).click();
  await openDrawer(page);
  return page;
};

describe('the requests of a screen', () => {
  it('as curl, run in a shell, return the displayed values', async () => {
    await shop.newCharge(await shop.newToken(), { amount: 77_700 });
    const page = await withDrawer();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).first().click();
    await page.getByText('Copied. Set PRIVATE_KEY').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const { private_key: PRIVATE_KEY } = api.merchants().own;
    expect(command).not.toContain(PRIVATE_KEY);
    const env = { ...process.env, PRIVATE_KEY };
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s`], { env });
    const { volume } = JSON.parse(stdout).data.stats.days.at(-1);
    expect(volume).toBeGreaterThanOrEqual(77_700);
    await page
      .getByRole('region', { name: 'Collected today' })
      .getByText(`$ ${volume.toLocaleString('es-CO')}`)
      .first()
      .waitFor();
  });

  it('open unchanged in the explorer, with their variables, and run there', async () => {
    const page = await withDrawer();
    const [explorer] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open in the explorer' }).first().click(),
    ]);
    await explorer.getByRole('tab', { name: 'Today', selected: true }).waitFor();
    expect(explorer.url()).toBe(`${api.origin()}/graphql`);
    await run(explorer);
    await until(async () => (await answerOf(explorer)).includes('"renewals_today"'));
  });

  it('are listed for the current screen first, and for earlier screens below', async () => {
    const page = await enter();
    await openDrawer(page);
    const entry = page.getByRole('tabpanel').getByText('Today', { exact: true });
    await entry.waitFor();
    await page.getByRole('link', { name: 'Plans' }).click();
    await page.getByRole('heading', { name: 'Other screens' }).waitFor();
  });
});

it('the drawer shows events as they occur, with their JSON', async () => {
  const page = await withDrawer();
  await page.getByRole('img', { name: 'Live', exact: true }).waitFor();
  await eventStreamIsOpen(page);
  await page.getByRole('tab', { name: 'Queries' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('Events appear here').waitFor();
  const id = await shop.newCharge(await shop.newToken(), { amount: 43_210 });
  await page.getByText('charge.succeeded').click();
  const json = page.getByRole('tabpanel').locator('pre');
  await json.getByText('43210').waitFor();
  expect(JSON.parse((await json.textContent()) ?? '')).toMatchObject({
    type: 'charge.succeeded',
    object_id: id,
    object: { amount: 43_210, transaction_status: 'completed' },
  });
});

describe('webhook deliveries', () => {
  let webhook: string;
  const statuses = async (): Promise<string[]> =>
    (await api.rest('GET', `/webhooks/${webhook}/deliveries`)).body.map(({ status }: { status: string }) => status);
  beforeAll(async () => {
    const db = api.database.db();
    webhook = (await shop.post('/webhooks', { url: 'https://shop.example/hook' })).body.id;
    await db.webhook.update({ where: { id: webhook }, data: { status: 'verified' } });
    await shop.newCharge(await shop.newToken());
    await db.delivery.updateMany({ where: { webhook_id: webhook }, data: { status: 'failed', attempts: 1 } });
  });

  it('are shown with their requests, and can be redelivered', async () => {
    const page = await withDrawer();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.getByText('charge.succeeded').first().click();
    await page.getByRole('tabpanel').locator('pre').getByText('"type": "charge.succeeded"').first().waitFor();
    const before = await statuses();
    const again = page.getByRole('button', { name: 'Resend' });
    const keys: (string | undefined)[] = [];
    await page.route('**/graphql', async route => {
      const key = route.request().headers()['idempotency-key'];
      if (!key) return route.continue();
      keys.push(key);
      // The first response is lost: a retry repeats the same request.
      if (keys.length > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await again.click();
    await page.getByText('We could not reach the server. Try again.').waitFor();
    await again.click();
    await page.getByText('The event is being resent.').waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect((await statuses()).filter(status => status === 'pending')).toHaveLength(
      before.filter(status => status === 'pending').length + 1,
    );
  });

  it('are read-only in a read-only session', async () => {
    const page = await visit();
    await page.getByRole('checkbox', { name: 'Read only' }).check();
    await signIn(page);
    await openDrawer(page);
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.getByText('charge.succeeded').first().click();
    await page.getByRole('tabpanel').locator('pre').getByText('"type": "charge.succeeded"').first().waitFor();
    expect(await page.getByRole('button', { name: 'Resend' }).count()).toBe(0);
  });
});

it.each(screens)('the drawer fits and is accessible on $name', async ({ name, viewport, colorScheme }) => {
  const page = await enter('', { viewport, colorScheme });
  if (name.includes('phone')) await page.getByTitle('Account').click();
  await openDrawer(page);
  for (const part of ['Queries', 'Events', 'Deliveries']) {
    await page.getByRole('tab', { name: part }).click();
    expect([part, await overflowOf(page), await seriousViolations(page)]).toEqual([part, 0, []]);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Developer tools' }).waitFor({ state: 'detached' });
});
