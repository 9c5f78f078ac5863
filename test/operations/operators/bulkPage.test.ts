/** Bulk actions on the operator page: a preview, a confirmation, the progress and the report. */
import { fromRoot } from '../../../src/platform/root';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { operatorPage } from '../../harness/browser/operatorPage';
import { testPayers } from '../../harness/browser/payers';
import { eventually } from '../../harness/flow/until';
import { testOperators } from '../../harness/merchant/operators';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api, namespace } = billing;
const payers = testPayers(api);
const { keys } = testOperators(api);
const { enter } = operatorPage(api, payers);
const db = () => api.database.db();

let query: string;
const trials: TestSubscription[] = [];
beforeAll(async () => {
  const plan_id = await billing.newPlan({ trial_days: 1 });
  query = `PlanId = "${plan_id}"`;
  for (let i = 0; i < 2; i++) trials.push(await billing.subscribe('2040-01-10', { plan_id }));
  await eventually(async () => expect((await namespace.client().workflow.count(query)).count).toBe(2));
});
const ownBulks = () => db().bulkAction.findMany({ where: { query }, orderBy: { creation_date: 'asc' } });

it('a bulk action starts after its preview and a reason, and its report names the refusals', async () => {
  const [first] = trials;
  const page = await enter(keys.support.key, '/bulk');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('Enter a query to see what will happen.').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Start', exact: true });
  expect(await confirm.isDisabled()).toBe(true);
  expect(await dialog.getByLabel('Action').locator('option').allTextContents()).not.toContain('cancel');
  await dialog.getByLabel('Query').fill('Nothing here');
  await dialog.getByLabel('Reason').fill('Wrong prices');
  await dialog.getByText(/^Temporal refuses the query: /).waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Query').fill(query);
  await dialog.getByLabel('Per second, at most').selectOption('20');
  await dialog.getByText('The query finds 2 live subscriptions of sandbox now.').waitFor();
  await dialog.getByRole('link', { name: first?.id ?? '' }).waitFor();
  expect(await ownBulks()).toEqual([]);
  await confirm.click();

  await page.getByRole('heading', { name: 'Bulk action: hold billing' }).waitFor();
  await page.getByText('No subscription refused the action.').waitFor();
  await page.locator('.chip', { hasText: 'done' }).waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('2');
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  const [bulk] = await ownBulks();
  expect(bulk).toMatchObject({ action: 'hold', rate: 20, reason: 'Wrong prices', actor_id: keys.support.id, done: 2 });
  expect(new URL(page.url()).pathname).toBe(`/operator/bulk/${bulk?.id}`);

  await page.getByRole('link', { name: 'Bulk actions' }).click();
  await page.getByRole('row').filter({ hasText: query }).getByRole('link', { name: 'hold billing' }).waitFor();
});

it('a bulk action in progress is stopped on its page', async () => {
  const [, second] = trials;
  const target = { environment: 'sandbox', query: 'stopped on its page', reason: 'x', actor: 'operator' } as const;
  // No worker continues it before tomorrow.
  const again_at = new Date(Date.now() + 86_400_000);
  const data = {
    ...target,
    id: 'j000000000000000stop',
    action: 'cancel',
    rate: 1,
    state: 'running',
    found: 1,
    again_at,
  };
  await db().bulkAction.create({ data: { ...data, items: { create: { subscription_id: second?.id ?? '' } } } });
  const readOnly = await enter(keys.read.key, `/bulk/${data.id}`);
  await readOnly.locator('.chip', { hasText: 'in progress' }).waitFor();
  expect(await readOnly.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  const page = await enter(keys.support.key, `/bulk/${data.id}`);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('dialog[open]').getByRole('button', { name: 'Stop' }).click();
  await page.locator('.chip', { hasText: 'stopped' }).waitFor();
  expect(await second?.read()).toMatchObject({ status: 'trial' });
});

it('the pages are available in Spanish', async () => {
  const page = await enter(keys.admin.key, '/bulk', { locale: 'es-CO' });
  await page.getByRole('heading', { name: 'Acciones masivas' }).waitFor();
  await page.getByRole('button', { name: 'Empezar' }).click();
  const dialog = page.locator('dialog[open]');
  expect(await dialog.getByLabel('Acción').locator('option').allTextContents()).toContain('cancelar');
  await dialog.getByLabel('Consulta').fill(query);
  await dialog.getByLabel('Motivo').fill('Precios');
  await dialog.getByText('La consulta encuentra ahora 2 suscripciones vivas de sandbox.').waitFor();
});

it.each(screens)('the pages fit and are accessible on $name', async ({ name, ...options }) => {
  const page = await enter(keys.admin.key, '/bulk', options);
  const check = async (picture: string): Promise<void> => {
    const path = fromRoot(`screenshots/operator-${picture}-${name}.png`);
    if (process.env.SCREENSHOTS) await page.screenshot({ path, fullPage: true });
    expect([picture, await overflowOf(page), ...(await seriousViolations(page))]).toEqual([picture, 0]);
  };
  await page.getByRole('row').filter({ hasText: query }).waitFor();
  await check('bulk');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('dialog[open]').getByLabel('Query').fill(query);
  await page.locator('dialog[open]').getByLabel('Reason').fill('Wrong prices');
  await page.locator('dialog[open] .steps li').first().waitFor();
  await check('bulk-start');
  const [bulk] = await ownBulks();
  await page.goto(`${api.origin()}/operator/bulk/${bulk?.id}`);
  await page.getByRole('progressbar').waitFor();
  await check('bulk-report');
});
