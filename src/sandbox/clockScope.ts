/** The scope of a test clock: a merchant, a customer or a subscription. */
import { Prisma } from '../../prisma/generated/client';
import { findSubscription } from '../billing/subscriptions/list';
import { clockNow } from '../billing/subscriptions/rows';
import { findCustomer } from '../payments/customers/resolver';
import { clockOf } from '../platform/database/clock';
import { ApiError } from '../platform/errors';
import type { Context } from '../schema/operation/context';

export interface ClockOwner {
  customer_id?: string | null;
  subscription_id?: string | null;
}

export interface ClockScope {
  id: string;
  now: Date;
  /** SQL conditions for the subscriptions `s` and the expiring transactions `t` in the scope. */
  subscriptions: Prisma.Sql;
  charges: Prisma.Sql;
  /** SQL condition for transactions `t` of every type, with their charge as `parent`. */
  paid: Prisma.Sql;
  /** The table with the clock_offset of the scope; absent for a single subscription. */
  ownerTable?: 'merchants' | 'customers';
}

export async function scopeOf(context: Context, { customer_id, subscription_id }: ClockOwner): Promise<ClockScope> {
  const { db, merchant_id } = context;
  if (customer_id && subscription_id)
    throw new ApiError('invalid_value', 'subscription_and_customer', { field: 'customer_id' });
  if (subscription_id) {
    const row = await findSubscription(context, subscription_id);
    const now = new Date(clockNow(row));
    const paid = Prisma.sql`t.customer_id = ${row.customer_id} and coalesce(parent.subscription_id, t.subscription_id) = ${row.id}`;
    return { id: row.id, now, subscriptions: Prisma.sql`s.id = ${row.id}`, charges: Prisma.sql`false`, paid };
  }
  if (customer_id) await findCustomer(context, customer_id);
  const { now } = await clockOf(db, merchant_id, customer_id ?? null);
  const [column, id] = customer_id ? ['customer_id', customer_id] : ['merchant_id', merchant_id];
  return {
    id,
    now,
    subscriptions: Prisma.sql`s.${Prisma.raw(column)} = ${id}`,
    charges: Prisma.sql`t.${Prisma.raw(column)} = ${id}`,
    paid: Prisma.sql`t.${Prisma.raw(column)} = ${id}`,
    ownerTable: customer_id ? 'customers' : 'merchants',
  };
}
