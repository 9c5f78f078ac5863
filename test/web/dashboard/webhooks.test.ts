/** Webhooks in the dashboard, with a real worker that delivers and a real endpoint. */
import { confirm, testSignedInDashboard } from '../../harness/browser/signedInDashboard';
import { until } from '../../harness/flow/until';
import { isSignedBy } from '../../harness/webhooks/endpoint';
import { testWebhooks } from '../../harness/webhooks/webhooks';

const { api, receiver, newHook, pay, deliveries, read } = testWebhooks();
const { enter } = testSignedInDashboard(api);

it('a webhook is created, its secret is shown once, it is tested, and a delivery is redelivered', async () => {
  const page = await enter('/webhooks');
  await confirm(page, 'Create webhook', { URL: receiver.url('/dashboard') });
  const secret = (await page.locator('dialog[open] .once code').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_[0-9a-f]{48}$/);
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await page.locator('.once').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);

  await until(() => receiver.at('/dashboard').length === 1);
  await page.getByRole('link', { name: receiver.url('/dashboard') }).click();
  await page.getByRole('heading', { name: receiver.url('/dashboard') }).waitFor();
  await page.getByRole('button', { name: 'Send test event' }).waitFor();
  await confirm(page, 'Send test event');
  await page.getByRole('link', { name: 'test', exact: true }).click();
  await page.getByText('delivered').first().waitFor();
  await confirm(page, 'Resend');
  await until(() => receiver.at('/dashboard').filter(({ body }) => body.type === 'test').length === 2);
  for (const request of receiver.at('/dashboard')) expect(isSignedBy(request, secret)).toBe(true);
});

it('the page of a webhook shows its verification, even if the webhook was read a moment too early', async () => {
  const { id } = await newHook();
  const page = await enter('/webhooks');
  let isEarly = true;
  await page.route('**/graphql', async route => {
    const response = await route.fetch();
    const text = await response.text();
    if (!isEarly || !route.request().postData()?.includes(id)) return route.fulfill({ response, body: text });
    isEarly = false;
    const body = text.replace('"status":"verified"', '"status":"unverified"');
    expect(body).not.toBe(text);
    return route.fulfill({ response, body });
  });
  await page.getByRole('link', { name: (await read(id)).url }).click();
  await page.getByRole('button', { name: 'Send test event' }).waitFor();
  expect(isEarly).toBe(false);
});

it('the page of a webhook shows failures with their cause, and redelivers a period', async () => {
  const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
  receiver.answers(request => (request.path === path ? 503 : 200));
  await pay();
  await until(async () => (await deliveries(id, '?status=retrying')).length === 1);
  const page = await enter(`/webhooks/${id}`);
  await page.getByText('1 of the last 2 deliveries succeeded.').waitFor();
  await page.getByRole('link', { name: 'charge.succeeded' }).click();
  await page.getByRole('cell', { name: '503' }).first().waitFor();
  await page.getByText('thanks').first().waitFor();

  receiver.answers(() => 200);
  await page.goBack();
  await confirm(page, 'Resend a period', { From: '2020-01-01T00:00', To: '2099-01-01T00:00' });
  await page.getByText('1 events are being resent.').waitFor();
  // The first delivery is also retried automatically, ten seconds after it failed.
  await until(async () => {
    const [again, ...before] = await deliveries(id);
    return before.length === 2 && again.status === 'delivered';
  });
});

it('a webhook is changed, gets a new secret, and is deleted', async () => {
  const { id } = await newHook();
  const page = await enter(`/webhooks/${id}`);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.locator('dialog[open]').getByLabel('charge.refunded').check();
  await page.locator('dialog[open]').getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByText('Changes saved.').waitFor();
  expect(await read(id)).toMatchObject({ status: 'verified', event_types: ['charge.refunded'] });
  await confirm(page, 'Rotate secret');
  await page.locator('dialog[open] .once code').waitFor();
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await confirm(page, 'Delete');
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  expect((await api.rest('GET', `/webhooks/${id}`)).status).toBe(404);
});

it('a webhook that did not respond in time is verified with the code that it received', async () => {
  receiver.answers(request => (request.path === '/late' ? 503 : 200));
  const { id } = (await api.rest('POST', '/webhooks', { body: { url: receiver.url('/late') } })).body;
  await until(() => receiver.at('/late').length > 0);
  const { verification_code } = receiver.at('/late')[0]?.body ?? {};
  const page = await enter(`/webhooks/${id}`);
  await confirm(page, 'Verify', { Code: 'wrong000' });
  await page.locator('dialog[open] [role=alert], dialog[open] .problem').first().waitFor();
  expect((await read(id)).status).toBe('unverified');
  await page.locator('dialog[open]').getByLabel('Code', { exact: true }).fill(verification_code);
  await page.locator('dialog[open]').getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('button', { name: 'Send test event' }).waitFor();
  expect((await read(id)).status).toBe('verified');
});
