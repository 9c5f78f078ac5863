import { Prisma } from '../../prisma/generated/client';
import type { SubscriptionRow } from '../billing/subscriptions/rows';
import type { OpenAttempt } from '../billing/subscriptions/rules/state';
import type { Database } from '../platform/database/connection';
import { SANDBOX } from '../platform/database/environments';
import { insertOutbox } from '../platform/database/outbox';
import { idsOf, statement } from '../platform/database/rows';

/** Makes the lookups of the customer's charges to this card that have no response yet due at once. */
export function queueLookups(db: Database, customer_id: string, card_id: string): Promise<number> {
  const unanswered_subscriptions = Prisma.sql`
    update subscriptions set version = version + 1, open = open || jsonb_build_object(
      'again_at', floor(extract(epoch from now()) * 1000)::bigint, 'tries', least((open ->> 'tries')::integer, 1))
    where customer_id = ${customer_id} and status <> 'new' and open ->> 'card_id' = ${card_id}
    returning id`;
  return db.$executeRaw(
    statement(
      { unanswered_subscriptions },
      insertOutbox('nudge', idsOf('unanswered_subscriptions'), { environment: SANDBOX }),
    ),
  );
}

export interface ClockScope extends ScopeConditions {
  id: string;
  now: Date;
  /** The table whose clock_offset holds for everything in the scope; absent for a single subscription. */
  ownerTable?: 'merchants' | 'customers';
}

/** SQL conditions that select what is in the scope. */
interface ScopeConditions {
  /** On subscriptions `s`. */
  subscriptions: Prisma.Sql;
  /** On transactions `t`. */
  charges: Prisma.Sql;
  /** On transactions `t` of every kind, whose charge is `parent` if they have one. */
  paid: Prisma.Sql;
}

export const ofSubscription = ({ id, customer_id }: Pick<SubscriptionRow, 'id' | 'customer_id'>): ScopeConditions => ({
  subscriptions: Prisma.sql`s.id = ${id}`,
  charges: Prisma.sql`false`,
  paid: Prisma.sql`t.customer_id = ${customer_id} and coalesce(parent.subscription_id, t.subscription_id) = ${id}`,
});

export const ofOwner = (column: 'customer_id' | 'merchant_id', id: string): ScopeConditions => ({
  subscriptions: Prisma.sql`s.${Prisma.raw(column)} = ${id}`,
  charges: Prisma.sql`t.${Prisma.raw(column)} = ${id}`,
  paid: Prisma.sql`t.${Prisma.raw(column)} = ${id}`,
});

/** The rest is settled after the next move, or on the next real morning. */
const MAX_TRANSACTIONS = 10_000;

export async function unsettledTransactions(db: Database, { paid }: ClockScope, until: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select t.id from transactions t left join transactions parent on parent.id = t.parent_id
    where ${paid} and t.progress = 'settled' and t.operation_date <= ${until} and t.method <> 'customer'
      and (t.status = 'chargeback_accepted' or not t.conciliated and t.status not in ('failed', 'cancelled'))
    order by t.operation_date, t.id limit ${MAX_TRANSACTIONS}`;
  return rows.map(({ id }) => id);
}

/** The reports of the merchant's test clock that are not matched yet. */
export async function openReports(db: Database, merchant_id: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id from settlement_reports
    where status in ('receiving', 'matching') and environment = 'sandbox' and reference like ${`%-${merchant_id}-%`}
    order by creation_date, id`;
  return rows.map(({ id }) => id);
}

/** Returns the number of subscriptions and charges that have not arrived yet, and the time of the slowest one. */
export async function loadProgress(
  db: Prisma.TransactionClient,
  { subscriptions, charges }: ClockScope,
  target: Date = new Date(0),
): Promise<{ pending: number; now: Date | null }> {
  const [progress] = await db.$queryRaw<{ pending: bigint; now: Date | null }[]>`
    select (select count(*) from subscriptions s where ${subscriptions} and ${IS_MOVING})
        + (select count(*) from transactions t where ${expiresBy(charges, target)}) as pending,
      (select min(clock_at) from subscriptions s where ${subscriptions} and ${IS_MOVING}) as now`;
  return { pending: Number(progress?.pending ?? 0), now: progress?.now ?? null };
}

const IS_MOVING = Prisma.raw(`clock_to is not null and (status <> 'cancelled' or open is not null)`);

/** Authorizations and pending payments `t` that expire by then. */
const expiresBy = (charges: Prisma.Sql, target: Date): Prisma.Sql => Prisma.sql`
  ${charges} and t.transaction_type = 'charge'
    and t.progress in ('authorized', 'capturing', 'voiding', 'pending', 'paying') and t.expires_at <= ${target}`;

interface WaitingSubscription {
  id: string;
  open: OpenAttempt | null;
}

export async function readWaiting(
  db: Prisma.TransactionClient,
  { subscriptions, charges }: ClockScope,
  target: Date,
  limit: number,
): Promise<{ moving: WaitingSubscription[]; expiring: { id: string; progress: string }[] }> {
  const moving = await db.$queryRaw<WaitingSubscription[]>`
    select id, open from subscriptions s where ${subscriptions} and ${IS_MOVING}
    order by (open ->> 'tries')::integer desc nulls last, clock_at, id limit ${limit}`;
  const expiring = await db.$queryRaw<{ id: string; progress: string }[]>`
    select id, progress from transactions t where ${expiresBy(charges, target)} order by expires_at, id limit ${limit}`;
  return { moving, expiring };
}

/** Expires overdue charges at once; the workflows of the remaining ones are notified of their shorter deadline. */
export async function announceExpiries(tx: Prisma.TransactionClient, charges: Prisma.Sql, target: Date): Promise<void> {
  const waiting = Prisma.sql`
    select id from transactions t where ${charges} and t.transaction_type = 'charge'
      and t.progress in ('authorized', 'pending', 'paying')`;
  await tx.$executeRaw(
    insertOutbox('due_expiry', Prisma.sql`${waiting} and t.expires_at <= ${target} order by t.expires_at, t.id`, {
      environment: SANDBOX,
    }),
  );
  await tx.$executeRaw(
    insertOutbox('expiry', Prisma.sql`${waiting} and t.expires_at > ${target}`, { environment: SANDBOX }),
  );
}

/** A subscription's own clock is moved by its workflow; only one whose workflow has ended is moved here. */
export const shiftOwnerClock = (
  tx: Prisma.TransactionClient,
  { id, ownerTable }: ClockScope,
  target: Date,
): Promise<number> => tx.$executeRaw`
  update ${Prisma.raw(ownerTable ?? 'subscriptions')}
  set clock_offset = greatest(clock_offset, ceil(extract(epoch from ${target}::timestamptz - now()))::integer)
  where id = ${id} and ${ownerTable ? Prisma.sql`true` : Prisma.sql`status = 'cancelled' and open is null`}`;

/** Some of those that are behind the target. */
export function moveSubscriptions(
  tx: Prisma.TransactionClient,
  subscriptions: Prisma.Sql,
  target: Date,
  limit: number,
): Promise<number> {
  const moved_subscriptions = Prisma.sql`
    update subscriptions s set version = version + 1, clock_to = ${target},
      clock_at = now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset))
    from merchants m, customers c where m.id = s.merchant_id and c.id = s.customer_id and s.id in (
      select s.id from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
      where ${subscriptions} and s.clock_to is null and (s.status not in ('new', 'cancelled') or (s.status = 'cancelled' and s.open is not null))
        and now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) < ${target}
      limit ${limit})
    returning s.id`;
  return tx.$executeRaw(
    statement(
      { moved_subscriptions },
      insertOutbox('nudge', idsOf('moved_subscriptions'), { environment: SANDBOX, inTurns: true }),
    ),
  );
}

export async function countExpiries(tx: Prisma.TransactionClient, charges: Prisma.Sql, target: Date): Promise<number> {
  const [expiries] = await tx.$queryRaw<{ count: bigint }[]>`
    select count(*) from transactions t where ${expiresBy(charges, target)}`;
  return Number(expiries?.count ?? 0);
}
