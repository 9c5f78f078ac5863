/** The SQL of lists by cursor: filters, order and pages that Prisma's conditions cannot be turned into. */
import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import { type CursorPlace, comparisons, KINDS, NEWEST_FIRST, type Order, toText } from './order';
import type { Slice } from './window';

type Comparable = string | number | bigint | boolean | Date;

interface Comparison {
  equals?: Comparable;
  not?: Comparable;
  in?: readonly Comparable[];
  gte?: Comparable;
  lte?: Comparable;
  lt?: Comparable;
  /** Written as a literal, so that partial indexes apply. */
  isPositive?: true;
  /** For JSON: has all of these members. */
  contains?: Readonly<Record<string, string>>;
}

/** Conditions by column. */
export type Conditions = { [column: string]: Comparable | null | Comparison };

export function toSql(conditions: Conditions, alias?: string): Prisma.Sql {
  const terms = Object.entries(conditions).flatMap(([name, condition]) => {
    const column = Prisma.raw(alias === undefined ? `"${name}"` : `${alias}."${name}"`);
    if (condition === null) return [Prisma.sql`${column} is null`];
    if (typeof condition !== 'object' || condition instanceof Date) return [Prisma.sql`${column} = ${condition}`];
    return Object.entries(condition).map(
      ([operator, value]) => Prisma.sql`${column} ${compare(operator as keyof Comparison, value)}`,
    );
  });
  return terms.length > 0 ? Prisma.join(terms, ' and ') : Prisma.sql`true`;
}

function compare(operator: keyof Comparison, value: unknown): Prisma.Sql {
  switch (operator) {
    case 'equals':
      return Prisma.sql`= ${value}`;
    case 'not':
      return Prisma.sql`<> ${value}`;
    case 'in':
      return Prisma.sql`= any(${value})`;
    case 'gte':
      return Prisma.sql`>= ${value}`;
    case 'lte':
      return Prisma.sql`<= ${value}`;
    case 'lt':
      return Prisma.sql`< ${value}`;
    case 'isPositive':
      return Prisma.sql`> 0`;
    case 'contains':
      return Prisma.sql`@> ${JSON.stringify(value)}::jsonb`;
  }
}

/** As an SQL row. Names are compared in the collation of the index. */
function placeSql({ kinds }: Order, place: CursorPlace): Prisma.Sql {
  const values = place.map((value, i) => {
    const kind = kinds[i as 0 | 1];
    return kind === 'name'
      ? Prisma.sql`search_text(${toText(value)})`
      : Prisma.sql`${toText(value)}::${Prisma.raw(KINDS[kind].type)}`;
  });
  return Prisma.sql`(${Prisma.join(values)})`;
}

/** Cursors of many requests as two arrays. A missing cursor becomes a value before or after all rows. */
export function placesSql(
  { kinds }: Order,
  places: readonly (CursorPlace | undefined)[],
  missing: 'least' | 'greatest',
) {
  const arrays = kinds.map((kind, i) => {
    const { type, bounds } = KINDS[kind];
    const bound = bounds[missing === 'least' ? 0 : 1];
    const texts = places.map(place => (place ? toText(place[i as 0 | 1]) : bound));
    return Prisma.sql`${texts}::${Prisma.raw(type)}[]`;
  });
  return Prisma.join(arrays);
}

/**
 * The page of a statement, beginning with its conditions, in any order. Rows are compared as a whole, as the index does,
 * because many rows may have the same sort value.
 */
export function slicedSql(
  conditions: Prisma.Sql,
  { skip = 0, take, after, before, isBackward, order = NEWEST_FIRST }: Slice,
): Prisma.Sql {
  const operators = comparisons(order);
  const row = Prisma.raw(`(${order.by.join(', ')})`);
  const beyond = (place: CursorPlace | undefined, operator: '<' | '>'): Prisma.Sql[] =>
    place ? [Prisma.sql`and ${row} ${Prisma.raw(operator)} ${placeSql(order, place)}`] : [];
  const parts = [...beyond(after, operators.after), ...beyond(before, operators.before), orderSql(order, isBackward)];
  return Prisma.sql`where ${conditions} ${Prisma.join(parts, ' ')} offset ${skip} limit ${take}`;
}

export function orderSql(order: Order, isBackward = false, alias = ''): Prisma.Sql {
  const { direction, opposite } = comparisons(order);
  const read = isBackward ? opposite : direction;
  return Prisma.raw(`order by ${order.by.map(column => `${alias}${column} ${read}`).join(', ')}`);
}

export const MAX_EXACT_COUNT = 10_000;

export interface Total {
  count: number;
  isExact: boolean;
}

/** Counts the records of a table that match a filter of Prisma. */
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

/** Counts the records of many owners by one statement, plus one for owners with very many records. */
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

/** PostgreSQL can estimate fewer records than were counted. */
const atLeastCounted = (estimate: number): number => Math.max(estimate, MAX_EXACT_COUNT + 1);

interface PlanNode {
  'Plan Rows': number;
  Plans?: PlanNode[];
}

/** Returns PostgreSQL's row estimate of each query, by one statement for all of them. */
async function estimateRows(db: Database, queries: Prisma.Sql[]): Promise<number[]> {
  const [explained] = await db.$transaction(async tx => {
    // A parallel plan estimates the rows per process.
    await tx.$executeRaw`set local max_parallel_workers_per_gather = 0`;
    return tx.$queryRaw<[{ 'QUERY PLAN': [{ Plan: PlanNode }] }]>`
      explain (format json) ${Prisma.join(queries, ' union all ')}`;
  });
  const { Plan: plan } = explained['QUERY PLAN'][0];
  const plans = queries.length === 1 ? [plan] : (plan.Plans ?? []);
  return plans.map(node => node['Plan Rows']);
}
