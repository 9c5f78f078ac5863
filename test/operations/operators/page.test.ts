/** `/operator` in a browser: access, contents, and updates while it is open. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suspendMerchant } from '../../../src/accounts/merchants/suspension';
import { revokeOperatorKey } from '../../../src/operations/operators/keys';
import { newId } from '../../../src/platform/identifiers';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { sizes, testPayers } from '../../harness/browser/payers';
import { eventually } from '../../harness/flow/until';
import { testOperators } from '../../harness/merchant/operators';
import { testApi } from '../../harness/servers/api';

const api = testApi({ ownWorld: true });
const payers = testPayers(api);
const { keys, operate } = testOperators(api);
const db = () => api.database.db();
const by = { actor: { kind: 'operator', id: 'test' } } as const;
const STORED = 'JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie';

const visit = (options: BrowserContextOptions = {}): Promise<Page> =>
  payers.open(`${api.origin()}/operator`, { locale: 'en', viewport: sizes.desktop, ...options });
const signIn = async (page: Page, key: string): Promise<void> => {
  await page.fill('#operator-key', key);
  await page.press('#operator-key', 'Enter');
};
const enter = async (options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await visit(options);
  await signIn(page, keys.read.key);
  await page.waitForSelector('.verdict');
  return page;
};

/** Live workers of both environments, and one audit without differences. */
async function removeProblems(): Promise<void> {
  const worker = { host: 'worker-1', pid: 4242, build: '1.2.3+abcdef01', started_at: new Date() };
  // For the duration of the test.
  const beat_at = new Date(Date.now() + 3_600_000);
  await db().workerProcess.deleteMany();
  await db().workerProcess.create({ data: { id: newId('worker'), environment: null, ...worker, beat_at } });
  await db().audit.deleteMany();
  await db().audit.create({ data: { scope: 'sandbox', name: 'periods_are_collected', checks: 12, differences: 0 } });
}
beforeEach(removeProblems);

it('the page accepts the key of an operator without storing it, and refuses keys of merchants and unknown keys', async () => {
  const page = await visit();
  await signIn(page, `ok_${'0'.repeat(32)}`);
  await page.getByRole('alert').getByText('The key is not valid').waitFor();
  await signIn(page, api.merchants().own.private_key);
  await page.getByRole('alert').getByText('The key belongs to a merchant').waitFor();
  await signIn(page, keys.read.key);
  await page.getByRole('heading', { name: 'No alerts' }).waitFor();
  // The title is set after the page was painted.
  await eventually(async () => expect(await page.title()).toBe('✓ No alerts – recaudo'));
  expect(await page.evaluate(STORED)).not.toContain('ok_');
  await page.reload();
  await page.getByRole('heading', { name: 'No alerts' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForSelector('#operator-key');
  await page.reload();
  await page.waitForSelector('#operator-key');
});

it('the page shows a new problem and its end without a reload', async () => {
  const page = await enter();
  await page.getByRole('heading', { name: 'No alerts' }).waitFor();
  await db().audit.create({
    data: {
      scope: 'sandbox',
      name: 'subscriptions_have_workflows',
      checks: 9,
      differences: 2,
      examples: ['s1 is active and has no open workflow'],
    },
  });
  await db().outbox.create({
    data: { kind: 'payment_mail', object_id: 't1', environment: 'sandbox', tries: 5, creation_date: new Date(0) },
  });
  await page.getByRole('heading', { name: '2 alerts' }).waitFor();
  const problems = await page.locator('.verdict li').allTextContents();
  expect(problems.join('\n')).toMatch(/outbox has had pending rows for \d+ d/);
  expect(problems.join('\n')).toContain('Sandbox: 2 differences: Every active subscription has an open workflow');
  await page.getByText('s1 is active and has no open workflow').waitFor();
  await db().outbox.deleteMany();
  await removeProblems();
  await page.getByRole('heading', { name: 'No alerts' }).waitFor();
});

it('one cause is one alert, with its consequences and what to do', async () => {
  await db().workerProcess.updateMany({ data: { beat_at: new Date(Date.now() - 60_000) } });
  await db().outbox.create({
    data: { kind: 'payment_mail', object_id: 't2', environment: 'sandbox', tries: 5, creation_date: new Date(0) },
  });
  const page = await enter();
  await page.getByRole('heading', { name: '1 alert' }).waitFor();
  const alert = page.locator('.verdict');
  await alert.getByText('Sandbox, Production: no active workers; there are no renewals or deliveries').waitFor();
  const consequences = await alert.locator('.consequences li').allTextContents();
  expect(consequences[0]).toMatch(/^A worker on worker-1 has sent no heartbeat for 1 min$/);
  expect(consequences[1]).toMatch(/^Sandbox: the outbox has had pending rows for \d+ d$/);
  await alert.getByText('To do: start a worker (bin/recaudo worker)').waitFor();
  await db().outbox.deleteMany();

  await removeProblems();
  // A drained worker has ended as requested.
  const drained = { host: 'worker-2', pid: 1, build: '1.2.3+abcdef01', started_at: new Date(), environment: null };
  const silent = { beat_at: new Date(Date.now() - 60_000), drain_asked_at: new Date() };
  await db().workerProcess.create({ data: { id: newId('worker'), ...drained, ...silent } });
  await page.getByRole('heading', { name: 'No alerts' }).waitFor();
});

it('an acquirer that does not respond is one alert, whose unknown outcomes link to their timelines', async () => {
  const id = await payers.shop.newCharge(await payers.shop.newToken());
  await db().$executeRaw`
    update transactions set progress = 'prepared', status = 'in_progress', creation_date = now() - interval '5 minutes',
      lease_until = now() + interval '1 hour' where id = ${id}`;
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  const sums = { environment: 'sandbox', charged: 0, declined: 0, unanswered: 3 } as const;
  await db().renewalMinute.create({ data: { minute, process_id: 'c', ...sums } });
  const page = await enter();
  await page.getByText('Sandbox: the acquirer did not respond 3 times in ten minutes').waitFor();
  const consequences = await page.locator('.verdict .consequences li').allTextContents();
  expect(consequences).toEqual([expect.stringMatching(/^\d attempts with an unknown outcome$/)]);
  await page.getByRole('heading', { name: '1 alert' }).waitFor();
  await page.getByRole('link', { name: id }).click();
  await page.getByRole('heading', { name: 'Transaction' }).waitFor();
  await db().renewalMinute.deleteMany({ where: { process_id: 'c' } });
  await db().$executeRaw`update transactions set progress = 'settled', status = 'completed' where id = ${id}`;
});

it('an environment that is off is not shown', async () => {
  const page = await enter();
  await page.getByRole('heading', { name: 'Production' }).waitFor();
  const { id } = api.merchants().production;
  await db().merchant.update({ where: { id }, data: { environment: 'sandbox' } });
  await page.getByRole('heading', { name: 'Production' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Sandbox' }).waitFor();
  await db().merchant.update({ where: { id }, data: { environment: 'production' } });
  await page.getByRole('heading', { name: 'Production' }).waitFor();
});

it('the page shows due charges, workers, suspensions with their operators, and unknown outcomes', async () => {
  const merchant = api.merchants().other;
  await suspendMerchant(
    db(),
    { actor: { kind: 'operator', id: keys.support.id } },
    merchant.id,
    'Too many chargebacks',
  );
  const charge = await payers.shop.newCharge(await payers.shop.newToken());
  await db().$executeRaw`
    update transactions set progress = 'prepared', status = 'in_progress', creation_date = now() - interval '5 minutes',
      lease_until = now() + interval '1 hour' where id = ${charge}`;
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 120_000);
  const sums = { minute, environment: 'sandbox', charged: 30, declined: 4, unanswered: 0 } as const;
  await db().renewalMinute.createMany({ data: ['a', 'b'].map(process_id => ({ ...sums, process_id })) });
  const answer = await operate(
    'read',
    `{ operations { environments { environment unknowns minutes { at charged declined } } workers { host build alive }
      paused { id by reason } unknowns { id } } }`,
  );
  const [sandbox] = answer.environments.filter((each: { environment: string }) => each.environment === 'sandbox');
  expect(sandbox.minutes).toHaveLength(60);
  expect(sandbox.minutes.filter((each: { charged: number }) => each.charged > 0)).toMatchObject([
    { charged: 60, declined: 8 },
  ]);
  expect(answer).toMatchObject({
    workers: [{ host: 'worker-1', build: '1.2.3+abcdef01', alive: true }],
    paused: [{ id: merchant.id, by: 'support', reason: 'Too many chargebacks' }],
    unknowns: [{ id: charge }],
  });
  const page = await enter();
  const text = async (): Promise<string> => (await page.locator('main').textContent()) ?? '';
  await page.getByText('last hour: 60 charged, 8 declined').waitFor();
  for (const shown of ['1.2.3+abcdef01', merchant.id, 'Too many chargebacks', 'support', charge])
    expect(await text()).toContain(shown);
});

it('the page ends its session when the key is revoked, and its cookie works only with GraphQL and this page', async () => {
  const page = await visit();
  await signIn(page, keys.support.key);
  await page.waitForSelector('.verdict');
  const [cookie] = await page.context().cookies(`${api.origin()}/graphql`);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  const authorization = 'Session operator';
  const cookies = `operator=${cookie?.value}`;
  const status = async (path: string, query: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(api.origin() + path, { method: 'POST', headers, body: JSON.stringify({ query }) })).status;
  const read = (headers: Record<string, string>) =>
    status('/operator/graphql', '{ operations { now } }', { authorization, cookie: cookies, ...headers });
  expect(await read({})).toBe(200);
  expect(await read({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await read({ cookie: `${cookies}0` })).toBe(401);
  expect(await read({ authorization: '' })).toBe(401);
  const resume = `mutation { resumeMerchant(id: "${api.merchants().own.id}") { id } }`;
  expect(await status('/operator/graphql', resume, { authorization, cookie: cookies })).toBe(403);
  expect(await status('/graphql', '{ merchant { id } }', { authorization, cookie: cookies })).toBe(403);
  expect(await status(`/v1/${api.merchants().own.id}/charges`, '', { authorization, cookie: cookies })).toBe(401);
  await revokeOperatorKey(db(), by, keys.support.id);
  await page.waitForSelector('#operator-key');
  expect(await read({})).toBe(401);
});

it.each(screens)('the page meets the accessibility rules on $name', async ({ viewport, colorScheme }) => {
  await db().audit.create({
    data: { scope: 'sandbox', name: 'attributes_equal_rows', checks: 9, differences: 1, examples: ['s1 is active'] },
  });
  const page = await enter({ viewport, colorScheme });
  await page.getByText('s1 is active').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
});

it('the page is available in Spanish', async () => {
  const page = await enter({ locale: 'es-CO' });
  await page.getByRole('heading', { name: /alerta/ }).waitFor();
  await page.getByText('Workers y versiones').waitFor();
});
