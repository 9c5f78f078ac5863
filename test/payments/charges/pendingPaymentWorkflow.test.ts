/**
 * Pending payments with a real worker: their workflows, their expiry by the test clock, and the e-mails
 * about them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import pino from 'pino';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { type Mailbox, openMailbox } from '../../../src/local/mailbox/mailbox';
import { freePort } from '../../../src/local/savedPorts';
import { disableWebhooks } from '../../../src/notifications/webhooks/delivery/disable';
import { drainOutbox } from '../../../src/operations/background/outbox';
import { outboxHandlers } from '../../../src/operations/background/outboxHandlers';
import { EnvironmentAttribute, MerchantIdAttribute } from '../../../workflows/operating/attributes';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { eventually, until } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import type { ApiResponse } from '../../harness/servers/api';
import { vault } from '../../harness/world/secrets';

const directory = mkdtempSync(join(tmpdir(), 'recaudo-mail-'));
let mailbox: Mailbox;
beforeAll(async () => {
  const [smtpPort, mailPort] = [await freePort(), await freePort()];
  mailbox = await openMailbox({ directory, smtpPort, mailPort }, pino({ level: 'silent' }));
});
const mailVariables = () => ({ SMTP_URL: mailbox.smtpUrl, MAIL_FROM: 'Tienda <pagos@shop.example>' });
const billing = testBilling({ workerVariables: mailVariables, acquirerTimeoutMs: 60_000 });
afterAll(async () => {
  await mailbox.close();
  rmSync(directory, { recursive: true });
});
const { api, shop, moveClock } = billing;
const { post, store, redirect, pse } = shop;

const read = async (id: string) => (await api.rest('GET', `/charges/${id}`)).body;
const workflowOf = (id: string) => billing.namespace.client().workflow.getHandle(`expiry-${id}`);
const workflowStarted = (id: string) => eventually(() => workflowOf(id).describe());
const withoutCustomer = ({ customer: _, ...form }: Record<string, unknown>) => form;

describe('the workflow of a pending payment', () => {
  it('is found by its merchant, shows when the payment expires, and ends when it is paid', async () => {
    const { id, due_date } = (await post('/charges', store)).body;
    const { type, status, typedSearchAttributes, staticSummary } = await workflowStarted(id);
    expect([type, status.name]).toEqual(['expiry', 'RUNNING']);
    expect(await staticSummary()).toBe(`Unpaid voucher: merchant ${api.merchants().own.id}, sandbox`);
    expect(typedSearchAttributes.get(MerchantIdAttribute)).toBe(api.merchants().own.id);
    expect(typedSearchAttributes.get(EnvironmentAttribute)).toBe('sandbox');
    const timer = await eventually(async () => {
      const { events } = await workflowOf(id).fetchHistory();
      const started = events?.find(event => event.timerStartedEventAttributes);
      if (!started) throw new Error('not yet');
      return Buffer.from(started.userMetadata?.summary?.data ?? []).toString();
    });
    expect(timer).toBe(
      `"expires at ${new Date(Date.parse(due_date) - 5 * 3_600_000).toISOString().slice(0, 19)}-05:00"`,
    );
    await post(`/sandbox/charges/${id}/pay`, {});
    expect(await workflowOf(id).result()).toBe('completed');
    await billing.record('a voucher paid', `expiry-${id}`);
  });

  it('contains no name, address or amount', async () => {
    const { id } = (await post('/charges', { ...redirect, description: 'Muy secreto' })).body;
    await workflowStarted(id);
    const history = historyToJSON(await workflowOf(id).fetchHistory());
    const texts = [...history.matchAll(/"data": ?"([\w+/=]+)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(texts.join(' ')).toContain(id);
    for (const secret of ['María', 'maria@', 'secreto', '100000', 'shop.example'])
      expect(`${history} ${texts.join(' ')}`).not.toContain(secret);
  });
});

describe('POST /sandbox/clock', () => {
  it('cancels payments that expire in the meantime, each on its own day, and leaves the remaining ones pending', async () => {
    const customer_id = await shop.newCustomer({ requires_account: false });
    const path = `/customers/${customer_id}`;
    await moveClock('2040-05-01T12:00:00-05:00', { customer_id });
    const page = (await post(`${path}/charges`, withoutCustomer(redirect))).body;
    const dueSoon = (await post(`${path}/charges`, withoutCustomer(store))).body;
    const dueLater = (
      await post(`${path}/charges`, { ...withoutCustomer(store), due_date: '2040-06-30T12:00:00-05:00' })
    ).body;
    await post(`${path}/pse`, { ...withoutCustomer(pse), order_id: 'clock-pse' });
    expect((await moveClock('2040-05-10', { customer_id })).status).toBe(200);
    const bank = (await api.rest('GET', '/charges?order_id=clock-pse')).body[0];
    expect(bank).toMatchObject({ status: 'cancelled', operation_date: expect.stringMatching(/^2040-05-02T12/) });
    expect(await read(page.id)).toMatchObject({
      status: 'cancelled',
      operation_date: expect.stringMatching(/^2040-05-02T12/),
    });
    expect(await read(dueSoon.id)).toMatchObject({
      status: 'cancelled',
      operation_date: expect.stringMatching(/^2040-05-04T12/),
    });
    expect(await read(dueLater.id)).toMatchObject({ status: 'in_progress' });
    const { body } = await post(`/sandbox/charges/${dueLater.id}/pay`, {});
    expect(body).toMatchObject({ status: 'completed', operation_date: expect.stringMatching(/^2040-05-1[01]/) });
  });

  it('cancels them even if the worker was killed and their workflows were terminated', async () => {
    const customer_id = await shop.newCustomer({ requires_account: false });
    await moveClock('2040-05-01T12:00:00-05:00', { customer_id });
    const { id } = (await post(`/customers/${customer_id}/charges`, withoutCustomer(store))).body;
    await workflowStarted(id);
    await workflowOf(id).terminate();
    await Promise.all(billing.workers.splice(0).map(worker => worker.stop('SIGKILL')));
    await billing.startWorker();
    expect((await moveClock('2040-05-10', { customer_id })).status).toBe(200);
    expect((await read(id)).status).toBe('cancelled');
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'transaction.expired']);
  });
});

describe('POST /sandbox/clock over many payments', () => {
  it('cancels payments in parallel without their workflows, which are signaled afterwards', async () => {
    const customer_id = await shop.newCustomer({ requires_account: false });
    await moveClock('2040-05-01T12:00:00-05:00', { customer_id });
    const path = `/customers/${customer_id}/charges`;
    const orders = [...Array(24).fill(store), ...Array(4).fill(redirect)];
    const created = await Promise.all(orders.map(order => post(path, withoutCustomer(order))));
    const ids: string[] = created.map(({ body }) => body.id);
    for (const id of ids) await workflowStarted(id);
    await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
    const held = api.acquirer.hold('/withdraw');
    let moved: ApiResponse | undefined;
    const moving = moveClock('2040-05-10', { customer_id }).then(answer => {
      moved = answer;
    });
    const db = api.database.db();
    // Retries, because a drain fails if no withdrawal gets a response.
    const options = { ...api.acquirer.credentials(), vault, log: pino({ level: 'silent' }), timeoutMs: 300_000 };
    const acquirer = new HttpAcquirer(options);
    atTheEnd(() => acquirer.close());
    const handlers = outboxHandlers('acquirer', { db, acquirers: { sandbox: acquirer } });
    const handling = (async () => {
      while (!moved) await drainOutbox(db, handlers);
    })();
    await until(() => held.count() >= 20);
    held.release();
    await Promise.all([moving, handling]);
    expect(moved).toMatchObject({ status: 200 });
    const { body: charges } = await api.rest('GET', `${path}?limit=1000`);
    expect(charges.map(({ status }: { status: string }) => status)).toEqual(orders.map(() => 'cancelled'));
    expect(await db.event.count({ where: { object_id: { in: ids }, type: 'transaction.expired' } })).toBe(ids.length);
    await billing.startWorker();
    for (const id of ids) expect(await workflowOf(id).result()).toBe('cancelled');
  });

  it('lists the payments that it waits for', async () => {
    const customer_id = await shop.newCustomer({ requires_account: false });
    await moveClock('2040-05-01T12:00:00-05:00', { customer_id });
    const path = `/customers/${customer_id}/charges`;
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) ids.push((await post(path, withoutCustomer(store))).body.id);
    const held = api.acquirer.hold('/withdraw');
    const { status, body } = await eventually(async () => {
      const answer = await post('/sandbox/clock', { to: '2040-05-10', customer_id });
      if (answer.status === 503) throw new Error('a busy Temporal server has not answered in time');
      return answer;
    });
    const reason = 'It has expired, and the acquirer has not confirmed the cancellation yet.';
    expect([status, body.total, body.waiting_for]).toEqual([202, 6, ids.slice(0, 5).map(id => ({ id, reason }))]);
    held.release();
    expect((await moveClock('2040-05-10', { customer_id })).status).toBe(200);
  });
});

describe('send_email', () => {
  interface Message {
    to: string[];
    from: string;
    subject: string;
    text: string;
    html: string;
  }
  const mailsTo = async (to: string): Promise<Message[]> =>
    (await (await fetch(`${mailbox.url}/messages?to=${to}`)).json()) as Message[];
  const mailTo = (to: string) =>
    eventually(async () => {
      const [mail] = await mailsTo(to);
      if (!mail) throw new Error('no e-mail yet');
      return mail;
    });

  it('sends the payer an e-mail with the URL of the page, at both levels', async () => {
    const customer = { name: 'Ana <b>', email: 'ana@example.com' };
    const { payment_method } = (await post('/charges', { ...redirect, customer, send_email: true })).body;
    const mail = await mailTo('ana@example.com');
    expect(mail).toMatchObject({ from: expect.stringContaining('pagos@shop.example'), subject: 'Tu pago a Tienda' });
    expect(mail.text).toContain(payment_method.url);
    expect(mail.text).toContain('$\u00a0100.000 COP');
    expect(mail.html).toContain('Ana &lt;b&gt;');
    const customer_id = await shop.newCustomer({ email: 'luis@example.com' });
    await post(`/customers/${customer_id}/charges`, { ...withoutCustomer(redirect), send_email: 'true' });
    expect((await mailTo('luis@example.com')).text).toContain('/pay/');
  });

  it('sends one e-mail per payment even with two workers, and none if it was not requested', async () => {
    await billing.startWorker();
    await post('/charges', { ...redirect, customer: { name: 'No', email: 'nobody@example.com' } });
    const emails = Array.from({ length: 20 }, (_, i) => `payer${i}@example.com`);
    const create = (email: string) =>
      eventually(async () => {
        const charge = { ...redirect, customer: { name: 'P', email }, send_email: true };
        // Fails with 503 if a busy database has not begun or ended a transaction in time.
        expect(await post('/charges', charge, { 'idempotency-key': email })).toMatchObject({ status: 200 });
      });
    await Promise.all(emails.map(create));
    for (const email of emails) await mailTo(email);
    await eventually(async () => {
      if (await api.database.db().outbox.count({ where: { kind: 'payment_mail' } })) throw new Error('not yet');
    });
    for (const email of emails) expect(await mailsTo(email)).toHaveLength(1);
    expect(await mailsTo('nobody@example.com')).toEqual([]);
  });

  it('notifies a merchant whose webhook was disabled', async () => {
    const db = api.database.db();
    const { id: merchant_id } = api.merchants().own;
    const identity = { id: 'w1111111111111111111', merchant_id, creation_date: new Date(), verification_code: 'x' };
    const settings = { url: 'https://shop.example/hook', status: 'verified', secret_sealed: Buffer.from('x') };
    const webhook = { ...identity, ...settings };
    await db.webhook.create({ data: webhook });
    await disableWebhooks(db, [{ webhook_id: webhook.id, url: webhook.url, is_gone: true }]);
    const mail = await mailTo('tienda@example.com');
    expect([mail.subject, mail.text]).toEqual(['Webhook desactivado', expect.stringContaining('410 Gone')]);
    expect(mail.text).toContain(webhook.url);
    expect(await shop.eventsOf(webhook.id)).toEqual(['webhook.disabled']);
  });

  it('is retried while the mail server is down, without delays for other work', async () => {
    await mailbox.close();
    await post('/charges', { ...redirect, customer: { name: 'Late', email: 'late@example.com' }, send_email: true });
    const { id } = (await post('/charges', store)).body;
    await workflowStarted(id);
    const [smtpPort, mailPort] = [mailbox.smtpUrl, mailbox.url].map(url => Number(new URL(url).port));
    mailbox = await openMailbox(
      { directory, smtpPort: smtpPort ?? 0, mailPort: mailPort ?? 0 },
      pino({ level: 'silent' }),
    );
    expect((await mailTo('late@example.com')).subject).toBe('Tu pago a Tienda');
  });
});
