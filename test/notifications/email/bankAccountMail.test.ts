/** A change of a merchant's bank account always sends an e-mail. */
import type { Mailbox } from '../../../src/local/mailbox/mailbox';
import { testApi } from '../../harness/servers/api';
import { sendMails, startMailbox } from '../../harness/servers/mailbox';

const api = testApi({ ownWorld: true });
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
const setAccount = (number: string) =>
  api.rest('PUT', '', { body: { bank_account: { bank: 'Banco <b>\r\nBcc: x', type: 'checking', number } } });
const sent = () => sendMails(api.database.db(), mailbox);

it('a new bank account is reported to the merchant once, with its last digits', async () => {
  const { body } = await setAccount('12345678901');
  const { email } = body;
  const mails = await sent();
  expect(mails).toMatchObject([{ to: [email], subject: 'Cambió la cuenta bancaria de tu comercio' }]);
  expect(mails[0]?.text).toContain('XXXXXXX8901');
  expect(mails[0]?.text).not.toContain('12345678901');
  expect(mails[0]?.text).not.toMatch(/^Bcc:/m);
  await setAccount(body.bank_account.number);
  expect(await sent()).toEqual([]);
  await setAccount('99945678901');
  expect(await sent()).toHaveLength(1);
});
