/** Every period that was due has exactly one charge that was paid, or an attempt is under way, or it is said why not. */
import { formatMoment } from '../../../workflows/calendar';
import { isHeld, nextActionOf } from '../../billing/subscriptions/billing/snapshot';
import { clockNow, type SubscriptionRow } from '../../billing/subscriptions/rows';
import type { Database } from '../../platform/database/connection';
import { readUnpaid } from './rows';

/** A renewal that waits its turn on a busy night is late, which is another matter. */
const MAX_LATE_MS = 3_600_000;

export async function describeUncollected(db: Database, rows: readonly SubscriptionRow[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const unpaid = await readUnpaid(
    db,
    rows.map(({ id }) => id),
  );
  return [...unpaid, ...rows.flatMap(forgotten)];
}

/** Due for long, and nobody has begun: no attempt, no suspension, no test clock on its way. */
function forgotten(row: SubscriptionRow): string[] {
  const next = nextActionOf(row);
  if (next.do !== 'charge' || row.clock_to || isHeld(row, next)) return [];
  const isForgotten = Math.max(next.at, row.due_at.getTime()) < clockNow(row) - MAX_LATE_MS;
  const { period } = next.attempt;
  return isForgotten
    ? [`${row.id} is due since ${formatMoment(row.due_at.getTime())}, period ${period} was not tried`]
    : [];
}
