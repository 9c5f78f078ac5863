import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';

/** Locks the merchant until the transaction ends. False if there is no such merchant. */
export async function lockMerchant(tx: Prisma.TransactionClient, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`select from merchants where id = ${id} for no key update`;
  return rows.length > 0;
}

/** The moments in milliseconds by the ids of keys. A later moment that is stored already stays. */
export const writeKeyUses = (db: Database, uses: readonly (readonly [string, number])[]): Promise<number> =>
  db.$executeRaw`
    insert into key_uses as known (key_id, used_at)
    select * from unnest(${uses.map(([key_id]) => key_id)}::varchar[], ${uses.map(([, at]) => new Date(at))}::timestamptz[])
      as used (key_id, used_at) order by key_id
    on conflict (key_id) do update set used_at = excluded.used_at where known.used_at < excluded.used_at`;

/** The new term of an unpaid subscription whose deadline passed while a test clock jumped. */
const MIN_UNPAID_DAYS = 7;

const MAX_POSTPONED = 2000;

/** A condition: the merchant of `row`, an alias, is not suspended. */
export const merchantIsActive = (row: string): Prisma.Sql =>
  Prisma.raw(`exists (select from merchants where merchants.id = ${row}.merchant_id and merchants.status = 'active')`);

/**
 * Postpones the deadlines of the unpaid subscriptions `s` matching `condition` by the length of the pause. If a moved
 * test clock has already passed the new deadline, a new term begins. In batches, because a statement of the API is
 * cancelled after five seconds.
 */
export async function postponeDeadlines(
  tx: Prisma.TransactionClient,
  condition: Prisma.Sql,
  since: Date,
): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const postponed: { id: string }[] = await tx.$queryRaw`
      with unpaid as (
        select s.id, now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) as now
        from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
        where ${condition} and s.status = 'unpaid' and s.id > ${last} order by s.id limit ${MAX_POSTPONED}
      ), postponed as (
        update subscriptions set version = subscriptions.version + 1, due_at = case
          when due_at + (now() - ${since}) > unpaid.now then due_at + (now() - ${since})
          else unpaid.now + make_interval(days => ${MIN_UNPAID_DAYS}) end
        from unpaid where subscriptions.id = unpaid.id and subscriptions.status = 'unpaid'
      )
      select max(id) as id from unpaid having count(*) = ${MAX_POSTPONED}`;
    last = postponed[0]?.id;
  }
}

/** A condition on subscriptions `s`. */
export const whereMerchant = (merchant_id: string): Prisma.Sql => Prisma.sql`s.merchant_id = ${merchant_id}`;
