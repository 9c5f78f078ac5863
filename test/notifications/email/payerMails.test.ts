/** Every kind of e-mail to payers, caused through the API and sent by a worker through a real mail server. */
import { PayerEmail } from '../../../src/accounts/merchants/fields';
import type { Mailbox } from '../../../src/local/mailbox/mailbox';
import { queueReminders } from '../../../src/notifications/email/payer/rows';
import { eventually, until } from '../../harness/flow/until';
import { payer } from '../../harness/merchant/merchantCalls';
import { testBilling } from '../../harness/merchant/subscriptions';
import { mailsIn, startMailbox } from '../../harness/servers/mailbox';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
const billing = testBilling({ workerVariables: () => ({ SMTP_URL: mailbox.smtpUrl }) });
const { api, shop } = billing;
const db = () => api.database.db();
const ALL = Object.keys(PayerEmail.words);
const enable = async (...payer_emails: string[]) =>
  expect((await api.rest('PUT', '', { body: { payer_emails } })).body.payer_emails).toEqual([...payer_emails].sort());

/** The only e-mail to an address with this subject, when it has arrived. */
const letterTo = (address: string, subject: string) =>
  eventually(async () => {
    const letters = (await mailsIn(mailbox)).filter(mail => mail.to[0] === address && mail.subject === subject);
    if (!letters[0]) throw new Error(`no e-mail “${subject}” to ${address}`);
    expect(letters).toHaveLength(1);
    return letters[0];
  });

/** A subscription whose payer has this language and address. */
async function subscribe(language: 'es' | 'en', email: string, options: Parameters<typeof billing.subscribe>[1]) {
  const subscription = await billing.subscribe('2040-01-10', options);
  const body = { name: 'Ana <b>&', email, language };
  expect((await api.rest('PUT', `/customers/${subscription.customer_id}`, { body })).body.language).toBe(language);
  return subscription;
}

const TEXTS = {
  es: {
    trial_ending: ['Tu prueba en Tienda termina pronto', 'El 20 de enero de 2040 termina la prueba de tu suscripción'],
    receipt: ['Recibo de tu pago a Tienda', 'Suscripción: Curso'],
    refunded: ['Tienda te hizo un reembolso', 'te reembolsó una parte de tu pago de $\u00a049.900 COP'],
    paused: ['Tu suscripción a Tienda queda en pausa', 'desde el 20 de febrero de 2040'],
    resumed: [
      'Tu suscripción a Tienda sigue activa',
      'El próximo cobro es de $\u00a049.900 COP, el 20 de febrero de 2040.',
    ],
    plan_changed: ['Cambió tu suscripción a Tienda', 'Desde el 20 de febrero de 2040, tu suscripción es Curso × 2'],
    cancelled: ['Se canceló tu suscripción a Tienda', 'termina el 19 de febrero de 2040'],
    past_due: ['No pudimos cobrar tu suscripción a Tienda', 'Motivo: no hay fondos suficientes.'],
    last_retry: [
      'Último intento de cobro de tu suscripción a Tienda',
      'El 12 de enero de 2040 intentaremos por última vez',
    ],
    unpaid: ['Tu suscripción a Tienda está sin pagar', 'La suscripción termina el 11 de febrero de 2040.'],
    ended: ['Tu suscripción a Tienda terminó', 'El 11 de febrero de 2040 terminó tu suscripción'],
    card_expiring: ['Tu tarjeta vence antes del próximo cobro de Tienda', 'el 11 de febrero de 2040'],
    greeting: 'Hola, Ana <b>&:',
    test: 'Modo de prueba: no se mueve dinero real.',
  },
  en: {
    trial_ending: ['Your trial of Tienda ends soon', 'On January 20, 2040 the trial of your subscription'],
    receipt: ['Receipt of your payment to Tienda', 'Subscription: Curso'],
    refunded: ['Tienda refunded your payment', 'refunded a part of your payment of $\u00a049.900 COP'],
    paused: ['Your subscription to Tienda will be paused', 'from February 20, 2040'],
    resumed: ['Your subscription to Tienda continues', 'The next charge is $\u00a049.900 COP, on February 20, 2040.'],
    plan_changed: ['Your subscription to Tienda has changed', 'From February 20, 2040, your subscription is Curso × 2'],
    cancelled: ['Your subscription to Tienda was cancelled', 'ends on February 19, 2040'],
    past_due: ['We could not charge your subscription to Tienda', 'Reason: insufficient funds.'],
    last_retry: [
      'Last attempt to charge your subscription to Tienda',
      'On January 12, 2040 we will try for the last time',
    ],
    unpaid: ['Your subscription to Tienda is unpaid', 'The subscription ends on February 11, 2040.'],
    ended: ['Your subscription to Tienda has ended', 'On February 11, 2040 your subscription'],
    card_expiring: ['Your card expires before the next charge of Tienda', 'on February 11, 2040'],
    greeting: 'Hello Ana <b>&,',
    test: 'Test mode: no real money moves.',
  },
} as const;

describe.each(['es', 'en'] as const)('in the language %s', language => {
  const email = `${language}@example.com`;
  const texts = TEXTS[language];
  type Kind = Exclude<keyof typeof texts, 'greeting' | 'test'>;
  const expectLetter = async (kind: Kind, to = email) => {
    const [subject, text] = texts[kind];
    const letter = await letterTo(to, subject);
    expect(letter.text).toContain(text);
    expect(letter.text).toContain(texts.greeting);
    expect(letter.text).toContain(texts.test);
    expect(letter.html).toContain(`lang="${language}"`);
    expect(letter.html).toContain('Ana &lt;b&gt;&amp;');
    expect(letter.html).not.toMatch(/<b>|\{\{|undefined/);
    return letter;
  };

  it('a payer reads of trial, payment, refund, pause, change and cancellation', async () => {
    await enable(...ALL);
    const subscription = await subscribe(language, email, { plan: { name: 'Curso', trial_days: 10 } });
    await subscription.moveTo('2040-01-16');
    await subscription.moveTo('2040-01-17');
    const trial = await expectLetter('trial_ending');
    expect(trial.text).toContain('http://pages.test/s/');
    await subscription.moveTo('2040-01-20');
    await expectLetter('receipt');
    const [charge] = await subscription.charges();
    const refund = { description: 'Sorry', amount: 10_000 };
    await shop.post(`/customers/${subscription.customer_id}/charges/${charge.id}/refund`, refund);
    expect((await expectLetter('refunded')).text).toContain('$\u00a010.000 COP');
    await shop.post(`${subscription.path}/pause`, {});
    await expectLetter('paused');
    await shop.post(`${subscription.path}/resume`, {});
    await expectLetter('resumed');
    await subscription.change({ quantity: 2, when: 'period_end' });
    await expectLetter('plan_changed');
    await subscription.put({ cancel_at_period_end: true });
    await expectLetter('cancelled');
    await until(async () => (await subscription.lines()).filter(event => event === 'email_sent').length === 5);
    const sent = await db().event.findMany({
      where: { type: 'email.sent', object: { path: ['customer_id'], equals: subscription.customer_id } },
      orderBy: { sequence: 'asc' },
    });
    expect(sent.map(({ object }) => (object as { kind: string }).kind)).toEqual([
      'trial_ending',
      'receipt',
      'refunded',
      'paused',
      'resumed',
      'plan_changed',
      'cancelled',
    ]);
    expect(sent[1]?.object).toMatchObject({ recipient: `${language[0]}•••@example.com`, object_id: charge.id });
  });

  it('a payer reads of the decline with its reason, the last retry, the unpaid period and the end', async () => {
    await enable(...ALL);
    const to = `declined-${email}`;
    const plan = { name: 'Curso', trial_days: 1, retry_times: 1, status_after_retry: 'unpaid' };
    const subscription = await subscribe(language, to, { plan });
    await shop.script(subscription.card_id, 3003, 3003);
    await subscription.moveTo('2040-01-11');
    await expectLetter('past_due', to);
    await expectLetter('last_retry', to);
    await subscription.moveTo('2040-01-12');
    await expectLetter('unpaid', to);
    await subscription.moveTo('2040-02-11');
    await expectLetter('ended', to);
  });

  it('a payer reads that the card expires before the next charge', async () => {
    await enable(...ALL);
    const to = `card-${email}`;
    const subscription = await subscribe(language, to, { plan: { name: 'Curso', trial_days: 1 } });
    await db().card.update({
      where: { id: subscription.card_id },
      data: { expiration_year: '40', expiration_month: '01' },
    });
    await subscription.moveTo('2040-01-11');
    await subscription.moveTo('2040-02-05');
    await expectLetter('card_expiring', to);
  });
});

it('a voucher and its receipt are sent to the payer of a charge', async () => {
  await enable('voucher', 'receipt');
  const customer = { ...payer, name: 'Luz', email: 'luz@example.com' };
  const { body } = await shop.post('/charges', { ...shop.store, customer });
  const voucher = await letterTo('luz@example.com', 'Tu comprobante para pagar a Tienda');
  expect(voucher.text).toContain(`Ver el código de barras: ${body.payment_method.receipt_url}`);
  expect(voucher.text).toContain(`Referencia: ${body.payment_method.reference}`);
  await shop.post(`/sandbox/charges/${body.id}/pay`, {});
  const receipt = await letterTo('luz@example.com', 'Recibo de tu pago a Tienda');
  expect(receipt.text).toContain('Medio de pago: Efectivo en punto de pago');
});

it('the sweep queues a reminder in real time, once', async () => {
  await enable('trial_ending');
  const customer_id = await shop.newCustomer({ email: 'trial@example.com', requires_account: false });
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
  const plan_id = await shop.newPlan({ name: 'Yoga', trial_days: 10 });
  const { body } = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
  expect(await queueReminders(db(), ['sandbox', 'production'])).toBe(0);
  const due_at = new Date(Date.now() + 3 * 86_400_000 - 3_600_000);
  await db().subscription.update({ where: { id: body.id }, data: { due_at } });
  expect(await queueReminders(db(), ['production'])).toBe(0);
  expect(await queueReminders(db(), ['sandbox'])).toBe(1);
  await letterTo('trial@example.com', TEXTS.es.trial_ending[0]);
  await until(async () => (await db().outbox.count({ where: { object_id: body.id } })) === 0);
  expect(await queueReminders(db(), ['sandbox'])).toBe(0);
});
