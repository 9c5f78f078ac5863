/** E-mails payers about their subscriptions, as far as the merchant's profile has them. */
import { dayOf, type Moment } from '../../../../workflows/calendar';
import { openLink } from '../../../billing/payerPages/rows';
import { type PayerPages, payerPageUrl } from '../../../billing/payerPages/token';
import { subscriptionEvent } from '../../../billing/subscriptions/billing/applyEvent';
import { clockNow, findVisible, type SubscriptionRow, stateOf } from '../../../billing/subscriptions/rows';
import { nextAction } from '../../../billing/subscriptions/rules/billing';
import { amountOf, opened } from '../../../billing/subscriptions/rules/invoices';
import { changeDay, datesOf, pauseStart } from '../../../billing/subscriptions/rules/periods';
import { waitsForNewCard } from '../../../billing/subscriptions/rules/retries';
import { narrowTransaction } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import { errorKindOf } from '../../../platform/errors';
import { displayMoney } from '../../../platform/money';
import { type Mailers, oneLine } from '../mailer';
import { claimCollectionTime } from './collectionHours';
import { composePayerEmail, EMAIL_COLUMNS } from './compose';
import { emailWords, languageOf } from './languages';
import { sendOnce } from './sendOnce';
import { nextChargeAt, subscriptionKinds } from './subscriptionKinds';
import type { SubscriptionEmailKind } from './words';

export interface PayerMailServices {
  db: Database;
  mailers: Mailers;
  /** Without it, e-mails have no link to the payer's page. */
  payerPages?: PayerPages | undefined;
}

/** Delay before an e-mail of a suspended merchant is attempted again. */
export const SUSPENDED_PAUSE_MS = 600_000;

export async function sendSubscriptionMail(
  { db, mailers, payerPages }: PayerMailServices,
  kind: SubscriptionEmailKind,
  id: string,
  now = Date.now(),
): Promise<void> {
  const { about, isTrue, sent, asksForMoney, isUpcoming } = subscriptionKinds[kind];
  const row = await findVisible(db, id);
  if (row?.customer_status !== 'active' || !isTrue(row) || !isWanted(row, kind)) return;
  // No charge is possible meanwhile, not even at the payer's request.
  if (row.suspension !== null) return postpone(db, row, kind, now + SUSPENDED_PAUSE_MS);
  const { merchant_id, customer_id, environment, current_period_number: period } = row;
  // A period can have several declines; only the first one is announced.
  const happened = await db.subscriptionLine.findFirst({
    where: { subscription_id: id, event: { in: [...about] }, OR: [{ period }, { period: null }] },
    orderBy: { id: kind === 'past_due' ? 'asc' : 'desc' },
  });
  if (about.length > 0 && !happened) return;
  const earlier = { subscription_id: id, event: sent, period, id: { gt: happened?.id ?? 0n } };
  if (sent !== 'email_sent' && (await db.subscriptionLine.findFirst({ where: earlier }))) return;
  // A test clock has no office hours.
  const later =
    asksForMoney && environment === 'production' ? await claimCollectionTime(db, row, kind, now) : undefined;
  if (later !== undefined) return postpone(db, row, kind, later);
  const merchant = await db.merchant.findUniqueOrThrow({ where: { id: merchant_id }, select: EMAIL_COLUMNS });
  const customer = await db.customer.findUniqueOrThrow({ where: { id: customer_id } });
  const language = languageOf(customer);
  const words = emailWords(language);
  const state = stateOf(row);
  const charge = await lastCharge(db, happened?.transaction_id ?? row.transaction_id);
  const on = happened?.date ?? new Date(clockNow(row));
  const code = charge.error_code;
  const letter = words.subscription[kind]({
    merchant: oneLine(merchant.name),
    plan: oneLine(planOf(row, kind)),
    amount: displayMoney(isUpcoming ? amountOf(opened(state, period + 1), period + 1) : amountOf(state, period)),
    digits: (asksForMoney || kind === 'recovered' ? (charge.card ?? row.card) : row.card).card_number.slice(-4),
    on: dayOf(on.getTime()),
    next: nextDay(row, kind),
    until: row.resume_date ?? undefined,
    reason: code === null ? undefined : (words.declines[errorKindOf(code)] ?? words.declined),
    needsNewCard: waitsForNewCard(row),
    hasLink: hasPage(row, payerPages),
  });
  const { subject, lines, button: text } = letter;
  const url = text === undefined ? undefined : await payerUrl(db, row, payerPages);
  const mail = composePayerEmail(
    merchant,
    {
      subject,
      lines: [words.greeting(oneLine(customer.name)), ...lines],
      ...(url && text && { button: { text, url } }),
    },
    { language, origin: payerPages?.origins[environment] },
  );
  // A test clock moves faster than real time, so the entry has the date of the event it announces.
  const date = environment === 'sandbox' ? on : new Date();
  const cause = happened ? String(happened.id) : reminderCause(id, period);
  const email = { kind, cause, merchant_id, environment, customer_id, object_id: id, date };
  await sendOnce(db, mailers, { ...email, mail: { to: customer.email, ...mail } }, async (tx, isTaken) => {
    const line = { subscription_id: id, date, period, ...(isTaken && sent === 'email_sent' && { details: { kind } }) };
    await tx.subscriptionLine.create({ data: { ...line, event: isTaken ? sent : 'email_refused' } });
    if (!isTaken || sent === 'email_sent') return;
    const { object, ...event } = subscriptionEvent('subscription.email.sent', row);
    const columns = { merchant_id, object_id: id, creation_date: date, object: object as object };
    await tx.event.create({ data: { ...event, ...columns } });
  });
}

const reminderCause = (id: string, period: number): string => `${id} ${period}`;

/** A receipt says that the period is paid, so that no second e-mail does. */
const isWanted = ({ payer_emails }: SubscriptionRow, kind: SubscriptionEmailKind): boolean =>
  payer_emails.includes(kind) && !(kind === 'recovered' && payer_emails.includes('receipt'));

type Paged = Pick<SubscriptionRow, 'id' | 'environment'> & { status: string };

/** An ended subscription has no page. */
const hasPage = ({ status, environment }: Paged, pages: PayerPages | undefined): boolean =>
  pages?.origins[environment] !== undefined && status !== 'cancelled';

/** The link to the payer's page. */
async function payerUrl(db: Database, row: Paged, pages: PayerPages | undefined): Promise<string | undefined> {
  const origin = pages?.origins[row.environment];
  return pages && origin && hasPage(row, pages)
    ? payerPageUrl(origin, pages.key, await openLink(db, row.id))
    : undefined;
}

async function postpone(
  db: Database,
  { id: object_id, environment }: SubscriptionRow,
  kind: SubscriptionEmailKind,
  at: Moment,
): Promise<void> {
  await db.outbox.create({ data: { kind: `${kind}_mail`, object_id, environment, again_at: new Date(at) } });
}

const lastCharge = async (db: Database, id: string | null) => {
  const found = id === null ? null : await db.transaction.findUnique({ where: { id } });
  return found ? narrowTransaction(found) : { card: null, error_code: null };
};

const planOf = ({ plan_name, quantity, pending_change }: SubscriptionRow, kind: SubscriptionEmailKind): string => {
  const planned = kind === 'plan_changed' ? pending_change : null;
  const count = planned?.quantity ?? quantity;
  return `${planned?.terms.plan_name ?? plan_name}${count === 1 ? '' : ` × ${count}`}`;
};

/** The day of the next retry, charge or change, or of the end; undefined if there is none. */
function nextDay(row: SubscriptionRow, kind: SubscriptionEmailKind): string | undefined {
  const state = stateOf(row);
  const next = nextAction(state);
  const dayIf = (isAwaited: boolean): string | undefined =>
    isAwaited && next.do !== 'nothing' && next.at > 0 ? dayOf(next.at) : undefined;
  switch (kind) {
    case 'past_due':
      return dayIf(row.status === 'past_due' && next.do === 'charge');
    case 'unpaid':
      return dayIf(row.status === 'unpaid');
    case 'paused':
      return pauseStart(state);
    case 'plan_changed':
      return row.pending_change ? changeDay(state) : undefined;
    case 'cancelled':
      return row.status === 'cancelled' ? undefined : datesOf(state).period_end_date;
    default: {
      const at = nextChargeAt(row);
      return at === undefined ? undefined : dayOf(at);
    }
  }
}
