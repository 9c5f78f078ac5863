/** Lists and pages of events, settlements, keys, sessions, fraud rules and the audit log in the dashboard. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { png } from '../../harness/browser/pictures';
import { confirm, testSignedInDashboard } from '../../harness/browser/signedInDashboard';
import { until } from '../../harness/flow/until';
import { testSettlements } from '../../harness/merchant/settlements';
import { testApi } from '../../harness/servers/api';
import { eventStreamIsOpen } from './eventStream';

const api = testApi();
const { enter, payers } = testSignedInDashboard(api);
const { settle, item } = testSettlements(api);
const pay = async (): Promise<string> => payers.shop.newCharge(await payers.shop.newToken());
const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

it('an event appears without a reload, and its page shows its contents', async () => {
  const page = await enter('/events');
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await page.waitForSelector('.live[data-live=true]');
  await eventStreamIsOpen(page);
  const id = await pay();
  await rowWith(page, id).getByRole('link', { name: 'charge.succeeded' }).click();
  await page.locator('.json').waitFor();
  expect(JSON.parse((await page.locator('.json').textContent()) ?? '')).toMatchObject({
    type: 'charge.succeeded',
    transaction: { id, status: 'completed', card: { card_number: expect.stringContaining('XXXXXX') } },
  });
});

it('a settlement lists its items, and exports the same items to CSV', async () => {
  const id = await pay();
  const { amount } = (await api.rest('GET', `/charges/${id}`)).body;
  await settle([item(`${id}-charge`, amount)]);
  const [settlement] = (await api.rest('GET', '/settlements')).body;
  const page = await enter('/settlements');
  await page.getByRole('link', { name: '16 Nov 2026' }).click();
  await rowWith(page, id).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(1 + settlement.count);
  expect(lines[1]).toContain(`charge,${id}`);
  expect(lines[1]?.endsWith(`,${settlement.net}`)).toBe(true);
});

it('a payout is requested, and the statement ends with the balance that the profile shows', async () => {
  await pay();
  await payers.shop.settle();
  await api.rest('PUT', '', { body: { bank_account: { bank: 'Banco', type: 'savings', number: '12345678901' } } });
  const page = await enter('/payouts');
  await confirm(page, 'Request payout', { Amount: '9000000', Description: 'November' });
  const dialog = page.locator('dialog[open]');
  const submit = dialog.getByRole('button', { name: 'Request payout' });
  await dialog.getByText('requires the private key again').waitFor();
  await dialog.getByLabel('Private key').fill('sk_00000000000000000000000000000000');
  await submit.click();
  await dialog.getByText('The key is not valid').waitFor();
  await dialog.getByLabel('Private key').fill(api.merchants().own.private_key);
  await submit.click();
  await dialog.getByText('more than the available balance').waitFor();
  expect(await dialog.getByLabel('Private key').count()).toBe(0);
  expect(await dialog.getByLabel('Description').inputValue()).toBe('November');
  await dialog.getByLabel('Amount').fill('1000');
  await submit.click();
  await rowWith(page, 'November').getByText('$ 1.000').waitFor();
  const { balance } = (await api.rest('GET', '')).body;
  await page.getByRole('link', { name: 'Account statement' }).first().click();
  const shown = `$ ${balance.toLocaleString('es-CO')}`;
  await page.locator('.facts').getByText(shown).waitFor();
  expect(await page.getByRole('row').last().getByRole('cell').last().textContent()).toContain(shown);
});

it('the displayed commands create and revoke a key, and a session cannot', async () => {
  const { private_key } = api.merchants().own;
  const runCommand = async (command: string | null) =>
    (await promisify(execFile)('sh', ['-c', `${command} -s`], { env: { ...process.env, KEY: private_key } })).stdout;
  const page = await enter('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const { key, masked, id } = JSON.parse(await runCommand(await page.locator('.copyable code').first().textContent()));
  expect((await api.rest('GET', '/plans', { key })).status).toBe(200);
  await page.reload();
  await rowWith(page, masked).getByRole('link', { name: 'server' }).click();
  await page.getByRole('heading', { name: 'Change this key' }).waitFor();
  expect(await page.content()).not.toContain(key);
  await runCommand(await page.locator('.copyable code').last().textContent());
  await until(async () => (await api.rest('GET', '/plans', { key })).status === 401);
  const refused = await page.evaluate<{ errors: { extensions: { error_code: number } }[] }>(`fetch('/graphql', {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'mutation { createKey(key: {kind: private}) { key } }' }) }).then(r => r.json())`);
  expect(refused.errors[0]?.extensions.error_code).toBe(1010);
  await page.goto(`${api.origin()}/dashboard/audit?object_id=${id}`);
  await page.getByRole('cell', { name: 'A key was revoked' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(3);
});

it('a session is ended, and its user has to sign in again', async () => {
  const other = await enter('/plans');
  const [{ id }] = (await api.rest('GET', '/sessions')).body;
  const page = await enter('/keys/sessions');
  await rowWith(page, id).getByRole('button', { name: 'Close session' }).click();
  await page.locator('dialog[open]').getByRole('button', { name: 'Close session' }).click();
  await rowWith(page, id).getByText('revoked').waitFor();
  // The page may already have been notified, and show the sign-in dialog over the screen.
  await other.getByRole('link', { name: 'Events' }).dispatchEvent('click');
  await other.getByText('Your session has ended').waitFor();
});

it('the sandbox can use the default fraud rules of production', async () => {
  const page = await enter('/fraud');
  await page.getByRole('button', { name: 'Default rules' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByLabel('Default rules').selectOption('production');
  await dialog.getByRole('button', { name: 'Default rules' }).click();
  await page.getByText('Changes saved.').waitFor();
  expect((await api.graphql('{ fraudSettings { presets } }')).body.data).toEqual({
    fraudSettings: { presets: 'production' },
  });
  await api.graphql('mutation { updateFraudSettings(settings: { presets: sandbox }) { presets } }');
});

it('a fraud rule is tested, saved and deleted, with audit log entries', async () => {
  await pay();
  const page = await enter('/fraud/new');
  await page.getByLabel('Type').selectOption('amount');
  await page.getByLabel('Name').fill('small_orders');
  await page.getByLabel('Maximum amount').fill('1');
  await page.getByRole('button', { name: 'Test with your charges' }).click();
  await page.getByText(/It would have declined [1-9]/).waitFor();
  expect((await api.rest('GET', '/fraud_rules')).text).not.toContain('small_orders');
  await page.getByLabel('Active').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'small_orders' }).click();
  await confirm(page, 'Delete');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('cell', { name: 'A fraud rule was deleted' }).first().waitFor();
  await page.getByRole('button', { name: 'Action', exact: true }).click();
  await page.getByLabel('A fraud rule was created').check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('**/audit?action=fraud_rule_created');
  await page.getByRole('cell', { name: 'A fraud rule was deleted' }).waitFor({ state: 'detached' });
  await rowWith(page, 'A fraud rule was created').getByText('session', { exact: true }).waitFor();
});

it('the profile is changed, and the banner of test mode leads to a request to go live', async () => {
  const page = await enter('/settings');
  await confirm(page, 'Change', { 'Support e-mail': 'ayuda@tienda.co' });
  await page.getByText('ayuda@tienda.co').waitFor();
  expect((await api.rest('GET', '')).body.support_email).toBe('ayuda@tienda.co');
  await page.getByRole('link', { name: 'Request production access' }).click();
  await confirm(page, 'Create request');
  await page.getByRole('link', { name: 'Complete the request' }).click();
  await page.getByRole('button', { name: 'Submit the request' }).waitFor();
});

it('a logo and a colour are selected, shown to payers, and removed', async () => {
  const page = await enter('/settings');
  await page.getByRole('button', { name: 'Change', exact: true }).first().click();
  const dialog = page.locator('dialog[open]');
  await dialog
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png(120, 40) });
  await dialog.getByLabel('Use this color').check();
  await dialog.getByLabel('Color', { exact: true }).fill('#7a1fa2');
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('img', { name: 'Logo' }).waitFor();
  const { logo, colour } = (await api.rest('GET', '')).body;
  expect(colour).toBe('#7a1fa2');
  expect((await fetch(logo)).headers.get('content-type')).toBe('image/png');
  expect(await page.getByRole('img', { name: 'Logo' }).getAttribute('src')).toBe(logo);

  await page.getByRole('button', { name: 'Change', exact: true }).first().click();
  await dialog.getByLabel('Remove the logo').check();
  await dialog.getByLabel('Use this color').uncheck();
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('img', { name: 'Logo' }).waitFor({ state: 'detached' });
  expect((await api.rest('GET', '')).body).toMatchObject({ logo: null, colour: null });
});

it.each(screens)('every screen fits and is accessible on $name', async ({ name, viewport, colorScheme }) => {
  const page = await enter('/webhooks', { viewport, colorScheme });
  const [rule] = (await api.rest('GET', '/fraud_rules')).body;
  const [key] = (await api.rest('GET', '/keys')).body;
  const [event] = (await api.rest('GET', '/events')).body;
  const paths = ['/webhooks', '/events', `/events/${event.id}`, '/settlements', '/statement', '/payouts', '/keys'];
  paths.push(`/keys/${key.id}`, '/keys/sessions', '/fraud', `/fraud/${rule.id}`, '/audit', '/settings', '/live');
  for (const path of paths) {
    await page.goto(`${api.origin()}/dashboard${path}`);
    await page.waitForSelector('h1');
    await page.waitForSelector('.skeleton', { state: 'detached' });
    expect([name, path, await overflowOf(page), await seriousViolations(page)]).toEqual([name, path, 0, []]);
  }
});
