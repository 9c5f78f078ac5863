/** The scope of a test clock: a merchant, a customer or a subscription. */
import { findSubscription } from '../billing/subscriptions/list';
import { clockNow } from '../billing/subscriptions/rows';
import { findCustomer } from '../payments/customers/rows';
import { clockOf } from '../platform/database/clock';
import { ApiError } from '../platform/errors';
import type { Context } from '../schema/operation/context';
import { type ClockScope, ofOwner, ofSubscription } from './rows';

export interface ClockOwner {
  customer_id?: string | null;
  subscription_id?: string | null;
}

export async function scopeOf(context: Context, { customer_id, subscription_id }: ClockOwner): Promise<ClockScope> {
  const { db, merchant_id } = context;
  if (customer_id && subscription_id)
    throw new ApiError('invalid_value', 'subscription_and_customer', { field: 'customer_id' });
  if (subscription_id) {
    const row = await findSubscription(context, subscription_id);
    const now = new Date(clockNow(row));
    return { id: row.id, now, ...ofSubscription(row) };
  }
  if (customer_id) await findCustomer(context, customer_id);
  const { now } = await clockOf(db, merchant_id, customer_id ?? null);
  const [column, id] = customer_id ? (['customer_id', customer_id] as const) : (['merchant_id', merchant_id] as const);
  return {
    id,
    now,
    ...ofOwner(column, id),
    ownerTable: customer_id ? 'customers' : 'merchants',
  };
}
