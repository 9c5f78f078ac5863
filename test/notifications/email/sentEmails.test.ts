/** The rules of e-mails to payers: switches, at most one per cause, and addresses that get none. */
import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import type { Mailbox } from '../../../src/local/mailbox/mailbox';
import { openMailers } from '../../../src/notifications/email/mailer';
import { sendOnce } from '../../../src/notifications/email/payer/sendOnce';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { merchantCalls, payer } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';
import { mailsIn, sendMails, startMailbox } from '../../harness/servers/mailbox';
import { MAIL_KEY } from '../../harness/world/server';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
const api = testApi({ ownWorld: true });
const shop = merchantCalls(api);
const db = () => api.database.db();
const enable = async (...payer_emails: string[]) =>
  expect((await api.rest('PUT', '', { body: { payer_emails } })).body.payer_emails).toEqual([...payer_emails].sort());

it('kinds that are off are not sent, and the older switch turns four of them on', async () => {
  await enable();
  const set = async (body: object) => (await api.rest('PUT', '', { body })).body;
  expect(await set({ subscription_emails: true })).toMatchObject({
    payer_emails: ['ended', 'past_due', 'recovered', 'unpaid'],
  });
  expect(await set({ payer_emails: ['receipt', 'ended'] })).toMatchObject({ subscription_emails: true });
  expect(await set({ subscription_emails: false })).toMatchObject({ payer_emails: ['receipt'] });
  expect(errorOf(await api.rest('PUT', '', { body: { payer_emails: ['spam'] } }))).toBe(1003);
  const { body } = await shop.post('/charges', { ...shop.store, customer: { ...payer, email: 'off@example.com' } });
  expect(await db().outbox.count({ where: { kind: 'charge_mail' } })).toBe(0);
  expect(await db().event.count({ where: { object_id: body.id } })).toBe(1);
});

describe('at most one e-mail is sent per cause', () => {
  const mail = { to: 'once@example.com', subject: 'Once', text: 'Once', html: '<p>Once</p>' };
  const letter = (cause: string) => {
    const { id: merchant_id } = api.merchants().own;
    const about = { merchant_id, environment: 'sandbox', customer_id: null, object_id: merchant_id } as const;
    return { ...about, kind: 'receipt', cause, mail } as const;
  };
  const config = { NODE_ENV: 'test', PRIVATE_NETWORKS: undefined, SANDBOX_SMTP_URL: undefined } as const;
  const arrived = async () => (await mailsIn(mailbox)).filter(({ subject }) => subject === 'Once').length;

  it('by two workers at once, and after a worker died between sending and recording', async () => {
    const mailers = openMailers({ ...config, MAIL_FROM: 'shop@example.com', SMTP_URL: mailbox.smtpUrl });
    const send = (cause: string) => sendOnce(db(), mailers, letter(cause));
    await Promise.all([send('both'), send('both')]);
    expect(await arrived()).toBe(1);
    const dies = { ...mailers.production, send: () => new Promise<never>(() => undefined) };
    void sendOnce(db(), { ...mailers, sandbox: dies }, letter('dead'));
    await until(async () => (await db().sentEmail.count({ where: { cause: 'dead' } })) === 1);
    await send('dead');
    expect(await arrived()).toBe(1);
    mailers.close();
  });

  it('is not sent again if the connection was lost before the response to its content', async () => {
    const server = createServer(socket => {
      const answers = ['250 ok', '250 ok', '250 ok', '354 go'];
      socket.on('error', () => undefined).write('220 ready\r\n');
      let isData = false;
      socket.on('data', () => {
        if (isData) socket.destroy();
        const answer = answers.shift();
        isData ||= answer?.startsWith('354') ?? false;
        if (answer) socket.write(`${answer}\r\n`);
      });
    });
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
    atTheEnd(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const SMTP_URL = `smtp://127.0.0.1:${port}`;
    const mailers = openMailers({ ...config, MAIL_FROM: 'shop@example.com', SMTP_URL });
    await sendOnce(db(), mailers, letter('lost'));
    expect(await db().sentEmail.findFirst({ where: { cause: 'lost' } })).toMatchObject({ status: 'unknown' });
    mailers.close();
  });

  it('is sent later if the mail server did not accept it', async () => {
    const broken = openMailers({ ...config, MAIL_FROM: 'shop@example.com', SMTP_URL: 'smtp://127.0.0.1:1' });
    await expect(sendOnce(db(), broken, letter('later'))).rejects.toThrow('e-mail not sent');
    broken.close();
    expect(await db().sentEmail.count({ where: { cause: 'later' } })).toBe(0);
  });
});

describe('a notification of the mail provider', () => {
  const notify = async (body: object, key = MAIL_KEY) => {
    const text = JSON.stringify(body);
    const time = Math.floor(Date.now() / 1000);
    const signature = `t=${time},v1=${createHmac('sha256', key).update(`${time}.${text}`).digest('hex')}`;
    return fetch(`${api.origin()}/notifications/mail`, { method: 'POST', headers: { signature }, body: text });
  };

  it('stops e-mails to the address until the merchant resumes them', async () => {
    await enable('voucher');
    const email = 'Gone@example.com';
    const id = await shop.newCustomer({ email, requires_account: false });
    const path = `/customers/${id}`;
    const read = async () => (await api.rest('GET', path)).body;
    const { customer: _, ...store } = shop.store;
    const charge = async () => (await shop.post(`${path}/charges`, store)).body.id as string;
    const sentFor = async (object_id: string) => {
      await sendMails(db(), mailbox);
      return db().sentEmail.findFirstOrThrow({ where: { object_id } });
    };
    const sent = await sentFor(await charge());
    expect(sent.status).toBe('sent');
    const notification = { type: 'bounce', email: 'gone@example.com', message_id: `<${sent.id}@recaudo.localhost>` };
    expect((await notify({ ...notification, permanent: true }, 'a key that is not the one')).status).toBe(401);
    expect((await notify({ ...notification, permanent: false })).status).toBe(204);
    expect((await notify({ ...notification, email: 'other@example.com', permanent: true })).status).toBe(404);
    expect((await notify({ ...notification, type: 'open' })).status).toBe(400);
    expect(await read()).not.toHaveProperty('email_status');
    expect((await notify({ ...notification, permanent: true })).status).toBe(204);
    expect(await read()).toMatchObject({ email_status: 'bounced' });
    expect((await sentFor(await charge())).status).toBe('withheld');
    const resumed = await shop.post(`${path}/resume_emails`, {});
    expect([resumed.status, resumed.body.email_status]).toEqual([200, undefined]);
    expect((await sentFor(await charge())).status).toBe('sent');
    const { other } = api.merchants();
    const foreign = `${api.origin()}/v1/${other.id}${path}/resume_emails`;
    const refused = await sendRequest(foreign, 'POST', { key: other.private_key, body: {} });
    expect([refused.status, errorOf(refused)]).toEqual([404, 1005]);
  });
});
