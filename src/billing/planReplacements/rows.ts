import { Prisma } from '../../../prisma/generated/client';
import type { PlanReplacementModel } from '../../../prisma/generated/models';
import type { Database } from '../../platform/database/connection';
import { type Environments, merchantsOf } from '../../platform/database/environments';
import { insertOutbox } from '../../platform/database/outbox';
import { MAX_MONEY, type Money } from '../../platform/money';
import { MAX_LISTED, type SkippedSubscription, type SkipReason } from './fields';

export type ReplacementRow = Omit<PlanReplacementModel, 'status'> & { status: 'running' | 'done' };

export const narrowReplacement = (row: PlanReplacementModel): ReplacementRow => row as ReplacementRow;

export async function findReplacement(db: Database, id: string): Promise<ReplacementRow | undefined> {
  const row = await db.planReplacement.findUnique({ where: { id } });
  return row ? narrowReplacement(row) : undefined;
}

export async function latestReplacement(db: Database, plan_id: string): Promise<ReplacementRow | undefined> {
  const row = await db.planReplacement.findFirst({
    where: { plan_id },
    orderBy: [{ creation_date: 'desc' }, { id: 'desc' }],
  });
  return row ? narrowReplacement(row) : undefined;
}

/** Successors of the plan: their planned changes are replaced, those to other plans are kept. */
const earlierSuccessors = (plan_id: string): Prisma.Sql =>
  Prisma.sql`select successor_id from plan_replacements where plan_id = ${plan_id}`;

export async function isEarlierSuccessor(db: Database, plan_id: string, successor_id: string): Promise<boolean> {
  return (await db.planReplacement.count({ where: { plan_id, successor_id } })) > 0;
}

const LIVE = Prisma.raw(`status <> 'cancelled'`);

/** Live subscribers of the plan, and those that planned a change to it, even if an earlier replacement moved them. */
const subscribersOf = (plan_id: string): Prisma.Sql => Prisma.sql`
  select * from subscriptions where plan_id = ${plan_id} and ${LIVE}
  union all
  select * from subscriptions where plan_id <> ${plan_id} and ${LIVE}
    and pending_plan_id = any(array(select ${plan_id}::varchar union all ${earlierSuccessors(plan_id)}))
    and (pending_plan_id = ${plan_id} or exists (
      select from plan_replacements r join plan_replacement_items i on i.replacement_id = r.id
      where r.plan_id = ${plan_id} and i.subscription_id = subscriptions.id and i.outcome = 'done'))`;

export interface ReplacementTotals {
  total: number;
  skipped: number;
  current_amount: Money;
  new_amount: Money;
}

/** The sums are of those that change and do not end before. */
export async function readTotals(
  db: Pick<Database, '$queryRaw'>,
  plan: { id: string; amount: Money },
  amount: Money,
): Promise<ReplacementTotals> {
  const [totals] = await db.$queryRaw<ReplacementTotals[]>`
    select count(*)::integer as total, count(*) filter (where is_skipped)::integer as skipped,
      coalesce(sum(present - discount_on(present, discount)) filter (where is_charged), 0)::bigint as current_amount,
      coalesce(sum(future - discount_on(future, discount)) filter (where is_charged), 0)::bigint as new_amount
    from (
      select *, not is_skipped and not cancel_at_period_end as is_charged
      from (
        select discount, cancel_at_period_end, present, future, status = 'unpaid' or future > ${MAX_MONEY}
            or coalesce(pending_plan_id <> ${plan.id} and pending_plan_id not in (${earlierSuccessors(plan.id)}), false) as is_skipped
        from (${subscribersOf(plan.id)}) as concerned, lateral (
          select ${plan.amount}::numeric * case when plan_id = ${plan.id} then quantity else pending_quantity end as present,
            ${amount}::numeric * coalesce(pending_quantity, quantity) as future
        ) as price
      ) as subscriber
    ) as judged`;
  return totals ?? { total: 0, skipped: 0, current_amount: 0n, new_amount: 0n };
}

/** Lists the subscribers and returns their number. */
export const insertItems = (tx: Prisma.TransactionClient, id: string, plan_id: string): Promise<number> =>
  tx.$executeRaw`
    insert into plan_replacement_items (replacement_id, subscription_id)
    select ${id}, id from (${subscribersOf(plan_id)}) as concerned`;

export const readPending = (db: Database, replacement_id: string, take: number) =>
  db.planReplacementItem.findMany({
    where: { replacement_id, outcome: null },
    orderBy: [{ tries: 'asc' }, { subscription_id: 'asc' }],
    take,
  });

export interface HandledItem {
  subscription_id: string;
  /** Null if its change is scheduled, undefined if it has to be tried again. */
  reason: SkipReason | null | undefined;
}

/** Counts each item once. */
export async function settleItems(db: Database, id: string, items: readonly HandledItem[]): Promise<void> {
  const handled = items.filter(({ reason }) => reason !== undefined);
  const ids = handled.map(({ subscription_id }) => subscription_id);
  const reasons = handled.map(({ reason }) => reason ?? null);
  const waiting = items.filter(({ reason }) => reason === undefined).map(({ subscription_id }) => subscription_id);
  await db.$executeRaw`
    with settled as (
      update plan_replacement_items as item set reason = handled.reason,
        outcome = case when handled.reason is null then 'done' else 'skipped' end
      from unnest(${ids}::varchar[], ${reasons}::varchar[]) as handled (subscription_id, reason)
      where item.replacement_id = ${id} and item.subscription_id = handled.subscription_id and item.outcome is null
      returning item.outcome
    ), waiting as (
      update plan_replacement_items set tries = tries + 1
      where replacement_id = ${id} and subscription_id = any(${waiting}::varchar[]) and outcome is null
    )
    update plan_replacements set done = done + (select count(*) from settled where outcome = 'done'),
      skipped = skipped + (select count(*) from settled where outcome = 'skipped')
    where id = ${id}`;
}

export const finishReplacement = (db: Database, id: string): Promise<unknown> =>
  db.planReplacement.updateMany({
    where: { id, status: 'running' },
    data: { status: 'done', finished_at: new Date() },
  });

export async function readSkipped(db: Database, replacement_id: string): Promise<SkippedSubscription[]> {
  const rows = await db.planReplacementItem.findMany({
    where: { replacement_id, outcome: 'skipped' },
    orderBy: { subscription_id: 'asc' },
    take: MAX_LISTED,
  });
  return rows.map(({ subscription_id, reason }) => ({ subscription_id, reason: reason as SkipReason }));
}

export const queueLostReplacements = (db: Database, environments: Environments): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      'plan_replacement',
      Prisma.sql`select id, merchant_id from plan_replacements
        where status = 'running' and merchant_id in (${merchantsOf(environments)})`,
    ),
  );
