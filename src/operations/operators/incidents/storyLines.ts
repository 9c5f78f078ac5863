/** What the database holds about a thing, a line each. Moments are real, also where a test clock is ahead. */
import { formatMoment } from '../../../../workflows/calendar';
import { snapshotOf } from '../../../billing/subscriptions/billing/snapshot';
import type { HistoryLine } from '../../../billing/subscriptions/rows';
import { describeLine } from '../../../billing/subscriptions/wording';
import type { TransactionRow } from '../../../payments/charges/rows';
import { groupBy } from '../../../platform/database/batch';
import { formatMoney } from '../../../platform/money';
import type { StoryRows, StorySubject } from './storyRows';

export interface StoryLine {
  at: Date;
  source: 'row' | 'history' | 'ledger' | 'event' | 'delivery' | 'audit log' | 'outbox' | 'acquirer' | 'temporal';
  text: string;
}

/** `now` is the moment of what is so at present. */
export function storyLines(subject: StorySubject, rows: StoryRows, now: Date): StoryLine[] {
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
      text: `${kind} of ${object_id} waits, tried ${tries} times, next at ${formatMoment(again_at.getTime())}`,
    })),
  ];
}

function transactionLines(row: TransactionRow, now: Date): StoryLine[] {
  const { id, transaction_type, method, amount, period, status, progress, authorization, error_code, lease_until } =
    row;
  const made = new Date(row.creation_date.getTime() - row.clock_offset * 1000);
  const state = [
    `${id} is ${status} (${progress})`,
    authorization && `authorization ${authorization}`,
    error_code !== null && `error ${error_code}`,
    lease_until && progress !== 'settled' && `asked about after ${formatMoment(lease_until.getTime())}`,
  ];
  const what = `${transaction_type} ${id} of ${formatMoney(amount)} by ${method}${period === null ? '' : ` for period ${period}`}`;
  return [
    { at: made, source: 'row', text: `${what} was made` },
    { at: now, source: 'row', text: state.filter(Boolean).join(', ') },
  ];
}

/** Lines have only the date of a clock that may have been moved since. The nearest event knows how far ahead it was. */
function realTime(date: Date, events: StoryRows['events'], now: Date): Date {
  const distance = (event: (typeof events)[number]): number => Math.abs(event.creation_date.getTime() - date.getTime());
  const [nearest] = [...events].sort((a, b) => distance(a) - distance(b));
  const aheadMs = nearest ? nearest.creation_date.getTime() - nearest.recorded_at.getTime() : 0;
  return new Date(Math.min(now.getTime(), date.getTime() - aheadMs));
}

function subscriptionLines({ subscription }: StorySubject, { history, events }: StoryRows, now: Date): StoryLine[] {
  const lines: StoryLine[] = history.map(line => {
    const at = realTime(line.date, events, now);
    const isAhead = Math.abs(at.getTime() - line.date.getTime()) > 60_000;
    const text = describeLine(line as HistoryLine);
    return {
      at,
      source: 'history',
      text: isAhead ? `${text} [${formatMoment(line.date.getTime())} by its clock]` : text,
    };
  });
  if (!subscription) return lines;
  const { id, status, current_period_number, due_at, open, suspension, hold } = subscription;
  const state = [
    `${id} is ${status}, period ${current_period_number}, due at ${formatMoment(due_at.getTime())}`,
    status !== 'new' && `next: ${snapshotOf(subscription).next}`,
    open && `no answer ${open.tries} times, asked again at ${formatMoment(open.again_at)}`,
    suspension !== null && 'its merchant is suspended',
    hold && `held by ${hold.by}${hold.until === null ? '' : ` until ${formatMoment(hold.until)}`}: ${hold.reason}`,
  ];
  return [...lines, { at: now, source: 'row', text: state.filter(Boolean).join(', ') }];
}

/** Of an address only the host: what follows it may be a secret. */
function deliveryLines({ deliveries, attempts }: StoryRows, now: Date): StoryLine[] {
  return [
    ...deliveries.flatMap(({ id, event_id, creation_date, status, attempts: count, next_at, webhook }): StoryLine[] => {
      const next = next_at ? `, next at ${formatMoment(next_at.getTime())}` : '';
      const host = new URL(webhook.url).host;
      return [
        { at: creation_date, source: 'delivery', text: `${id} of ${event_id} to ${host} was made` },
        {
          at: now,
          source: 'delivery',
          text: `${id} is ${status} after ${count} attempts${next}; ${host} is ${webhook.status}`,
        },
      ];
    }),
    ...attempts.map(({ delivery_id, number, date, status, error, duration }): StoryLine => {
      return {
        at: date,
        source: 'delivery',
        text: `${delivery_id} attempt ${number}: ${status ?? error} in ${duration} ms`,
      };
    }),
  ];
}

function ledgerLines({ entries }: StoryRows): StoryLine[] {
  const movements = groupBy(entries, ({ movement }) => movement);
  return [...movements].map(([movement, booked]) => ({
    at: booked[0]?.creation_date ?? new Date(0),
    source: 'ledger',
    text: `${movement}: ${booked.map(({ account, amount }) => `${account} ${formatMoney(amount)}`).join(', ')}`,
  }));
}
