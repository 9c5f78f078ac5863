import { Prisma } from '../../../../prisma/generated/client';
import { type HoldTarget, isCoveredBy, narrowHold } from '../../../billing/holds/rows';
import { NEEDS_WORKFLOW } from '../../../billing/subscriptions/billing/repair';
import type { Database } from '../../../platform/database/connection';
import { omitUndefined } from '../../../platform/database/omitUndefined';
import type { BillingHold, HoldsPage } from './fields';

/** Limits the cost of counting. */
const MAX_COUNTED = 100_000;

export async function listHolds(
  db: Database,
  { merchant_id, environment, offset, limit }: HoldsPage,
): Promise<BillingHold[]> {
  const rows = await db.billingHold.findMany({
    where: { released_at: null, ...omitUndefined({ merchant_id, environment }) },
    orderBy: [{ held_at: 'desc' }, { id: 'desc' }],
    skip: offset,
    take: limit,
  });
  return rows.map(narrowHold);
}

export interface CoveredCounts {
  live: number;
  due: number;
  /** Due within a day, not counting those already due. */
  soon: number;
}

export async function countCovered(db: Database, target: HoldTarget): Promise<CoveredCounts> {
  const [counts] = await db.$queryRaw<CoveredCounts[]>(Prisma.sql`
    select count(*)::integer as live, count(*) filter (where due_at <= clock)::integer as due,
      count(*) filter (where due_at > clock and due_at <= clock + interval '1 day')::integer as soon
    from (select due_at, now() + make_interval(secs => greatest(s.clock_offset, clock_offset_of(s.merchant_id, s.customer_id))) as clock
      from subscriptions s where ${isCoveredBy(target)} and ${NEEDS_WORKFLOW} limit ${MAX_COUNTED}) as covered`);
  return counts ?? { live: 0, due: 0, soon: 0 };
}
