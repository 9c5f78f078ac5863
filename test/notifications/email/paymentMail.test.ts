/** The e-mail with the address of a payment page, through a real mail server. */

import { openMailers } from '../../../src/notifications/email/mailer';
import { drainOutbox } from '../../../src/operations/background/outbox';
import { outboxHandlers } from '../../../src/operations/background/outboxHandlers';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../../harness/servers/api';
import { mailsIn, startMailbox } from '../../harness/servers/mailbox';

const api = testApi({ ownWorld: true });
const { post, redirect, newCustomer } = merchantCalls(api);
const db = () => api.database.db();
const send = (email: string, more: object = {}, name = 'Ana') =>
  post('/charges', { ...redirect, customer: { name, email }, send_email: true, ...more });

/** Sends the queued e-mails, as a worker with these variables does. */
async function drain(variables: Partial<Parameters<typeof openMailers>[0]> & { SMTP_URL: string }): Promise<void> {
  const mailers = openMailers({
    NODE_ENV: 'test',
    PRIVATE_NETWORKS: undefined,
    SANDBOX_SMTP_URL: undefined,
    MAIL_FROM: 'pagos@shop.example',
    ...variables,
  });
  await drainOutbox(db(), outboxHandlers('mail', { db: db(), mailers })).finally(() => mailers.close());
}

it('prevents names and descriptions from adding lines to its text or headers', async () => {
  const mailbox = await startMailbox();
  await db().merchant.updateMany({ data: { name: 'Tienda\r\nBcc: spy@example.com' } });
  const description = 'Pedido\u2028Paga aquí:\thttps://evil.example\u0000'.replace('\u0000', '\u0007');
  await send('ana@example.com', { description }, 'Ana\r\nBcc: all@example.com\r\n\r\nPaga en evil.example\u202e\u0007');
  await drain({ SMTP_URL: mailbox.smtpUrl });
  const [mail] = await mailsIn(mailbox);
  expect(mail).toMatchObject({
    to: ['ana@example.com'],
    subject: 'Tu pago a Tienda Bcc: spy@example.com',
  });
  expect(mail?.text?.split('\n')[0]).toBe('Hola, Ana Bcc: all@example.com Paga en evil.example:');
  expect(mail?.text).toContain('COP: Pedido Paga aquí: https://evil.example\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
  expect(`${mail?.text}${mail?.html}${mail?.subject}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u2028\u202e]/);
});

it('comes from the name of the merchant, at our address, in Spanish only, and replies go to support_email', async () => {
  const mailbox = await startMailbox();
  const support_email = 'ayuda@tienda.example';
  const own = { where: { id: api.merchants().own.id } };
  for (const profile of [{ name: 'Tienda "Ñandú", S.A.S.', support_email }, { support_email: null }]) {
    await db().merchant.update({ ...own, data: profile });
    await send('ana@example.com');
    await drain({ SMTP_URL: mailbox.smtpUrl, MAIL_FROM: 'recaudo <pagos@recaudo.example>' });
  }
  const [withoutSupport, withSupport] = await mailsIn(mailbox);
  expect(withSupport).toMatchObject({
    from: '"Tienda "Ñandú", S.A.S." <pagos@recaudo.example>',
    reply_to: support_email,
  });
  expect(withoutSupport).toMatchObject({ from: withSupport?.from, reply_to: null });
  expect(withSupport?.html).toContain('lang="es"');
  expect(withSupport?.text).toContain('te solicita un pago');
  expect(`${withSupport?.text}${withSupport?.html}`).not.toMatch(/\b(Pay|requests|Questions|real money|ignore it)\b/);
});

it('uses only the mail server of the sandbox for sandbox payments', async () => {
  const [real, sandbox] = [await startMailbox(), await startMailbox()];
  await send('one@example.com');
  await drain({ SMTP_URL: real.smtpUrl, SANDBOX_SMTP_URL: sandbox.smtpUrl, NODE_ENV: 'production' });
  expect([(await mailsIn(real)).length, (await mailsIn(sandbox)).length]).toEqual([0, 1]);
  // Production has no sandbox mail server and sends none of its e-mails, whose recipients may be real payers.
  const { id: object_id } = (await send('two@example.com')).body;
  await drain({ SMTP_URL: real.smtpUrl, NODE_ENV: 'production' });
  expect([(await mailsIn(real)).length, await db().outbox.count({ where: { kind: 'payment_mail' } })]).toEqual([0, 0]);
  await db().merchant.updateMany({ where: { id: api.merchants().own.id }, data: { environment: 'production' } });
  await db().outbox.create({ data: { kind: 'payment_mail', object_id, environment: 'production' } });
  await drain({ SMTP_URL: real.smtpUrl, NODE_ENV: 'production' });
  expect(await mailsIn(real)).toHaveLength(1);
  await db().merchant.updateMany({ where: { id: api.merchants().own.id }, data: { environment: 'sandbox' } });
});

describe('the quota', () => {
  const useUpQuotas = (): Promise<unknown> =>
    db().quota.updateMany({ data: { used: 1_000_000, hour: new Date(Date.now() + 3_600_000) } });
  const counts = () => Promise.all([db().transaction.count(), db().outbox.count()]);

  it('per recipient: beyond it, requests fail with 1011 and queue no e-mail; other recipients are not affected', async () => {
    await db().quota.deleteMany();
    await send('often@example.com');
    await db().quota.updateMany({ where: { name: 'mails' }, data: { used: 0 } });
    const { name } = await db().quota.findFirstOrThrow({ where: { name: { not: 'mails' } } });
    expect(name).not.toContain('often');
    await db().quota.updateMany({ where: { name }, data: { used: 20, hour: new Date(Date.now() + 3_600_000) } });
    const before = await counts();
    const refused = await send('Often@Example.com');
    expect([refused.status, errorOf(refused), refused.headers.get('retry-after')]).toEqual([
      429,
      1011,
      expect.stringMatching(/^\d+$/),
    ]);
    const customer = await newCustomer({ email: 'often@example.com' });
    const { customer: _, ...form } = redirect;
    const toCustomer = await post(`/customers/${customer}/charges`, { ...form, send_email: true });
    expect(errorOf(toCustomer)).toBe(1011);
    expect(await counts()).toEqual(before);
    expect((await send('seldom@example.com')).status).toBe(200);
    expect((await send('often@example.com', { send_email: false })).status).toBe(200);
  });

  it('per merchant: beyond it, no recipient gets an e-mail', async () => {
    await useUpQuotas();
    const before = await counts();
    expect(errorOf(await send('new@example.com'))).toBe(1011);
    expect(await counts()).toEqual(before);
    // The refused request did not use up the recipient's quota.
    expect(await db().quota.count({ where: { used: { lt: 1_000_000 } } })).toBe(0);
  });
});
