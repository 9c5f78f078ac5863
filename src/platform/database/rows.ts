/**
 * Builds SQL statements that write several tables for many requests. Rows are passed as one JSON document per table, so
 * that the text of a statement never changes; column types come from the schema.
 */
import { Prisma } from '../../../prisma/generated/client';
import { columnTypes } from '../../../prisma/generated/columnTypes';

type Table = keyof typeof columnTypes;

/** Tables with columns that the database fills in. */
const writtenColumns: Record<string, readonly string[]> = {
  ...Object.fromEntries(Object.entries(columnTypes).map(([table, types]) => [table, Object.keys(types)])),
  entries: ['movement', 'account', 'amount', 'transaction_id'],
  events: ['id', 'merchant_id', 'type', 'object_id', 'object', 'creation_date'],
  outbox: ['kind', 'object_id', 'environment'],
  settlement_items: ['report_id', 'line', 'merchant_id', 'type', 'key', 'amount', 'date', 'transaction_id', 'movement'],
  audit_log: ['merchant_id', 'actor', 'actor_id', 'action', 'object_id', 'address', 'request_id', 'before', 'after'],
};
const namesOf = (table: Table): readonly string[] => writtenColumns[table] ?? [];

const quoted = (name: string): string => `"${name}"`;
const list = (names: readonly string[]): Prisma.Sql => Prisma.raw(names.map(quoted).join(', '));
export const columnsOf = (table: Table): Prisma.Sql => list(namesOf(table));

/** PostgreSQL reads bytes and 64-bit integers from text, because JSON has neither. */
function toJson(value: unknown): string {
  if (typeof value === 'bigint') return `"${value}"`;
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return JSON.stringify(value);
}

/**
 * Sends only columns, because the database may log statements. Building the text member by member takes half the time of
 * `JSON.stringify` on a new object.
 */
function toRecord(names: readonly string[], row: object): string {
  let members = '';
  for (const name of names) {
    const value = (row as Record<string, unknown>)[name];
    if (value !== undefined && value !== null) members += `,"${name}":${toJson(value)}`;
  }
  return members.slice(1);
}

const definitions = new WeakMap<readonly string[], string>();
function definitionsOf(table: Table, names: readonly string[]): string {
  const types: Record<string, string> = columnTypes[table];
  const known = definitions.get(names) ?? names.map(name => `"${name}" ${types[name]}`).join(', ');
  definitions.set(names, known);
  return known;
}

/**
 * For a FROM clause: the rows with the columns of the table, or only those in `names`. Missing columns are null, and
 * unknown properties are ignored. `extra` adds a column with one text per row.
 */
export function recordsOf(
  table: Table,
  rows: readonly object[],
  extra?: readonly [name: string, values: readonly string[]],
  names: readonly string[] = namesOf(table),
): Prisma.Sql {
  let columns = definitionsOf(table, names);
  let records = rows.map(row => toRecord(names, row));
  if (extra) {
    const [name, values] = extra;
    columns += `, ${name} varchar`;
    records = records.map((record, index) => `${record},"${name}":${toJson(values[index])}`);
  }
  // Without a limit PostgreSQL expects a hundred rows and prefers a table scan to an index. The subquery hides the
  // number, which would otherwise cause a new plan for each value.
  return Prisma.sql`(select * from jsonb_to_recordset(${`[${records.map(record => `{${record}}`)}]`}::jsonb)
    as record (${Prisma.raw(columns)}) limit (select ${rows.length}::integer))`;
}

/** Inserts the rows of `from` (the rest of a select). Columns come from its alias `row`, unless `values` has them. */
export function insertFrom(
  table: Table,
  row: string,
  from: Prisma.Sql,
  values: Record<string, Prisma.Sql> = {},
): Prisma.Sql {
  const names = namesOf(table);
  const given = Object.keys(values);
  const copied = names.filter(name => !given.includes(name));
  const copies = Prisma.raw(copied.map(name => `${row}.${quoted(name)}`).join(', '));
  return Prisma.sql`insert into ${Prisma.raw(table)} (${list([...copied, ...given])})
    select ${Prisma.join([copies, ...Object.values(values)])} ${from}`;
}

/** A row that is written only if the same SQL statement writes the row `cause`. */
export interface Dependent<Row extends object = object> {
  cause: string;
  row: Row;
}

/** For a FROM clause: the rows and their `cause`. */
export const dependentsOf = (table: Table, dependents: readonly Dependent[]): Prisma.Sql =>
  recordsOf(
    table,
    dependents.map(({ row }) => row),
    ['cause', dependents.map(({ cause }) => cause)],
  );

/**
 * Inserts, in order, the rows whose cause is in `written`, a query of the IDs that the statement wrote. It compares with
 * an array because a join would cost more and lose the order. `values` has expressions for columns.
 */
export const insertDependents = (
  table: Table,
  dependents: readonly Dependent[],
  written: Prisma.Sql,
  values?: Record<string, Prisma.Sql>,
): Prisma.Sql =>
  insertFrom(
    table,
    'dependent',
    Prisma.sql`from ${dependentsOf(table, dependents)} as dependent where dependent.cause = any(array(${written}))`,
    values,
  );

/** `set` clauses that copy these columns from `row`. */
export const assign = (names: readonly string[], row: string): Prisma.Sql =>
  Prisma.raw(names.map(name => `${quoted(name)} = ${row}.${quoted(name)}`).join(', '));

/**
 * A condition that ends a query by unique IDs. The limit excludes no row; it makes PostgreSQL expect few rows, so that it
 * keeps one plan.
 */
export const idIn = (ids: readonly string[]): Prisma.Sql =>
  Prisma.sql`= any(${[...ids]}::varchar[]) limit ${ids.length}`;

/**
 * A condition that joins a table with a batch: `table.id ${equalsViaIndex('batch.id')}`. It forces an index lookup; with
 * `=`, PostgreSQL would scan a table that it believes to be empty.
 */
export const equalsViaIndex = (value: string): Prisma.Sql => Prisma.raw(`= any(array[${value}])`);

/** A condition on the IDs of a query. With `in`, PostgreSQL would scan a table that it believes to be empty. */
export const idInQuery = (ids: Prisma.Sql): Prisma.Sql => Prisma.sql`= any(array(${ids}))`;

export const idsOf = (part: string): Prisma.Sql => Prisma.raw(`select id from ${part}`);

/** One SQL statement of several parts, executed in no particular order; a part may refer to earlier ones by name. */
export const statement = (parts: Record<string, Prisma.Sql>, result: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`with ${Prisma.join(
    Object.entries(parts).map(([name, part]) => Prisma.sql`${Prisma.raw(name)} as (${part})`),
  )} ${result}`;
