/** A change of the bank account waits, and the merchant can stop it from the e-mail about it. */
import type { Mailbox } from '../../src/local/mailbox/mailbox';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { testApi } from '../harness/servers/api';
import { sendMails, startMailbox } from '../harness/servers/mailbox';

const api = testApi({ ownWorld: true });
const shop = merchantCalls(api);
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
const db = () => api.database.db();
const own = () => api.merchants().own.id;
const setAccount = async (number: string) =>
  (await api.rest('PUT', '', { body: { bank_account: { bank: 'Bancolombia', type: 'savings', number } } })).body;
const merchant = async () => (await api.rest('GET', '')).body;
const linkOf = (text?: string | null): string => /https?:\S+\/bank-accounts\/\S+/.exec(text ?? '')?.[0] ?? '';
const open = async (url: string, method = 'GET', headers = {}) => {
  const answer = await fetch(url, { method, headers: { 'accept-language': 'en', ...headers } });
  return { status: answer.status, text: await answer.text() };
};
const actions = async () => (await api.rest('GET', '/audit_log?action=merchant.bank_account_stopped')).body.length;

it('the first account is effective at once, and another one waits 48 hours', async () => {
  expect(await setAccount('12345678901')).toMatchObject({
    bank_account: { number: 'XXXXXXX8901' },
    pending_bank_account: null,
  });
  const [first] = await sendMails(db(), mailbox);
  expect(linkOf(first?.text)).toBe('');
  const changed = await setAccount('99945670001');
  expect(changed).toMatchObject({
    bank_account: { number: 'XXXXXXX8901' },
    pending_bank_account: { bank: 'Bancolombia', type: 'savings', number: 'XXXXXXX0001' },
  });
  const hours = (Date.parse(changed.pending_bank_account.effective_date) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(48);
  await shop.newCharge(await shop.newCard());
  await shop.settle();
  expect((await shop.post('/payouts', { amount: 1000 })).body.bank_account.number).toBe('XXXXXXX8901');
  // The whole object, as a client sends it back, changes nothing.
  expect((await api.rest('PUT', '', { body: await merchant() })).body.pending_bank_account).not.toBeNull();
  expect(await sendMails(db(), mailbox)).toHaveLength(1);
});

it('the e-mail goes to each address of the last 30 days, and the button of its page stops the change', async () => {
  const { email } = await merchant();
  for (const address of ['older@tienda.example', 'former@tienda.example', 'intruder@example.com'])
    await db().merchant.update({ where: { id: own() }, data: { email: address } });
  const longAgo = new Date(Date.now() - 31 * 86_400_000);
  await db().formerEmail.updateMany({ where: { email: 'older@tienda.example' }, data: { replaced_at: longAgo } });
  await setAccount('99945670002');
  const mails = await sendMails(db(), mailbox);
  expect(mails.flatMap(({ to }) => to).sort()).toEqual(['former@tienda.example', 'intruder@example.com', email].sort());
  const url = linkOf(mails[0]?.text);
  expect(url).toMatch(/^http/);
  expect(await open(url)).toMatchObject({ status: 200, text: expect.stringContaining('XXXXXXX0002') });
  expect((await open(`${url}?lang=es`)).text).toContain('Detener el cambio');
  expect((await merchant()).pending_bank_account.number).toBe('XXXXXXX0002');
  expect((await open(url, 'POST', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect(await actions()).toBe(0);
  expect((await open(url, 'POST')).text).toContain('The change was stopped');
  expect(await merchant()).toMatchObject({ bank_account: { number: 'XXXXXXX8901' }, pending_bank_account: null });
  expect(await actions()).toBe(1);
  await open(url, 'POST');
  expect(await actions()).toBe(1);
  expect((await open(url.replace(/\w{20}$/, 'b0000000000000000000'))).status).toBe(404);
});

it('a change that is in effect can no longer be stopped, and another change replaces one that waits', async () => {
  await setAccount('99945670003');
  const { number } = (await setAccount('99945670004')).pending_bank_account;
  expect(number).toBe('XXXXXXX0004');
  const texts = (await sendMails(db(), mailbox)).map(({ text }) => text);
  const [replaced, latest] = ['0003', '0004'].map(end => linkOf(texts.find(text => text?.includes(`XXXXXXX${end}`))));
  expect((await open(replaced ?? '')).text).toContain('The change was stopped');
  await db().merchant.update({ where: { id: own() }, data: { clock_offset: 49 * 3600 } });
  expect(await merchant()).toMatchObject({ bank_account: { number }, pending_bank_account: null });
  expect((await open(latest ?? '', 'POST')).text).toContain('can no longer be stopped');
  expect((await merchant()).bank_account.number).toBe(number);
});
