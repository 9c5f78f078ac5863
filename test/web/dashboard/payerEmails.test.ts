/** The e-mails to payers and the actions on their pages in the settings, and stopped e-mails on the page of a customer. */
import { testDashboard } from '../../harness/browser/dashboard';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const { enter, payers } = testDashboard(api);

it('the kinds of e-mails and the actions of payers are chosen in the settings', async () => {
  const page = await enter('/settings');
  await page.getByRole('button', { name: 'Choose e-mails and options' }).click();
  const dialog = page.locator('dialog[open]');
  const choices = ['Receipt of each payment', 'Last retry', 'Pause subscription'];
  for (const choice of choices) await dialog.getByRole('checkbox', { name: choice, exact: true }).check();
  await dialog.getByRole('button', { name: 'Choose e-mails and options' }).click();
  await page.getByText('Last retry, Receipt of each payment').waitFor();
  const read = async () => (await api.rest('GET', '')).body;
  expect(await read()).toMatchObject({ payer_emails: ['last_retry', 'receipt'], payer_actions: ['pause'] });
  await page.getByRole('button', { name: 'Choose e-mails and options' }).click();
  for (const choice of choices) await dialog.getByRole('checkbox', { name: choice, exact: true }).uncheck();
  await dialog.getByRole('button', { name: 'Choose e-mails and options' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({ payer_emails: [], payer_actions: [] });
});

it('a customer shows why it gets no e-mails, and gets them again', async () => {
  const id = await payers.shop.newCustomer({ email: 'Bounced@example.com' });
  const { id: merchant_id } = api.merchants().own;
  const data = { merchant_id, email: 'bounced@example.com', reason: 'bounced' };
  await api.database.db().suppressedEmail.create({ data });
  const page = await enter(`/customers/${id}`);
  await page.getByText('The address rejected an e-mail.').waitFor();
  await page.getByRole('button', { name: 'Resume e-mails' }).click();
  await page.locator('dialog[open]').getByRole('button', { name: 'Resume e-mails' }).click();
  await page.getByText('E-mails are sent again.').waitFor();
  expect((await api.rest('GET', `/customers/${id}`)).body).not.toHaveProperty('email_status');
  const [entry] = (await api.rest('GET', '/audit_log?action=customer.emails_resumed')).body;
  expect(entry).toMatchObject({ object_id: id });
});
