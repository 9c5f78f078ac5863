import { Prisma } from '../../../../prisma/generated/client';
import type { BulkActionModel } from '../../../../prisma/generated/models';
import type { Database } from '../../../platform/database/connection';
import { type Environments, merchantsOf, whereEnvironmentIn } from '../../../platform/database/environments';
import type { BulkActionName, BulkState } from './fields';

/** A worker that dies loses its lease after this time. */
const LEASE_TIME = Prisma.sql`interval '10 seconds'`;
const LEASE = Prisma.sql`now() + ${LEASE_TIME}`;
const OPEN = Prisma.sql`finished_at is null`;
const MAX_MESSAGE_LENGTH = 1000;

export type BulkRow = Omit<BulkActionModel, 'action' | 'state'> & { action: BulkActionName; state: BulkState };

export const narrowBulk = (row: BulkActionModel): BulkRow => ({
  ...row,
  action: row.action as BulkActionName,
  state: row.state as BulkState,
});

/** Leases the bulk action that is due first to this process. */
export async function claimBulk(db: Database, environments: Environments): Promise<BulkRow | undefined> {
  const [claimed] = await db.$queryRaw<{ id: string }[]>`
    update bulk_actions set again_at = ${LEASE} where id = (
      select id from bulk_actions where ${OPEN} and ${whereEnvironmentIn(environments)} and again_at <= now()
      order by again_at limit 1 for update skip locked)
    returning id`;
  return claimed && narrowBulk(await db.bulkAction.findUniqueOrThrow({ where: { id: claimed.id } }));
}

const isLeased = ({ id, again_at }: BulkRow): Prisma.Sql =>
  Prisma.sql`id = ${id} and again_at = ${again_at} and ${OPEN}`;

/** Extends the lease. Returns undefined if it was lost, or the bulk action was stopped. */
export async function renewLease(db: Database, row: BulkRow): Promise<BulkRow | undefined> {
  const [renewed] = await db.$queryRaw<{ again_at: Date }[]>`
    update bulk_actions set again_at = ${LEASE} where ${isLeased(row)} returning again_at`;
  return renewed && { ...row, ...renewed };
}

/** Adds a page of the list. Subscriptions of another environment are left out. */
export async function addItems(
  db: Database,
  row: BulkRow,
  ids: readonly string[],
  next: Uint8Array<ArrayBuffer> | undefined,
): Promise<void> {
  const { id, environment } = row;
  await db.$transaction(async tx => {
    const isOwn = await tx.$executeRaw`update bulk_actions set again_at = now() where ${isLeased(row)}`;
    if (!isOwn) return;
    const count = await tx.$executeRaw`
      insert into bulk_items (bulk_id, subscription_id)
      select ${id}, id from subscriptions where id = any(${ids}) and merchant_id in (${merchantsOf([environment])})
      on conflict do nothing`;
    const state = next ? 'listing' : 'running';
    await tx.bulkAction.update({
      where: { id },
      data: { state, page_token: next ?? null, found: { increment: count } },
    });
  });
}

export const readPending = (db: Database, { id, rate }: BulkRow) =>
  db.bulkItem.findMany({
    where: { bulk_id: id, outcome: null },
    orderBy: [{ tries: 'asc' }, { subscription_id: 'asc' }],
    take: rate,
  });

/** Counts each item once. */
export const settleItem = (
  db: Database,
  bulk_id: string,
  subscription_id: string,
  outcome: 'done' | 'refused',
  message: string | null = null,
): Promise<number> => db.$executeRaw`
  with settled as (
    update bulk_items set outcome = ${outcome}, message = ${message?.slice(0, MAX_MESSAGE_LENGTH) ?? null}
    where bulk_id = ${bulk_id} and subscription_id = ${subscription_id} and outcome is null returning 1)
  update bulk_actions set ${Prisma.raw(outcome)} = ${Prisma.raw(outcome)} + 1
  where id = ${bulk_id} and exists (select from settled)`;

export const countTry = (db: Database, bulk_id: string, subscription_id: string): Promise<unknown> =>
  db.bulkItem.updateMany({ where: { bulk_id, subscription_id, outcome: null }, data: { tries: { increment: 1 } } });

/** A second after the first lease of this second began. */
export const continueInASecond = (db: Database, row: BulkRow, firstLease: Date): Promise<number> => db.$executeRaw`
  update bulk_actions set again_at = greatest(now(), ${firstLease}::timestamptz - ${LEASE_TIME} + interval '1 second')
  where ${isLeased(row)}`;

export const finishBulk = (db: Database, row: BulkRow): Promise<number> => db.$executeRaw`
  update bulk_actions set state = 'done', finished_at = now() where ${isLeased(row)}`;
