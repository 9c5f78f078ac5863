import { metadataWhere } from '../../payments/metadata/rows';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { OwnerId } from '../../schema/arguments';
import { ascending, NEWEST_FIRST, type Order } from '../../schema/connections/order';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import type { Subscription, SubscriptionStatusName } from './fields';
import type { SubscriptionSortName, SubscriptionsArgs, SubscriptionsConnectionArgs } from './listFields';
import { type SubscriptionRow, subscriptionById } from './rows';

/** Finds a subscription of the customer, or any subscription of the merchant without customer_id. */
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

/** Without a status filter, excludes ended subscriptions. */
export function subscriptionsWhere({ merchant_id }: Context, filters: SubscriptionsArgs | SubscriptionsConnectionArgs) {
  const { status = [], customer_id, plan_id, has_credit, charge_date, charge_date_gte, charge_date_lte } = filters;
  return {
    merchant_id,
    ...omitUndefined({ customer_id, plan_id }),
    charge_date: omitUndefined({ equals: charge_date, gte: charge_date_gte, lte: charge_date_lte }),
    ...(has_credit !== undefined && { credit_balance: has_credit ? { isPositive: true as const } : { equals: 0n } }),
    status: { in: status.length > 0 ? status : LIVE },
    ...listWhere(filters),
    ...metadataWhere(filters),
  };
}

const byChargeDate: Order<Pick<Subscription, 'id' | 'charge_date'>> = {
  name: 'charge_date',
  by: ['charge_date', 'id'],
  kinds: ['day', 'id'],
  placeOf: ({ charge_date, id }) => [charge_date, id],
};

export const subscriptionOrders: Record<SubscriptionSortName, Order<Subscription>> = {
  creation_desc: NEWEST_FIRST,
  creation_asc: ascending(NEWEST_FIRST),
  charge_date_asc: ascending(byChargeDate),
  charge_date_desc: byChargeDate,
};
