/**
 * Statements that write several tables at once for many requests are put together from these pieces. Rows are passed as
 * one JSON document per table, so the text of a statement never changes, and the schema says how to read each column: a
 * new column needs no change here, nor in any statement.
 */
import { Prisma } from '../../../prisma/generated/client';
import { columnTypes } from '../../../prisma/generated/columnTypes';

type Table = keyof typeof columnTypes;

/** Of some tables, statements do not write every column: the database fills in the others. */
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

/** Bytes and 64-bit integers, which JSON does not have, as the text that PostgreSQL reads them from. */
function toJson(value: unknown): string {
  if (typeof value === 'bigint') return `"${value}"`;
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return JSON.stringify(value);
}

/**
 * Nothing but columns is sent to the database, where statements may be logged. What is left out is null. The text is
 * written member by member, which takes half the time of making an object for `JSON.stringify`.
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
/** The columns with their types, put together once. */
function definitionsOf(table: Table, names: readonly string[]): string {
  const types: Record<string, string> = columnTypes[table];
  const known = definitions.get(names) ?? names.map(name => `"${name}" ${types[name]}`).join(', ');
  definitions.set(names, known);
  return known;
}

/**
 * For a FROM clause: the rows with the columns of the table, or only those in `names`. Columns that a row lacks are
 * null, and properties that are no column are left out. `extra` is the name of one more column, and its text for each
 * row.
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
  // Without a limit PostgreSQL expects a hundred rows and would rather read a whole table than look up a few in it. The
  // number itself is hidden from it, or it would make a new plan for every number.
  return Prisma.sql`(select * from jsonb_to_recordset(${`[${records.map(record => `{${record}}`)}]`}::jsonb)
    as record (${Prisma.raw(columns)}) limit (select ${rows.length}::integer))`;
}

/**
 * Inserts what `from` (the rest of a select) yields. Columns are those of its alias `row`, unless `values` has an
 * expression for them.
 */
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

/** A row that is written only if the same statement writes the row `cause`. */
export interface Dependent<Row extends object = object> {
  cause: string;
  row: Row;
}

/** For a FROM clause: the rows as the table has them, and their `cause`. */
export const dependentsOf = (table: Table, dependents: readonly Dependent[]): Prisma.Sql =>
  recordsOf(
    table,
    dependents.map(({ row }) => row),
    ['cause', dependents.map(({ cause }) => cause)],
  );

/**
 * Inserts, in their order, those whose cause is among `written`, a query of the ids that the statement has written. They
 * are compared with an array: a join would cost more and lose the order. `values` are expressions for columns, as those
 * of `insertFrom`.
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
 * A condition that ends a query by unique ids. The limit leaves out nothing; with it PostgreSQL expects few rows before
 * it knows the ids, and so keeps one plan instead of making a new one each time.
 */
export const idIn = (ids: readonly string[]): Prisma.Sql =>
  Prisma.sql`= any(${[...ids]}::varchar[]) limit ${ids.length}`;

/**
 * A condition that joins a table with a batch: `table.id ${equalsViaIndex('batch.id')}`. It is an equality that can be looked up
 * in an index, and nothing else: where PostgreSQL takes the table for empty, it would join all of its rows.
 */
export const equalsViaIndex = (value: string): Prisma.Sql => Prisma.raw(`= any(array[${value}])`);

/**
 * A condition for rows whose ids a query yields. In a join, as with `in`, all rows would be read where PostgreSQL takes
 * the table for empty.
 */
export const idInQuery = (ids: Prisma.Sql): Prisma.Sql => Prisma.sql`= any(array(${ids}))`;

/** The ids of a part of the statement. */
export const idsOf = (part: string): Prisma.Sql => Prisma.raw(`select id from ${part}`);

/** One statement of several parts. Each is executed, in no particular order; a part may refer to earlier ones by name. */
export const statement = (parts: Record<string, Prisma.Sql>, result: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`with ${Prisma.join(
    Object.entries(parts).map(([name, part]) => Prisma.sql`${Prisma.raw(name)} as (${part})`),
  )} ${result}`;
