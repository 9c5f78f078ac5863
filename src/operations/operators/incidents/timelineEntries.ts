/** Timeline entries from the database. Times are real, also with a test clock. */
import { snapshotOf } from '../../../billing/subscriptions/billing/snapshot';
import { delayOf } from '../../../billing/subscriptions/history/history';
import type { HistoryLine } from '../../../billing/subscriptions/lines/events';
import { type SubscriptionRow, stateOf } from '../../../billing/subscriptions/rows';
import { NEVER } from '../../../billing/subscriptions/rules/periods';
import { describeLine, describeNext } from '../../../billing/subscriptions/words/wording';
import type { TransactionRow } from '../../../payments/charges/rows';
import { groupBy } from '../../../platform/database/batch';
import type { Language } from '../../../platform/language';
import { formatMoney } from '../../../platform/money';
import { moment, storyWords } from './storyWords';
import type { TimelineRows, TimelineSubject } from './timelineRows';

export interface TimelineEntry {
  at: Date;
  source: 'row' | 'history' | 'ledger' | 'event' | 'delivery' | 'audit log' | 'outbox' | 'acquirer' | 'temporal';
  text: string;
}

/** When and in which language a timeline is read. */
export interface StoryReading {
  /** The time of entries of the current state. */
  now: Date;
  language: Language;
}

export function timelineEntries(subject: TimelineSubject, rows: TimelineRows, reading: StoryReading): TimelineEntry[] {
  const words = storyWords[reading.language];
  return [
    ...subject.transactions.flatMap(row => transactionLines(row, reading)),
    ...subscriptionLines(subject, rows, reading),
    ...rows.events.map(({ id, type, object_id, recorded_at }) => ({
      at: recorded_at,
      source: 'event' as const,
      text: `${words.happened(type, object_id)} (${id})`,
    })),
    ...deliveryLines(rows, reading),
    ...ledgerLines(rows),
    ...rows.audit.map(({ creation_date, action, actor, actor_id, object_id, after }) => ({
      at: creation_date,
      source: 'audit log' as const,
      text: `${words.happened(action, object_id ?? '')} ${words.by(actor)} ${actor_id ?? ''} ${after === null ? '' : JSON.stringify(after)}`.trim(),
    })),
    ...rows.outbox.map(({ kind, object_id, creation_date, tries, again_at }) => ({
      at: creation_date,
      source: 'outbox' as const,
      text: words.pending(words.happened(kind, object_id), tries, moment(again_at)),
    })),
  ];
}

function transactionLines(row: TransactionRow, { now, language }: StoryReading): TimelineEntry[] {
  const { id, transaction_type, method, amount, period, status, progress, authorization, error_code, lease_until } =
    row;
  const words = storyWords[language];
  const createdAt = new Date(row.creation_date.getTime() - row.clock_offset * 1000);
  const state = [
    words.is(id, `${status} (${progress})`),
    authorization && `${words.authorization} ${authorization}`,
    error_code !== null && `${words.error} ${error_code}`,
    lease_until && progress !== 'settled' && `${words.recoveryAfter} ${moment(lease_until)}`,
  ];
  return [
    { at: createdAt, source: 'row', text: words.created(transaction_type, id, amount, method, period) },
    { at: now, source: 'row', text: state.filter(Boolean).join(', ') },
  ];
}

/** History lines have only test clock time. The offset of the clock is taken from the nearest event. */
function realTime(date: Date, events: TimelineRows['events'], now: Date): Date {
  const distance = (event: (typeof events)[number]): number => Math.abs(event.creation_date.getTime() - date.getTime());
  const [nearest] = [...events].sort((a, b) => distance(a) - distance(b));
  const aheadMs = nearest ? nearest.creation_date.getTime() - nearest.recorded_at.getTime() : 0;
  return new Date(Math.min(now.getTime(), date.getTime() - aheadMs));
}

function subscriptionLines(
  { subscription }: TimelineSubject,
  { history, events }: TimelineRows,
  { now, language }: StoryReading,
): TimelineEntry[] {
  const words = storyWords[language];
  const lines: TimelineEntry[] = history.map(line => {
    const at = realTime(line.date, events, now);
    const isAhead = Math.abs(at.getTime() - line.date.getTime()) > 60_000;
    const text = describeLine(line as HistoryLine, language);
    return {
      at,
      source: 'history',
      text: isAhead ? `${text} [${words.byTestClock(moment(line.date))}]` : text,
    };
  });
  if (!subscription) return lines;
  const { id, status, current_period_number, due_at, open, suspension, hold } = subscription;
  const state = [
    `${words.is(id, status)}, ${words.inPeriod(current_period_number, due_at.getTime() >= NEVER ? '–' : moment(due_at))}`,
    status !== 'new' && `${words.next}: ${nextOf(subscription, language)}`,
    open && words.noResponse(open.tries, moment(open.again_at)),
    suspension !== null && words.suspended,
    hold && words.heldBy(hold.by, hold.until === null ? undefined : moment(hold.until), hold.reason),
  ];
  return [...lines, { at: now, source: 'row', text: state.filter(Boolean).join(', ') }];
}

/** In English as in the Temporal UI; in Spanish as in the history of the subscription. */
function nextOf(row: SubscriptionRow, language: Language): string {
  if (language === 'en') return snapshotOf(row).next;
  return describeNext(stateOf(row), delayOf(row), language);
}

/** Shows only the host of the URL: the path may contain a secret. */
function deliveryLines({ deliveries, attempts }: TimelineRows, { now, language }: StoryReading): TimelineEntry[] {
  const words = storyWords[language];
  return [
    ...deliveries.flatMap(
      ({ id, event_id, creation_date, status, attempts: count, next_at, webhook }): TimelineEntry[] => {
        const host = new URL(webhook.url).host;
        const state = words.deliveryState(id, status, count, next_at ? moment(next_at) : undefined);
        return [
          { at: creation_date, source: 'delivery', text: words.deliveryCreated(id, event_id, host) },
          { at: now, source: 'delivery', text: `${state}; ${words.is(host, webhook.status)}` },
        ];
      },
    ),
    ...attempts.map(({ delivery_id, number, date, status, error, duration }): TimelineEntry => {
      return {
        at: date,
        source: 'delivery',
        text: words.attempt(delivery_id, number, `${status ?? error}`, duration),
      };
    }),
  ];
}

function ledgerLines({ entries }: TimelineRows): TimelineEntry[] {
  const movements = groupBy(entries, ({ movement }) => movement);
  return [...movements].map(([movement, booked]) => ({
    at: booked[0]?.creation_date ?? new Date(0),
    source: 'ledger',
    text: `${movement}: ${booked.map(({ account, amount }) => `${account} ${formatMoney(amount)}`).join(', ')}`,
  }));
}
