/** Counts the records of a list. Above a limit PostgreSQL estimates, because an exact count would be slow. */
import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import { type Conditions, toSql } from './conditions';

export const MAX_EXACT_COUNT = 10_000;

export interface Total {
  count: number;
  isExact: boolean;
}

export const totalWhere = (db: Database, table: string, where: Conditions) => (): Promise<Total> =>
  countRecords(db, table, toSql(where));

export async function countRecords(db: Database, table: string, conditions: Prisma.Sql): Promise<Total> {
  const records = Prisma.sql`select from ${Prisma.raw(table)} where ${conditions}`;
  const [{ count } = { count: 0 }] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::integer as count from (${records} limit ${MAX_EXACT_COUNT + 1}) as counted`;
  if (count <= MAX_EXACT_COUNT) return { count, isExact: true };
  const [estimate = 0] = await estimateRows(db, [records]);
  return { count: atLeastCounted(estimate), isExact: false };
}

interface OwnedRecords {
  table: string;
  alias: string;
  /** The column that names the owner. */
  owner: string;
  conditions: Prisma.Sql;
}

/** Counts the records of many owners in one SQL statement, and estimates large counts in another. */
export async function countByOwner(
  db: Database,
  { table, alias, owner, conditions }: OwnedRecords,
  ids: string[],
): Promise<Map<string, Total>> {
  const recordsOf = (id: Prisma.Sql): Prisma.Sql =>
    Prisma.sql`select from ${Prisma.raw(`${table} ${alias}`)} where ${Prisma.raw(`${alias}.${owner}`)} = ${id} and ${conditions}`;
  const rows = await db.$queryRaw<{ id: string; count: number }[]>`
    select owner.id, (select count(*)::integer
      from (${recordsOf(Prisma.raw('owner.id'))} limit ${MAX_EXACT_COUNT + 1}) as counted) as count
    from unnest(${ids}::varchar[]) as owner (id)`;
  const totals = new Map(rows.map(({ id, count }) => [id, { count, isExact: count <= MAX_EXACT_COUNT }]));
  const large = rows.filter(({ count }) => count > MAX_EXACT_COUNT).map(({ id }) => id);
  const estimates =
    large.length > 0
      ? await estimateRows(
          db,
          large.map(id => recordsOf(Prisma.sql`${id}`)),
        )
      : [];
  for (const [i, id] of large.entries()) totals.set(id, { count: atLeastCounted(estimates[i] ?? 0), isExact: false });
  return totals;
}

/** The counted records exist, even if PostgreSQL estimates fewer. */
const atLeastCounted = (estimate: number): number => Math.max(estimate, MAX_EXACT_COUNT + 1);

interface PlanNode {
  'Plan Rows': number;
  Plans?: PlanNode[];
}

/** PostgreSQL's estimates for all queries, in one SQL statement. */
async function estimateRows(db: Database, queries: Prisma.Sql[]): Promise<number[]> {
  const [explained] = await db.$transaction(async tx => {
    // A parallel plan would show the rows per process.
    await tx.$executeRaw`set local max_parallel_workers_per_gather = 0`;
    return tx.$queryRaw<[{ 'QUERY PLAN': [{ Plan: PlanNode }] }]>`
      explain (format json) ${Prisma.join(queries, ' union all ')}`;
  });
  const { Plan: plan } = explained['QUERY PLAN'][0];
  const plans = queries.length === 1 ? [plan] : (plan.Plans ?? []);
  return plans.map(node => node['Plan Rows']);
}
