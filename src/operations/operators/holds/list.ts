/** Active holds, and the subscriptions that a hold or its release affects. */
import { narrowHold } from '../../../billing/holds/rows';
import type { Database } from '../../../platform/database/connection';
import { omitUndefined } from '../../../platform/database/omitUndefined';
import { ApiError } from '../../../platform/errors';
import type { BillingHold, HoldsArgs } from './fields';

interface HoldPage extends Pick<HoldsArgs, 'merchant_id' | 'environment' | 'after'> {
  limit: number;
  offset?: number;
}

/** The latest first. `after` is the ID of a hold, which may have been released meanwhile. */
export async function listHolds(
  db: Database,
  { merchant_id, environment, after, limit, offset = 0 }: HoldPage,
): Promise<BillingHold[]> {
  const last = after === undefined ? undefined : await db.billingHold.findUnique({ where: { id: after } });
  if (after !== undefined && !last) throw new ApiError('invalid_value', 'not_cursor', { field: 'after' });
  const rows = await db.billingHold.findMany({
    where: {
      released_at: null,
      ...omitUndefined({ merchant_id, environment }),
      ...(last && { OR: [{ held_at: { lt: last.held_at } }, { held_at: last.held_at, id: { lt: last.id } }] }),
    },
    orderBy: [{ held_at: 'desc' }, { id: 'desc' }],
    skip: offset,
    take: limit,
  });
  return rows.map(narrowHold);
}
