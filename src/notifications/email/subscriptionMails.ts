/** E-mails payers about declined renewals if the merchant has enabled it. */
import { dayOf } from '../../../workflows/calendar';
import { openLink } from '../../billing/payerPages/rows';
import { type PayerPages, payerPageUrl } from '../../billing/payerPages/token';
import { subscriptionEvent } from '../../billing/subscriptions/billing/applyEvent';
import { findVisible, type SubscriptionRow, stateOf } from '../../billing/subscriptions/rows';
import { nextAction } from '../../billing/subscriptions/rules/billing';
import { amountOf } from '../../billing/subscriptions/rules/invoices';
import { hasUnpaidPeriod } from '../../billing/subscriptions/rules/periods';
import { waitsForNewCard } from '../../billing/subscriptions/rules/retries';
import { narrowTransaction } from '../../payments/charges/rows';
import type { Database } from '../../platform/database/connection';
import { displayMoney } from '../../platform/money';
import { claimCollectionTime } from './collectionHours';
import { type Mailers, oneLine } from './mailer';
import { composePayerEmail, EMAIL_COLUMNS, SUSPENDED_PAUSE_MS } from './payerEmail';
import { type SubscriptionEmailKind, templates } from './subscriptionTemplates';

export interface SubscriptionMailServices {
  db: Database;
  mailers: Mailers;
  /** Without it, e-mails have no link to the payer's page. */
  payerPages?: PayerPages | undefined;
}

export async function sendSubscriptionMail(
  { db, mailers, payerPages }: SubscriptionMailServices,
  kind: SubscriptionEmailKind,
  id: string,
  now = Date.now(),
): Promise<void> {
  const { about, isTrue, sent, write, asksForMoney } = templates[kind];
  const row = await findVisible(db, id);
  if (!row?.subscription_emails || row.customer_status !== 'active' || !isTrue(row)) return;
  // No charge is possible meanwhile, not even at the payer's request.
  if (row.suspension !== null) return postpone(db, row, kind, now + SUSPENDED_PAUSE_MS);
  const { merchant_id, customer_id, environment, current_period_number: period } = row;
  const merchant = await db.merchant.findUniqueOrThrow({ where: { id: merchant_id }, select: EMAIL_COLUMNS });
  const customer = await db.customer.findUniqueOrThrow({ where: { id: customer_id } });
  // A period can have several declines; only the first one is announced.
  const happened = await db.subscriptionLine.findFirst({
    where: { subscription_id: id, event: { in: [...about] }, OR: [{ period }, { period: null }] },
    orderBy: { id: kind === 'past_due_mail' ? 'asc' : 'desc' },
  });
  const mailer = mailers[environment];
  if (!happened || !mailer) return;
  const earlier = { subscription_id: id, event: sent, period, id: { gt: happened.id } };
  if (await db.subscriptionLine.findFirst({ where: earlier })) return;
  // A test clock has no office hours.
  const later =
    asksForMoney && environment === 'production' ? await claimCollectionTime(db, row, kind, now) : undefined;
  if (later !== undefined) return postpone(db, row, kind, later);
  const { card } = await lastCharge(db, happened.transaction_id ?? row.transaction_id);
  const url = asksForMoney && (await payUrl(db, row, payerPages));
  const { subject, lines } = write({
    merchant: oneLine(merchant.name),
    plan: oneLine(row.plan_name),
    amount: displayMoney(amountOf(stateOf(row), period)),
    digits: (card ?? row.card).card_number.slice(-4),
    on: dayOf(happened.date.getTime()),
    next: nextDay(row, kind),
    needsNewCard: waitsForNewCard(row),
    where: url ? 'con el botón de este correo' : `con ${oneLine(merchant.name)}`,
  });
  const greeting = `Hola, ${oneLine(customer.name)}:`;
  const email = composePayerEmail(merchant, {
    subject,
    lines: [greeting, ...lines],
    ...(url && { button: { text: 'Pagar con otra tarjeta', url } }),
  });
  const isTaken = await mailer.send({ to: customer.email, ...email });
  // A test clock moves faster than real time, so the entry has the date of the event it announces.
  const date = environment === 'sandbox' ? happened.date : new Date();
  await db.$transaction(async tx => {
    const line = { subscription_id: id, date, period };
    await tx.subscriptionLine.create({ data: { ...line, event: isTaken ? sent : 'email_refused' } });
    if (!isTaken) return;
    const { object, ...event } = subscriptionEvent('subscription.email.sent', row);
    const columns = { merchant_id, object_id: id, creation_date: date, object: object as object };
    await tx.event.create({ data: { ...event, ...columns } });
  });
}

/** An ended subscription can no longer be paid. */
async function payUrl(db: Database, row: SubscriptionRow, pages: PayerPages | undefined): Promise<string | undefined> {
  const origin = pages?.origins[row.environment];
  if (!pages || !origin || !hasUnpaidPeriod(row)) return undefined;
  return payerPageUrl(origin, pages.key, await openLink(db, row.id));
}

async function postpone(
  db: Database,
  { id: object_id, environment }: SubscriptionRow,
  kind: SubscriptionEmailKind,
  at: number,
): Promise<void> {
  await db.outbox.create({ data: { kind, object_id, environment, again_at: new Date(at) } });
}

const lastCharge = async (db: Database, id: string | null) => {
  const found = id === null ? null : await db.transaction.findUnique({ where: { id } });
  return found ? narrowTransaction(found) : { card: null };
};

/** The day of the next retry, or of the end; undefined if it has passed. */
function nextDay(row: SubscriptionRow, kind: SubscriptionEmailKind): string | undefined {
  const next = nextAction(stateOf(row));
  const isAwaited =
    kind === 'past_due_mail' ? row.status === 'past_due' && next.do === 'charge' : row.status === 'unpaid';
  return isAwaited && next.do !== 'nothing' && next.at > 0 ? dayOf(next.at) : undefined;
}
