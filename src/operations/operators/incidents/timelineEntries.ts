/** Timeline entries from the database. Times are real, also with a test clock. */
import { formatMoment } from '../../../../workflows/calendar';
import { snapshotOf } from '../../../billing/subscriptions/billing/snapshot';
import type { HistoryLine } from '../../../billing/subscriptions/rows';
import { describeLine } from '../../../billing/subscriptions/wording';
import type { TransactionRow } from '../../../payments/charges/rows';
import { groupBy } from '../../../platform/database/batch';
import { formatMoney } from '../../../platform/money';
import type { TimelineRows, TimelineSubject } from './timelineRows';

export interface TimelineEntry {
  at: Date;
  source: 'row' | 'history' | 'ledger' | 'event' | 'delivery' | 'audit log' | 'outbox' | 'acquirer' | 'temporal';
  text: string;
}

/** Entries of the current state have the time `now`. */
export function timelineEntries(subject: TimelineSubject, rows: TimelineRows, now: Date): TimelineEntry[] {
  return [
    ...subject.transactions.flatMap(row => transactionLines(row, now)),
    ...subscriptionLines(subject, rows, now),
    ...rows.events.map(({ id, type, object_id, recorded_at }) => ({
      at: recorded_at,
      source: 'event' as const,
      text: `${type} of ${object_id} (${id})`,
    })),
    ...deliveryLines(rows, now),
    ...ledgerLines(rows),
    ...rows.audit.map(({ creation_date, action, actor, actor_id, object_id, after }) => ({
      at: creation_date,
      source: 'audit log' as const,
      text: `${action} of ${object_id} by ${actor} ${actor_id ?? ''} ${after === null ? '' : JSON.stringify(after)}`.trim(),
    })),
    ...rows.outbox.map(({ kind, object_id, creation_date, tries, again_at }) => ({
      at: creation_date,
      source: 'outbox' as const,
      text: `${kind} of ${object_id} is pending after ${tries} attempts, next at ${formatMoment(again_at.getTime())}`,
    })),
  ];
}

function transactionLines(row: TransactionRow, now: Date): TimelineEntry[] {
  const { id, transaction_type, method, amount, period, status, progress, authorization, error_code, lease_until } =
    row;
  const createdAt = new Date(row.creation_date.getTime() - row.clock_offset * 1000);
  const state = [
    `${id} is ${status} (${progress})`,
    authorization && `authorization ${authorization}`,
    error_code !== null && `error ${error_code}`,
    lease_until && progress !== 'settled' && `recovery after ${formatMoment(lease_until.getTime())}`,
  ];
  const description = `${transaction_type} ${id} of ${formatMoney(amount)} by ${method}${period === null ? '' : ` for period ${period}`}`;
  return [
    { at: createdAt, source: 'row', text: `${description} was created` },
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
  now: Date,
): TimelineEntry[] {
  const lines: TimelineEntry[] = history.map(line => {
    const at = realTime(line.date, events, now);
    const isAhead = Math.abs(at.getTime() - line.date.getTime()) > 60_000;
    const text = describeLine(line as HistoryLine);
    return {
      at,
      source: 'history',
      text: isAhead ? `${text} [${formatMoment(line.date.getTime())} by its test clock]` : text,
    };
  });
  if (!subscription) return lines;
  const { id, status, current_period_number, due_at, open, suspension, hold } = subscription;
  const state = [
    `${id} is ${status}, period ${current_period_number}, due at ${formatMoment(due_at.getTime())}`,
    status !== 'new' && `next: ${snapshotOf(subscription).next}`,
    open && `no response ${open.tries} times, next lookup at ${formatMoment(open.again_at)}`,
    suspension !== null && 'its merchant is suspended',
    hold &&
      `billing held by ${hold.by}${hold.until === null ? '' : ` until ${formatMoment(hold.until)}`}: ${hold.reason}`,
  ];
  return [...lines, { at: now, source: 'row', text: state.filter(Boolean).join(', ') }];
}

/** Shows only the host of the URL: the path may contain a secret. */
function deliveryLines({ deliveries, attempts }: TimelineRows, now: Date): TimelineEntry[] {
  return [
    ...deliveries.flatMap(
      ({ id, event_id, creation_date, status, attempts: count, next_at, webhook }): TimelineEntry[] => {
        const next = next_at ? `, next at ${formatMoment(next_at.getTime())}` : '';
        const host = new URL(webhook.url).host;
        return [
          { at: creation_date, source: 'delivery', text: `${id} of ${event_id} to ${host} was created` },
          {
            at: now,
            source: 'delivery',
            text: `${id} is ${status} after ${count} attempts${next}; ${host} is ${webhook.status}`,
          },
        ];
      },
    ),
    ...attempts.map(({ delivery_id, number, date, status, error, duration }): TimelineEntry => {
      return {
        at: date,
        source: 'delivery',
        text: `${delivery_id} attempt ${number}: ${status ?? error} in ${duration} ms`,
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
