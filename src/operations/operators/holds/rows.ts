import { Prisma } from '../../../../prisma/generated/client';
import { type HoldTarget, whereCoveredBy } from '../../../billing/holds/rows';
import { NEEDS_WORKFLOW } from '../../../billing/subscriptions/billing/maintenance/rows';
import type { Database } from '../../../platform/database/connection';

/** Higher counts would keep the database busy, and need not be exact. */
const MAX_COUNTED = 100_000;

export interface CoveredCounts {
  live: number;
  due: number;
  /** Subscriptions that become due within a day, without those in `due`. */
  soon: number;
}

export async function countCovered(db: Database, target: HoldTarget): Promise<CoveredCounts> {
  const [counts] = await db.$queryRaw<CoveredCounts[]>(Prisma.sql`
    select count(*)::integer as live, count(*) filter (where due_at <= clock)::integer as due,
      count(*) filter (where due_at > clock and due_at <= clock + interval '1 day')::integer as soon
    from (select due_at, now() + make_interval(secs => greatest(s.clock_offset, clock_offset_of(s.merchant_id, s.customer_id))) as clock
      from subscriptions s where ${whereCoveredBy(target)} and ${NEEDS_WORKFLOW} limit ${MAX_COUNTED}) as covered`);
  return counts ?? { live: 0, due: 0, soon: 0 };
}
