/** Invariant: every due period has exactly one paid charge, an attempt in progress, or a recorded reason. */
import { Prisma } from '../../../prisma/generated/client';
import { formatMoment } from '../../../workflows/calendar';
import { isHeld, nextActionOf } from '../../billing/subscriptions/billing/snapshot';
import { clockNow, type SubscriptionRow } from '../../billing/subscriptions/rows';
import type { Database } from '../../platform/database/connection';
import { unpaidPeriods } from './checks';

/** A renewal delayed by load is not a difference. */
const MAX_LATE_MS = 3_600_000;

export async function findUncollectedPeriods(db: Database, rows: readonly SubscriptionRow[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [beforeIds = '', afterIds = ''] = unpaidPeriods('s.id = any($1)').split('$1');
  const unpaid = await db.$queryRaw<{ difference: string }[]>`
    ${Prisma.raw(beforeIds)}${ids}::varchar[]${Prisma.raw(afterIds)}
    union all
    select s.id || ' is ' || s.status || ', and has no attempt in period ' || s.current_period_number from subscriptions s
    where s.id = any(${ids}::varchar[]) and s.status in ('past_due', 'unpaid') and not exists (
      select from transactions where subscription_id = s.id and period = s.current_period_number)`;
  return [...unpaid.map(({ difference }) => difference), ...rows.flatMap(describeUnattempted)];
}

/** Overdue without an attempt, a suspension, a billing hold or a moving test clock. */
function describeUnattempted(row: SubscriptionRow): string[] {
  const next = nextActionOf(row);
  if (next.do !== 'charge' || row.clock_to || isHeld(row, next)) return [];
  const isUnattempted = Math.max(next.at, row.due_at.getTime()) < clockNow(row) - MAX_LATE_MS;
  const { period } = next.attempt;
  return isUnattempted
    ? [`${row.id} has been due since ${formatMoment(row.due_at.getTime())}, period ${period} has no attempt`]
    : [];
}
