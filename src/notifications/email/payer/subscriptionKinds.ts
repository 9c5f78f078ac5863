/** The e-mails about subscriptions: their causes, and whether they still apply when they are sent. */
import { addDays, type Day, dayOf, type Moment } from '../../../../workflows/calendar';
import { isEndedUnpaid } from '../../../billing/subscriptions/billing/applyEvent';
import type { HistoryEvent } from '../../../billing/subscriptions/lines/events';
import { clockNow, type SubscriptionRow, stateOf } from '../../../billing/subscriptions/rows';
import { nextAction } from '../../../billing/subscriptions/rules/billing';
import { hasUnpaidPeriod } from '../../../billing/subscriptions/rules/periods';
import { nextCollectionTime } from './collectionHours';
import type { SubscriptionEmailKind } from './words';

export const TRIAL_REMINDER_DAYS = 3;
export const CARD_REMINDER_DAYS = 7;

interface SubscriptionKind {
  /** The entries of the history that cause the e-mail; a reminder has none, and is sent once in a period. */
  about: readonly HistoryEvent[];
  /** Whether it still applies: a payer who has paid meanwhile gets no e-mail about the decline. */
  isTrue: (row: SubscriptionRow) => boolean;
  sent: HistoryEvent;
  /** Sent only when e-mails may demand money. */
  asksForMoney?: true;
  /** About the amount of the next period, not of the latest one. */
  isUpcoming?: true;
}

const isUnpaid = (row: SubscriptionRow): boolean => row.status === 'unpaid' || isEndedUnpaid(row);
const hasNotEnded = ({ status }: SubscriptionRow): boolean => status !== 'cancelled';

/** The time of the next charge, unless there is none. */
export function nextChargeAt(row: SubscriptionRow): Moment | undefined {
  const next = nextAction(stateOf(row));
  return next.do === 'charge' && next.at > 0 ? next.at : undefined;
}

/** Whether the next charge is still ahead and at most this number of days away. */
function isChargedWithin(row: SubscriptionRow, days: number): boolean {
  const [at, now] = [nextChargeAt(row), clockNow(row)];
  return at !== undefined && at > now && dayOf(at) <= addDays(dayOf(now), days);
}

/** On the day before the retry, or on the last day before it on which e-mails may ask for money. */
function isLastReminderDay(row: SubscriptionRow): boolean {
  const [at, now] = [nextChargeAt(row), clockNow(row)];
  if (at === undefined || at <= now) return false;
  const tomorrow = addDays(dayOf(now), 1);
  if (dayOf(at) <= tomorrow) return true;
  return (
    row.environment === 'production' && dayOf(nextCollectionTime(Date.parse(`${tomorrow}T05:00:00Z`))) >= dayOf(at)
  );
}

/** Cards are valid until the end of their month. */
function expiresBefore({ card }: Pick<SubscriptionRow, 'card'>, day: Day): boolean {
  return `20${card.expiration_year}-${card.expiration_month}` < day.slice(0, 7);
}

const isCardExpiring = (row: SubscriptionRow): boolean =>
  !hasUnpaidPeriod(row) &&
  isChargedWithin(row, CARD_REMINDER_DAYS) &&
  expiresBefore(row, dayOf(nextChargeAt(row) ?? 0));

export const subscriptionKinds: Record<SubscriptionEmailKind, SubscriptionKind> = {
  past_due: {
    about: ['declined'],
    isTrue: row => row.status === 'past_due' || isUnpaid(row),
    sent: 'past_due_email',
    asksForMoney: true,
  },
  recovered: { about: ['charged'], isTrue: ({ status }) => status === 'active', sent: 'recovered_email' },
  unpaid: { about: ['unpaid'], isTrue: isUnpaid, sent: 'unpaid_email', asksForMoney: true },
  ended: { about: ['retries_exhausted', 'left_unpaid'], isTrue: isEndedUnpaid, sent: 'ended_email' },
  last_retry: {
    about: [],
    isTrue: row => row.status === 'past_due' && row.retries_left === 1 && isLastReminderDay(row),
    sent: 'email_sent',
    asksForMoney: true,
  },
  trial_ending: {
    about: [],
    isTrue: row => row.status === 'trial' && isChargedWithin(row, TRIAL_REMINDER_DAYS),
    sent: 'email_sent',
    isUpcoming: true,
  },
  card_expiring: { about: [], isTrue: isCardExpiring, sent: 'email_sent', isUpcoming: true },
  paused: { about: ['pause_requested'], isTrue: row => row.is_paused && hasNotEnded(row), sent: 'email_sent' },
  resumed: {
    about: ['resumed', 'pause_withdrawn'],
    isTrue: row => !row.is_paused && hasNotEnded(row),
    sent: 'email_sent',
    isUpcoming: true,
  },
  plan_changed: {
    about: ['plan_changed', 'change_planned'],
    isTrue: hasNotEnded,
    sent: 'email_sent',
    isUpcoming: true,
  },
  cancelled: {
    about: ['cancel_scheduled', 'cancelled_by_merchant', 'cancelled_by_operator'],
    isTrue: row => row.cancel_at_period_end || row.status === 'cancelled',
    sent: 'email_sent',
  },
};
