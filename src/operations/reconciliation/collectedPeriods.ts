/** Invariant: every due period has exactly one paid charge, an attempt in progress, or a recorded reason. */
import { formatMoment } from '../../../workflows/calendar';
import { isHeld, nextActionOf } from '../../billing/subscriptions/billing/snapshot';
import { clockNow, type SubscriptionRow } from '../../billing/subscriptions/rows';
import type { Database } from '../../platform/database/connection';
import { readUnpaid } from './rows';

/** A renewal delayed by load is not a difference. */
const MAX_LATE_MS = 3_600_000;

export async function findUncollectedPeriods(db: Database, rows: readonly SubscriptionRow[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const unpaid = await readUnpaid(
    db,
    rows.map(({ id }) => id),
  );
  return [...unpaid, ...rows.flatMap(describeUnattempted)];
}

/** Overdue without an attempt, a suspension, a billing hold or a moving test clock. */
function describeUnattempted(row: SubscriptionRow): string[] {
  const next = nextActionOf(row);
  if ((next.do !== 'charge' && next.do !== 'cover') || row.clock_to || isHeld(row, next)) return [];
  const isUnattempted = Math.max(next.at, row.due_at.getTime()) < clockNow(row) - MAX_LATE_MS;
  const { period } = next.do === 'cover' ? next : next.attempt;
  return isUnattempted
    ? [`${row.id} has been due since ${formatMoment(row.due_at.getTime())}, period ${period} has no attempt`]
    : [];
}
