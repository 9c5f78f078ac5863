/** The charge of a period is an ordinary charge of the customer, written down together with the subscription's own row. */
import { Prisma } from '../../../prisma/generated/client';
import { toCard } from '../../cards/resolver';
import { customerAccount, merchantAccount } from '../../ledger/accounts';
import type { SubscriptionRow } from '../rows';

export interface PeriodCharge {
  /** Of the change that it is written with. */
  changeId?: number;
  row: SubscriptionRow;
  /** By the subscription's own clock. */
  at: number;
  /** Until when its request may take; absent where the workflow looks after it. */
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
    description: [...row.plan_name].slice(0, 250).join(''),
    card: row.holds_card ? card : { id, ...card },
    source_id: id,
    account: row.requires_account ? customerAccount(row.customer_id) : merchantAccount(row.merchant_id),
    clock: Math.max(0, Math.round((at - Date.now()) / 1000)),
    lease: leaseSeconds,
    change_id: changeId,
  };
};

/** Part of a statement: `charge` is what was written down, of those subscriptions that were in `written`. */
export const insertChargesCte = (
  charges: readonly PeriodCharge[],
  written: 'new' | 'moved',
  columns: Prisma.Sql,
): Prisma.Sql =>
  Prisma.sql`, charge as (
    insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type, method,
      status, progress, amount, description, card, source_id, capture, account, cost_rate, cost_fixed, clock_offset, lease_until,
      subscription_id, period)
    select i.id, i.merchant_id, i.customer_id, i.date, i.date, 'charge', 'in', 'card', 'in_progress', 'prepared', i.amount, i.description,
      i.card, i.source_id, true, i.account, m.cost_rate, m.cost_fixed, i.clock, now() + make_interval(secs => i.lease), i.subscription_id, i.period
    from jsonb_to_recordset(${JSON.stringify(charges.map(toRecord))}::jsonb) as i (id text, subscription_id text, period integer,
      merchant_id text, customer_id text, date timestamptz, amount bigint, description text, card jsonb, source_id text, account text,
      clock integer, lease integer, change_id integer)
    join ${Prisma.raw(written)} as written on written.id = i.subscription_id ${written === 'moved' ? Prisma.sql`and written.change_id = i.change_id` : Prisma.empty}
    join merchants m on m.id = i.merchant_id
    returning ${columns}
  )`;
