/** The pages below `/operator` in a browser: merchants, requests for production access, timelines, and changes. */
import type { Page } from 'playwright-core';

import { fromRoot } from '../../../src/platform/root';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { operatorPage } from '../../harness/browser/operatorPage';
import { testPayers } from '../../harness/browser/payers';
import { eventually } from '../../harness/flow/until';
import { testOperators } from '../../harness/merchant/operators';
import { testBilling } from '../../harness/merchant/subscriptions';

const temporalUi = 'http://temporal.test';
const billing = testBilling({ ownWorld: true, neighbours: { temporalUi } });
const { api, shop } = billing;
const payers = testPayers(api);
const { keys, operate, newMerchant, requestLive } = testOperators(api);
const { enter, act } = operatorPage(api, payers);
const db = () => api.database.db();

const newTrial = () => billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
const audited = (object_id: string) =>
  db().auditEntry.findMany({
    where: { object_id, actor_id: keys.support.id },
    orderBy: { id: 'asc' },
    select: { action: true, after: true },
  });
const newRequest = async (): Promise<string> =>
  (await requestLive((await newMerchant()).private_key)).body.data.requestLive.id;

const ofPage = () => ({ origin: api.origin(), 'sec-fetch-site': 'same-origin' });
/** The status of a hold that is sent with the session of the page. */
async function holdFromPage(page: Page, id: string, headers: Record<string, string> = ofPage()): Promise<number> {
  const [cookie] = await page.context().cookies();
  const credentials = { authorization: 'Session operator', cookie: `operator=${cookie?.value}` };
  const body = JSON.stringify({ query: `mutation { holdBilling(id: "${id}", reason: "x") { id } }` });
  return (
    await fetch(`${api.origin()}/operator/graphql`, { method: 'POST', headers: { ...credentials, ...headers }, body })
  ).status;
}

it('a subscription is found by its ID, and held and released with the previewed steps', async () => {
  const { id } = await newTrial();
  const page = await enter(keys.support.key);
  await page.getByRole('searchbox').fill(id);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Subscription' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/operator/story/${id}`);
  const workflow = page.getByRole('link', { name: `subscription-${id}` });
  expect(await workflow.getAttribute('href')).toBe(
    `${temporalUi}/namespaces/${billing.namespace.name()}/workflows/subscription-${id}`,
  );
  await page.getByText(/subscription\.created of/).waitFor();

  const steps = await act(page, 'Hold billing', 'Wrong prices');
  expect(steps[0]).toBe(`Billing of the subscription ${id} is held until an operator releases it.`);
  await page.getByText('Billing is on hold').waitFor();
  await act(page, 'Release billing', 'Prices corrected');
  await page.getByRole('button', { name: 'Hold billing' }).waitFor();
  expect(await audited(id)).toMatchObject([
    { action: 'billing.held', after: { reason: 'Wrong prices' } },
    { action: 'billing.released', after: { reason: 'Prices corrected' } },
  ]);
});

it('a workflow is restarted, and nothing happens before the reason is confirmed', async () => {
  const subscription = await newTrial();
  const { runId } = await eventually(() => subscription.workflow().describe());
  const page = await enter(keys.support.key, `/story/${subscription.id}`);
  await page.getByRole('button', { name: 'Rebuild the workflow' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('is terminated').waitFor();
  await dialog.getByRole('button', { name: 'Rebuild the workflow' }).click();
  await dialog.locator('textarea:invalid:focus').waitFor();
  await dialog.getByRole('button', { name: 'Back' }).click();
  expect((await subscription.workflow().describe()).runId).toBe(runId);
  await act(page, 'Rebuild the workflow', 'It fails');
  await eventually(async () => expect((await subscription.workflow().describe()).runId).not.toBe(runId));
  expect(await audited(subscription.id)).toMatchObject([{ action: 'subscription.rebuilt' }]);
});

it('a merchant is found by name, suspended and resumed, and links to its objects', async () => {
  const { id } = await newMerchant('Flores de Ana');
  const page = await enter(keys.support.key, '/merchants');
  await page.getByRole('searchbox').last().fill('flores de');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Flores de Ana' }).click();
  await page.getByRole('heading', { name: 'Flores de Ana' }).waitFor();
  await act(page, 'Suspend', 'Too many chargebacks');
  await page.getByText('Too many chargebacks').first().waitFor();
  await act(page, 'Resume', 'Chargebacks explained');
  await page.getByRole('button', { name: 'Suspend' }).waitFor();
  expect(await audited(id)).toMatchObject([
    { action: 'merchant.suspended', after: { reason: 'Too many chargebacks' } },
    { action: 'merchant.resumed', after: { reason: 'Chargebacks explained' } },
  ]);

  const charge = await shop.newCharge(await shop.newToken());
  const own = await enter(keys.read.key, `/merchants/${api.merchants().own.id}`);
  await own.getByRole('link', { name: charge }).click();
  await own.getByRole('heading', { name: 'Transaction' }).waitFor();
  await own.getByText(/approved, authorization/).waitFor();
});

it('a request for production access is returned by support, and approved by an admin', async () => {
  const [returned, approved, refused] = [await newRequest(), await newRequest(), await newRequest()];
  const page = await enter(keys.support.key, '/requests');
  await page.locator(`a[href$="${returned}"]`).click();
  await page.getByText('Only an operator with the role admin can approve it').waitFor();
  await act(page, 'Return', 'Which bank is it?');
  await page.getByText('Which bank is it?').waitFor();
  const admin = await enter(keys.admin.key, `/requests/${approved}`);
  await act(admin, 'Approve', 'Documents verified');
  await admin.getByText('Production merchant').waitFor();
  const other = await enter(keys.support.key, `/requests/${refused}`);
  await act(other, 'Reject', 'Not a business that we serve');
  await other.getByText('Not a business that we serve').waitFor();
  expect(
    await db().liveRequest.findMany({
      where: { id: { in: [returned, approved, refused] } },
      orderBy: { creation_date: 'asc' },
      select: { status: true },
    }),
  ).toEqual([{ status: 'returned' }, { status: 'approved' }, { status: 'refused' }]);
  const entry = await db().auditEntry.findFirstOrThrow({ where: { action: 'live_request.approved' } });
  expect(entry).toMatchObject({ actor_id: keys.admin.id, after: { reason: 'Documents verified' } });
});

it('an operator with the role read has no buttons for changes, which its session cannot make either', async () => {
  const { id } = await newTrial();
  const request = await newRequest();
  for (const path of [`/story/${id}`, `/merchants/${api.merchants().own.id}`, `/requests/${request}`]) {
    const page = await enter(keys.read.key, path);
    expect(
      await page
        .locator('main button')
        .filter({ hasNotText: /^(Refresh|Copy)/ })
        .allTextContents(),
    ).toEqual([]);
  }
  const page = await enter(keys.read.key);
  expect(await holdFromPage(page, id)).toBe(403);
  expect(await db().billingHold.count({ where: { object_id: id } })).toBe(0);
});

it('the session of the page can write only from the page itself', async () => {
  const page = await enter(keys.support.key);
  const { id } = await newTrial();
  const status = (headers: Record<string, string>) => holdFromPage(page, id, headers);
  expect(await status({})).toBe(403);
  expect(await status({ origin: 'https://elsewhere.test' })).toBe(403);
  expect(await status({ origin: api.origin(), 'sec-fetch-site': 'same-site' })).toBe(403);
  expect(await db().billingHold.count({ where: { object_id: id } })).toBe(0);
  expect(await status(ofPage())).toBe(200);
  expect(await db().billingHold.count({ where: { object_id: id } })).toBe(1);
});

it.each(screens)('the pages meet the accessibility rules on $name', async ({ name, viewport, colorScheme }) => {
  const { id } = await newTrial();
  const request = await newRequest();
  const own = api.merchants().own.id;
  await shop.newCharge(await shop.newToken());
  const check = async (page: Awaited<ReturnType<typeof enter>>, picture: string): Promise<void> => {
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: fromRoot(`screenshots/operator-${picture}-${name}.png`), fullPage: true });
    expect([picture, await seriousViolations(page)]).toEqual([picture, []]);
    expect([picture, await overflowOf(page)]).toEqual([picture, expect.any(Number)]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  };
  const page = await enter(keys.admin.key, '', { viewport, colorScheme });
  const show = async (path: string, heading: string): Promise<void> => {
    await page.goto(`${api.origin()}/operator${path}`);
    await page.getByRole('heading', { name: heading }).first().waitFor();
  };
  await check(page, 'status');
  await show('/overdue', 'Overdue work');
  await check(page, 'overdue');
  await show('/merchants', 'Merchants');
  await page.getByRole('link', { name: own }).waitFor();
  await check(page, 'merchants');
  await show(`/merchants/${own}`, 'Recent charges');
  await check(page, 'merchant');
  await show('/requests', 'Requests for production access');
  await page.locator(`a[href$="${request}"]`).waitFor();
  await check(page, 'requests');
  await show(`/requests/${request}`, 'Legal representative');
  await check(page, 'request');
  await show(`/story/${id}`, 'Timeline');
  await check(page, 'story');
  await page.getByRole('button', { name: 'Hold billing' }).click();
  await page.locator('dialog[open] .steps li').first().waitFor();
  await check(page, 'hold');
});

it('overdue work is listed with what it waits for', async () => {
  const { id } = await newTrial();
  await operate('support', `mutation { holdBilling(id: "${id}", reason: "Wrong prices") { id } }`);
  await db().subscription.update({ where: { id }, data: { due_at: new Date(Date.now() - 3_600_000) } });
  const page = await enter(keys.read.key, '/overdue');
  const row = page.getByRole('row').filter({ hasText: id });
  await row.getByText('an operator to release the billing hold, or its end').waitFor();
  await row.getByText('Wrong prices').waitFor();
  await row.getByRole('link', { name: id }).click();
  await page.getByRole('heading', { name: 'Subscription' }).waitFor();
});

it('the pages are available in Spanish', async () => {
  const { id } = await newTrial();
  const page = await enter(keys.support.key, `/story/${id}`, { locale: 'es-CO' });
  await page.getByRole('heading', { name: 'Suscripción' }).waitFor();
  await page.getByText(new RegExp(`^${id} está trial, período \\d+, vence .*, sigue: El \\d{4}-`)).waitFor();
  await page.getByText(`subscription.created de ${id}`).waitFor();
  await page.getByRole('button', { name: 'Detener cobros' }).click();
  await page.locator('dialog[open]').getByText(`Los cobros automáticos de la suscripción ${id} se detienen`).waitFor();
});
