/** Fees, reserves, payouts and drains on the operator page: previewed, with a reason, a permission and an audit entry. */
import type { Page } from 'playwright-core';
import { newId } from '../../../src/platform/identifiers';
import { fromRoot } from '../../../src/platform/root';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { operatorPage } from '../../harness/browser/operatorPage';
import { testPayers } from '../../harness/browser/payers';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testOperators } from '../../harness/merchant/operators';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi({ ownWorld: true });
const payers = testPayers(api);
const shop = merchantCalls(api);
const { keys, operate } = testOperators(api);
const { enter } = operatorPage(api, payers);
const db = () => api.database.db();

beforeAll(async () => {
  const bank_account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
  expect((await api.rest('PUT', '', { body: { bank_account } })).status).toBe(200);
  await shop.newCharge(await shop.newCard(), { amount: 1_000_000 });
  await shop.settle();
});

const own = () => api.merchants().own.id;
const account = () =>
  operate('read', 'query ($id: ID!) { merchantAccount(id: $id) { cost_rate cost_fixed reserve available } }', {
    id: own(),
  });
const latest = (action: string) =>
  db().auditEntry.findFirst({
    where: { action },
    orderBy: { id: 'desc' },
    select: { actor_id: true, before: true, after: true },
  });

/** Opens the dialog, and returns it with its steps once they contain the text. */
async function open(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).first().click();
  const dialog = page.locator('dialog[open]');
  await dialog.locator('.steps li').first().waitFor();
  return dialog;
}
type Dialog = Awaited<ReturnType<typeof open>>;
async function fill(dialog: Dialog, values: Record<string, string>, step: string): Promise<void> {
  for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByLabel('Reason').fill('Agreed by phone');
  await dialog.getByText(step).waitFor();
}
async function confirm(dialog: Dialog, name: string): Promise<void> {
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

it('an admin changes the fee per charge after seeing both values', async () => {
  const before = await account();
  const page = await enter(keys.admin.key, `/merchants/${own()}`);
  const dialog = await open(page, 'Change the fee');
  expect(await dialog.getByLabel('Percentage of the amount').inputValue()).toBe(String(before.cost_rate));
  await fill(dialog, { 'Percentage of the amount': '1.5', 'Fixed amount': '1200' }, '1,5 % + $ 1.200 after the change');
  await confirm(dialog, 'Change the fee');
  await page.getByText('The fee was changed').waitFor();
  expect(await account()).toMatchObject({ cost_rate: 1.5, cost_fixed: 1200 });
  expect(await latest('merchant.costs_changed')).toEqual({
    actor_id: keys.admin.id,
    before: { rate: before.cost_rate, fixed: before.cost_fixed },
    after: { rate: 1.5, fixed: 1200, reason: 'Agreed by phone' },
  });
});

it('an admin changes the reserve, and pays out what remains', async () => {
  const { available } = await account();
  const page = await enter(keys.admin.key, `/merchants/${own()}`);
  const reserve = await open(page, 'Change the reserve');
  await fill(reserve, { Reserve: '300000' }, '$ 300.000 after the change');
  await confirm(reserve, 'Change the reserve');
  expect(await latest('merchant.reserve_changed')).toMatchObject({ after: { reserve: 300_000 } });
  await page.getByText('The reserve was changed').waitFor();
  expect((await account()).available).toBe(available - 300_000);

  const pay = await open(page, 'Pay out');
  await fill(pay, { Amount: String(available) }, 'The payout is more than the available balance');
  expect(await pay.getByRole('button', { name: 'Pay out' }).isDisabled()).toBe(true);
  await fill(
    pay,
    { Amount: '50000', Description: 'Sales' },
    '$ 50.000 is sent to the bank account of Tienda at Bancolombia that ends in 8901.',
  );
  await confirm(pay, 'Pay out');
  const payout = await db().transaction.findFirstOrThrow({ where: { merchant_id: own(), transaction_type: 'payout' } });
  expect(payout).toMatchObject({ amount: 5_000_000n, description: 'Sales' });
  expect(await latest('payout.created')).toMatchObject({ after: { amount: 50_000, reason: 'Agreed by phone' } });
});

it('the Enter key does not confirm an amount whose steps are not shown', async () => {
  const page = await enter(keys.admin.key, `/merchants/${own()}`);
  let sent = 0;
  page.on('request', request => {
    if (request.postData()?.includes('payMerchant(')) sent++;
  });
  const dialog = await open(page, 'Pay out');
  await dialog.getByLabel('Reason').fill('Agreed by phone');
  await dialog.getByLabel('Amount').fill('1000');
  await dialog.getByLabel('Amount').press('Enter');
  await dialog.getByText('$ 1.000 is sent').waitFor();
  expect(sent).toBe(0);
  await dialog.getByLabel('Amount').press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  expect(sent).toBe(1);
});

it('support drains a worker, and neither changes money nor sees its buttons', async () => {
  const worker = { id: newId('worker'), environment: null, host: 'worker-9', pid: 7, build: '1.2.3+abcdef01' };
  const beat_at = new Date(Date.now() + 3_600_000);
  await db().workerProcess.create({ data: { ...worker, started_at: new Date(), beat_at } });
  const page = await enter(keys.support.key);
  const row = page.getByRole('row').filter({ hasText: 'worker-9' });
  await row.getByRole('button', { name: 'Drain' }).click();
  const dialog = page.locator('dialog[open]');
  await fill(dialog, {}, 'The worker stops accepting work within seconds');
  await confirm(dialog, 'Drain');
  await row.getByText('draining').waitFor();
  expect(await row.getByRole('button').count()).toBe(0);
  expect((await db().workerProcess.findUniqueOrThrow({ where: { id: worker.id } })).drain_asked_at).not.toBeNull();
  expect(await latest('worker.drained')).toMatchObject({
    actor_id: keys.support.id,
    after: { reason: 'Agreed by phone' },
  });

  await page.goto(`${api.origin()}/operator/merchants/${own()}`);
  await page.getByRole('button', { name: 'Suspend' }).waitFor();
  for (const name of ['Change the fee', 'Change the reserve', 'Pay out'])
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
});

it('a drain requires the role support, and names an unknown worker', async () => {
  const drain = 'mutation ($id: ID!) { drainWorkers(id: $id, reason: "Upgrade") { ids } }';
  expect(errorOf(await operate('read', drain, { id: 'all' }))).toBe(1010);
  expect(errorOf(await operate('support', drain, { id: 'o0' }))).toBe(1005);
});

it('the previews are in Spanish on a page in Spanish', async () => {
  const page = await enter(keys.admin.key, `/merchants/${own()}`, { locale: 'es-CO' });
  await page.getByRole('button', { name: 'Desembolsar' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText(/^Hay \$\s[\d.,]+ disponibles para desembolsos\.$/).waitFor();
  await dialog.getByLabel('Valor').fill('1000');
  await dialog.getByLabel('Motivo').fill('Ventas');
  await dialog
    .getByText('Se envían $ 1.000 a la cuenta de Tienda en Bancolombia que termina en 8901.', { exact: true })
    .waitFor();
});

it.each(screens)('the dialogs fit and are accessible on $name', async ({ name, ...options }) => {
  const page = await enter(keys.admin.key, `/merchants/${own()}`, options);
  for (const action of ['Change the fee', 'Pay out']) {
    const dialog = await open(page, action);
    expect([action, await overflowOf(page), ...(await seriousViolations(page))]).toEqual([action, 0]);
    const path = fromRoot(`screenshots/operator-${action.replaceAll(' ', '-')}-${name}.png`);
    if (process.env.SCREENSHOTS) await page.screenshot({ path });
    await dialog.getByRole('button', { name: 'Back' }).click();
  }
});
