import type { Context } from '../context';
import { given } from '../database/given';
import { ApiError } from '../platform/errors';
import { isId } from '../platform/identifiers';
import type { OwnerId } from '../schema/arguments';
import { listWhere, newestFirst } from '../schema/list';
import type { SubscriptionStatusName, SubscriptionsPage, SubscriptionsWindow } from './fields';
import { type SubscriptionRow, subscriptionById } from './rows';

/**
 * At merchant level any of the merchant's, at customer level that customer's. Before the first charge it is not
 * visible.
 */
export async function findSubscription(
  { db, merchant_id }: Context,
  id: string,
  customer_id: OwnerId = null,
): Promise<SubscriptionRow> {
  const found = isId(id) ? await subscriptionById(db, id) : undefined;
  if (found?.merchant_id !== merchant_id || found.status === 'new') throw new ApiError('not_found');
  if (customer_id !== null && (found.customer_id !== customer_id || found.customer_status !== 'active'))
    throw new ApiError('not_found');
  return found;
}

const LIVE: SubscriptionStatusName[] = ['trial', 'active', 'past_due', 'unpaid'];

/** Without a status filter, those that have not ended. */
export async function listSubscriptions(
  { db, merchant_id }: Context,
  filters: SubscriptionsPage | SubscriptionsWindow,
  { skip, take, after }: { skip?: number; take: number; after?: string | undefined },
): Promise<SubscriptionRow[]> {
  const { status = [], customer_id, plan_id, charge_date_gte, charge_date_lte } = filters;
  const ids = await db.subscription.findMany({
    where: {
      merchant_id,
      ...given({ customer_id, plan_id }),
      charge_date: given({ gte: charge_date_gte, lte: charge_date_lte }),
      status: { in: status.length > 0 ? status : LIVE },
      ...listWhere(filters, after),
    },
    select: { id: true },
    orderBy: [...newestFirst],
    ...given({ skip }),
    take,
  });
  const rows = await Promise.all(ids.map(({ id }) => subscriptionById(db, id)));
  return rows.filter(row => row !== undefined);
}
