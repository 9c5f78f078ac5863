/**
 * The charge of a period is an ordinary charge of the customer, inserted by the statement that writes the
 * subscription's own row.
 */
import { Prisma } from '../../../prisma/generated/client';
import { toCard } from '../../cards/resolver';
import { customerAccount, merchantAccount } from '../../ledger/accounts';
import type { SubscriptionRow } from '../rows';

const MAX_DESCRIPTION_LENGTH = 250;

export interface PeriodCharge {
  /** Of the change of the subscription's row in the same statement. */
  changeId?: number;
  row: SubscriptionRow;
  /** By the subscription's own clock. */
  at: number;
  /** How long the request may take before recovery takes over; absent if the workflow looks after the charge. */
  leaseSeconds?: number;
}

const toRecord = ({ changeId, row, at, leaseSeconds }: PeriodCharge): object => {
  const { id, ...card } = toCard(row.card);
  return {
    id: row.open?.transaction_id,
    subscription_id: row.id,
    period: row.open?.period,
    merchant_id: row.merchant_id,
    customer_id: row.customer_id,
    date: new Date(at),
    amount: `${row.amount}`,
    description: [...row.plan_name].slice(0, MAX_DESCRIPTION_LENGTH).join(''),
    card: row.holds_card ? card : { id, ...card },
    source_id: id,
    account: row.requires_account ? customerAccount(row.customer_id) : merchantAccount(row.merchant_id),
    clock_offset: Math.max(0, Math.round((at - Date.now()) / 1000)),
    lease_seconds: leaseSeconds,
    change_id: changeId,
  };
};

/**
 * A CTE `inserted_charge`, with a comma before it: the charges of those subscriptions that the CTE `subscription` has
 * written.
 */
export const insertChargesCte = (
  charges: readonly PeriodCharge[],
  subscription: 'new_subscription' | 'updated_subscription',
  columns: Prisma.Sql,
): Prisma.Sql => Prisma.sql`, inserted_charge as (
    insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type, method,
      status, progress, amount, description, card, source_id, capture, account, cost_rate, cost_fixed, clock_offset, lease_until,
      subscription_id, period)
    select charge.id, charge.merchant_id, charge.customer_id, charge.date, charge.date, 'charge', 'in', 'card', 'in_progress', 'prepared',
      charge.amount, charge.description, charge.card, charge.source_id, true, charge.account, merchants.cost_rate, merchants.cost_fixed,
      charge.clock_offset, now() + make_interval(secs => charge.lease_seconds), charge.subscription_id, charge.period
    from jsonb_to_recordset(${JSON.stringify(charges.map(toRecord))}::jsonb) as charge (id text, subscription_id text, period integer,
      merchant_id text, customer_id text, date timestamptz, amount bigint, description text, card jsonb, source_id text, account text,
      clock_offset integer, lease_seconds integer, change_id integer)
    join ${Prisma.raw(subscription)} as written on written.id = charge.subscription_id ${
      subscription === 'updated_subscription' ? Prisma.sql`and written.change_id = charge.change_id` : Prisma.empty
    }
    join merchants on merchants.id = charge.merchant_id
    returning ${columns}
  )`;
