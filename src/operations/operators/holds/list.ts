/** Active holds, and the subscriptions that a hold or its release affects. */
import { narrowHold } from '../../../billing/holds/rows';
import type { Database } from '../../../platform/database/connection';
import { omitUndefined } from '../../../platform/database/omitUndefined';
import type { BillingHold, HoldsArgs } from './fields';

/** The latest first. */
export async function listHolds(
  db: Database,
  { merchant_id, environment, offset, limit }: HoldsArgs,
): Promise<BillingHold[]> {
  const rows = await db.billingHold.findMany({
    where: { released_at: null, ...omitUndefined({ merchant_id, environment }) },
    orderBy: [{ held_at: 'desc' }, { id: 'desc' }],
    skip: offset,
    take: limit,
  });
  return rows.map(narrowHold);
}
