/** The e-mails to payers about declined renewals, sent by a worker through a real mail server. */

import type { Mailbox } from '../../../src/local/mailbox/mailbox';
import type { Mail } from '../../../src/notifications/email/mailer';
import { sendSubscriptionMail } from '../../../src/notifications/email/payer/subscriptionMails';
import { drainOutbox } from '../../../src/operations/background/outbox';
import { outboxHandlers } from '../../../src/operations/background/outboxHandlers';
import type { OutboxKind } from '../../../src/platform/database/outbox';
import { formatMoment } from '../../../workflows/calendar';
import { eventually, until } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import { mailsIn, startMailbox } from '../../harness/servers/mailbox';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
const billing = testBilling({ workerVariables: () => ({ SMTP_URL: mailbox.smtpUrl }) });
const { api, shop } = billing;
const db = () => api.database.db();
const own = () => ({ id: api.merchants().own.id });
const DECLINES = '4000000000000341';
const TWICE = '4000000000000028';
const ANOTHER = '5555555555554444';
const enableEmails = async (subscription_emails: boolean) =>
  expect((await api.rest('PUT', '', { body: { subscription_emails } })).body).toMatchObject({ subscription_emails });

/** The e-mails about a plan, oldest first, when this number of them has arrived. */
const lettersAbout = (plan: string, count: number) =>
  eventually(async () => {
    const letters = (await mailsIn(mailbox)).filter(({ text }) => text?.includes(plan)).reverse();
    if (letters.length !== count) throw new Error(`there are ${letters.length}`);
    return letters;
  });
const eventsOf = async (subscription: {
  history: () => Promise<{ entries: { event: string }[] }>;
}): Promise<string[]> => (await subscription.history()).entries.map(({ event }) => event);
/** Waits for the history, because an e-mail is recorded after it was sent. */
const untilWritten = (subscription: Parameters<typeof eventsOf>[0], event: string) =>
  until(async () => (await eventsOf(subscription)).includes(event));

it('a payer is informed of the first decline with the date of the next retry, and of the payment', async () => {
  await enableEmails(true);
  const subscription = await billing.subscribe('2040-01-10', { card: TWICE, plan: { name: 'Revista', trial_days: 1 } });
  await subscription.diary('2040-01-11');
  const [declined] = await lettersAbout('Revista', 1);
  expect(declined).toMatchObject({ to: ['maria@example.com'], subject: 'No pudimos cobrar tu suscripción a Tienda' });
  expect(declined?.text).toContain('El 11 de enero de 2040 fue rechazado el cobro de $\u00a0');
  expect(declined?.text).toContain('(tarjeta terminada en 0028).');
  expect(declined?.text).toContain('Lo intentaremos de nuevo el 12 de enero de 2040.');
  expect(declined?.text).not.toMatch(/January|declined|money moves/);
  const [, path = ''] = /Pagar con otra tarjeta: http:\/\/pages\.test(\/s\/\S+)/.exec(declined?.text ?? '') ?? [];
  expect(await (await fetch(api.origin() + path)).text()).toContain('Pagar $\u00a049.900');
  expect((await shop.post(`${subscription.path}/link`, {})).body.url).toBe(api.origin() + path);
  expect(declined?.from).toMatch(/^"?Tienda"? </);
  expect(declined?.text).toContain('Modo de prueba: no se mueve dinero real.');
  await untilWritten(subscription, 'past_due_email');
  await subscription.diary('2040-01-12', '2040-01-13');
  const [, paid] = await lettersAbout('Revista', 2);
  expect(paid?.subject).toBe('Tu suscripción a Tienda está al día');
  expect(paid?.text).not.toContain('/s/');
  expect(paid?.text).toContain('El 13 de enero de 2040 cobramos');
  await untilWritten(subscription, 'recovered_email');
  expect(await eventsOf(subscription)).toEqual([
    'created',
    'declined',
    'past_due_email',
    'declined',
    'charged',
    'recovered_email',
  ]);
  const { entries } = (await api.rest('GET', `${subscription.path}/history?language=es`)).body;
  expect(entries[2]).toMatchObject({
    date: expect.stringContaining('2040-01-11'),
    period: 1,
    description: 'Se avisó al cliente por correo que se rechazó el cobro del período 1.',
  });
  const events = await db().event.findMany({ where: { object_id: subscription.id, type: 'subscription.email.sent' } });
  expect(events.map(({ creation_date }) => creation_date.toISOString().slice(0, 10))).toEqual([
    '2040-01-11',
    '2040-01-13',
  ]);
});

it('a payer is informed of the last retry, of the deadline for a new card, and of the cancellation', async () => {
  await enableEmails(true);
  const plan = { name: 'Gimnasio', trial_days: 1, retry_times: 0 };
  const subscription = await billing.subscribe('2040-01-10', { card: DECLINES, plan });
  expect((await subscription.history()).end_date).toBeNull();
  await subscription.diary('2040-01-11');
  const [unpaid] = await lettersAbout('Gimnasio', 1);
  expect(unpaid?.subject).toBe('Tu suscripción a Tienda está sin pagar');
  expect(unpaid?.text).toContain(
    'La suscripción termina el 11 de febrero de 2040. Para conservarla, registra antes otra tarjeta con el botón de este correo.',
  );
  expect((await subscription.history()).end_date).toBe('2040-02-11');
  await untilWritten(subscription, 'unpaid_email');
  await subscription.diary('2040-02-11');
  const [, ended] = await lettersAbout('Gimnasio', 2);
  expect(ended?.subject).toBe('Tu suscripción a Tienda terminó');
  expect(ended?.text).toContain('El 11 de febrero de 2040 terminó tu suscripción Gimnasio');
  await untilWritten(subscription, 'ended_email');
  expect((await subscription.history()).end_date).toBeNull();
});

it('a payer whose card must not be charged again reads that another one is required, without a date', async () => {
  await enableEmails(true);
  const plan = { name: 'Teatro', trial_days: 1 };
  const subscription = await billing.subscribe('2040-01-10', { plan });
  await shop.script(subscription.card_id, 3009);
  await subscription.diary('2040-01-11');
  const [declined] = await lettersAbout('Teatro', 1);
  expect(declined?.text).toContain(
    'Tu banco no acepta más cobros a esa tarjeta. Registra otra con el botón de este correo.',
  );
  expect(declined?.text).not.toContain('Lo intentaremos');
  await untilWritten(subscription, 'past_due_email');
});

it("no e-mail is sent about the merchant's own actions, or if the merchant has not enabled e-mails", async () => {
  await enableEmails(true);
  const plan = { name: 'Curso', trial_days: 1 };
  const [cancelled, quiet] = [await billing.subscribe('2040-01-10', { plan }), await silent('Periódico')];
  expect((await cancelled.remove()).status).toBe(204);
  const kinds: OutboxKind[] = ['past_due_mail', 'recovered_mail', 'unpaid_mail', 'ended_mail'];
  expect(await db().outbox.count({ where: { kind: { in: kinds }, object_id: { in: [cancelled.id, quiet.id] } } })).toBe(
    0,
  );
  expect(await eventsOf(cancelled)).toEqual(['created', 'cancelled_by_merchant']);
  expect(await eventsOf(quiet)).toEqual(['created', 'declined']);

  async function silent(name: string) {
    const subscription = await billing.subscribe('2040-01-10', { card: DECLINES, plan: { ...plan, name } });
    await enableEmails(false);
    await subscription.diary('2040-01-11');
    await enableEmails(true);
    return subscription;
  }
});

it.each<[OutboxKind]>([['past_due_mail'], ['unpaid_mail'], ['ended_mail']])(
  'a late %s is not sent to a payer who has paid in the meantime',
  async kind => {
    await enableEmails(true);
    const subscription = await billing.subscribe('2040-01-10', {
      card: DECLINES,
      plan: { name: `Club ${kind}`, trial_days: 1 },
    });
    await subscription.diary('2040-01-11');
    await untilWritten(subscription, 'past_due_email');
    const source_id = await shop.newCard(`/customers/${subscription.customer_id}/cards`, ANOTHER);
    await subscription.put({ source_id });
    await untilWritten(subscription, 'recovered_email');
    await db().outbox.create({ data: { kind, object_id: subscription.id, environment: 'sandbox' } });
    await until(async () => (await db().outbox.count({ where: { kind, object_id: subscription.id } })) === 0);
    expect((await lettersAbout(`Club ${kind}`, 2)).map(({ subject }) => subject)).toEqual([
      'No pudimos cobrar tu suscripción a Tienda',
      'Tu suscripción a Tienda está al día',
    ]);
  },
);

it('an e-mail that the mail server rejects is recorded as rejected, and no event is published', async () => {
  await enableEmails(false);
  const subscription = await billing.subscribe('2040-01-10', { card: DECLINES, plan: { name: 'Cine', trial_days: 1 } });
  await subscription.diary('2040-01-11');
  await enableEmails(true);
  // The worker's mail server rejects nothing, so the test sends this e-mail itself before the worker does.
  const mailer = { send: async () => undefined, close: () => undefined };
  const { past_due_mail } = outboxHandlers('mail', {
    db: db(),
    mailers: { production: mailer, sandbox: mailer, close: mailer.close },
  }).handlers;
  await past_due_mail?.(subscription.id);
  expect(await eventsOf(subscription)).toEqual(['created', 'declined', 'email_refused']);
  expect(await db().event.count({ where: { object_id: subscription.id, type: 'subscription.email.sent' } })).toBe(0);
});

it('while the merchant is suspended, e-mails are delayed', async () => {
  await enableEmails(false);
  const subscription = await billing.subscribe('2040-01-10', {
    card: DECLINES,
    plan: { name: 'Teatro', trial_days: 1 },
  });
  await subscription.diary('2040-01-11');
  await db().merchant.updateMany({ where: own(), data: { subscription_emails: true, status: 'suspended' } });
  const sent: unknown[] = [];
  const mailer = { send: async (mail: unknown) => ({ provider_id: String(sent.push(mail)) }), close: () => undefined };
  const handlers = outboxHandlers('mail', {
    db: db(),
    mailers: { production: mailer, sandbox: mailer, close: mailer.close },
  });
  await handlers.handlers.past_due_mail?.(subscription.id);
  const [waiting] = await db().outbox.findMany({ where: { kind: 'past_due_mail', object_id: subscription.id } });
  expect([sent.length, (waiting?.again_at.getTime() ?? 0) > Date.now()]).toEqual([0, true]);
  await db().merchant.updateMany({ where: own(), data: { status: 'active' } });
  await db().outbox.updateMany({ where: { object_id: subscription.id }, data: { again_at: new Date(0) } });
  await drainOutbox(db(), handlers);
  await untilWritten(subscription, 'past_due_email');
});

it('in production an e-mail that asks for money waits for the hours of the law, one a day for a payer', async () => {
  await enableEmails(false);
  const plan = { trial_days: 1 };
  const first = await billing.subscribe('2040-01-10', { card: DECLINES, plan: { ...plan, name: 'Diario' } });
  const { body } = await shop.post(`/customers/${first.customer_id}/subscriptions`, {
    plan_id: await shop.newPlan({ ...plan, name: 'Semanal' }),
    source_id: first.card_id,
  });
  const second = billing.subscriptionCalls(first.customer_id, body.id);
  await first.diary('2040-01-11');
  await second.diary('2040-01-11');
  await enableEmails(true);
  await db().merchant.updateMany({ where: own(), data: { environment: 'production' } });
  const sent: string[] = [];
  const mailer = { send: async ({ text }: Mail) => ({ provider_id: String(sent.push(text)) }), close: () => undefined };
  const mailers = { production: mailer, sandbox: mailer, close: mailer.close };
  const at = (time: string) => Date.parse(`${time}-05:00`);
  const send = (subscription: { id: string }, time: string) =>
    sendSubscriptionMail({ db: db(), mailers }, 'past_due', subscription.id, at(time));
  const waiting = async (subscription: { id: string }) =>
    (await db().outbox.findMany({ where: { object_id: subscription.id, kind: 'past_due_mail' } })).map(({ again_at }) =>
      formatMoment(+again_at).slice(0, 16),
    );
  await send(first, '2027-01-10T10:00:00');
  expect([sent, await waiting(first)]).toEqual([[], ['2027-01-12T07:00']]);
  await send(first, '2027-01-12T07:00:00');
  await send(second, '2027-01-12T07:00:01');
  expect([sent.length, await waiting(second)]).toEqual([1, ['2027-01-13T07:00']]);
  expect(sent[0]).toContain('Diario');
  await send(second, '2027-01-13T07:00:00');
  expect(sent[1]).toContain('Semanal');
});
