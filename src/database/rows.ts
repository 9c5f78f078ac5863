/**
 * Statements that write several tables at once for many requests are put together from these pieces. Rows are passed as
 * one JSON document per table, so the text of a statement never changes, and the table itself says how to read each
 * column: a new column needs no change here, nor in any statement.
 */
import { Prisma } from '../../prisma/generated/client';

/** The columns that a statement writes: those of the schema, without what the database fills in by itself. */
const columns = {
  cards: Object.values(Prisma.CardScalarFieldEnum),
  customers: Object.values(Prisma.CustomerScalarFieldEnum),
  entries: ['movement', 'account', 'amount', 'transaction_id'],
  events: ['id', 'merchant_id', 'type', 'object_id', 'object', 'creation_date'],
  outbox: ['kind', 'object_id'],
  subscription_lines: Object.values(Prisma.SubscriptionLineScalarFieldEnum).filter(name => name !== 'id'),
  subscriptions: Object.values(Prisma.SubscriptionScalarFieldEnum),
  tokens: Object.values(Prisma.TokenScalarFieldEnum),
  transactions: Object.values(Prisma.TransactionScalarFieldEnum),
};
type Table = keyof typeof columns;

const quoted = (name: string): string => `"${name}"`;
const list = (names: readonly string[]): Prisma.Sql => Prisma.raw(names.map(quoted).join(', '));
export const columnsOf = (table: Table): Prisma.Sql => list(columns[table]);

/** Bytes and 64-bit integers, which JSON does not have, as the text that PostgreSQL reads them from. */
function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}

/** Nothing but columns is sent to the database, where statements may be logged. What is left out is null. */
function toRecord(names: readonly string[], row: object): object {
  const record: Record<string, unknown> = {};
  for (const name of names) {
    const value = (row as Record<string, unknown>)[name];
    if (value !== undefined && value !== null) record[name] = toJsonValue(value);
  }
  return record;
}

const toJson = (names: readonly string[], rows: readonly object[]): string =>
  JSON.stringify(rows.map(row => toRecord(names, row)));

/**
 * For a FROM clause: the rows as the table has them. Columns that a row lacks are null, and properties that are no
 * column are left out. `extra` is the name of one more column, and its text for each row; then there is also the row's
 * `ordinality`. With `names`, only these columns are sent.
 */
export function recordsOf(
  table: Table,
  rows: readonly object[],
  extra?: readonly [name: string, values: readonly string[]],
  names: readonly string[] = columns[table],
): Prisma.Sql {
  const records = Prisma.sql`jsonb_populate_recordset(null::${Prisma.raw(table)}, ${toJson(names, rows)}::jsonb)`;
  if (!extra) return records;
  const [name, values] = extra;
  return Prisma.sql`(select input.*, input.unnest as ${Prisma.raw(name)}
    from rows from (${records}, unnest(${values}::varchar[])) with ordinality as input)`;
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
  const names: string[] = columns[table];
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

/** Inserts, in their order, those whose cause is among `written`, a query of the ids that the statement has written. */
export const insertDependents = (table: Table, dependents: readonly Dependent[], written: Prisma.Sql): Prisma.Sql =>
  insertFrom(
    table,
    'dependent',
    Prisma.sql`from ${dependentsOf(table, dependents)} as dependent where dependent.cause in (${written})
      order by dependent.ordinality`,
  );

/** `set` clauses that copy these columns from `row`. */
export const assign = (names: readonly string[], row: string): Prisma.Sql =>
  Prisma.raw(names.map(name => `${quoted(name)} = ${row}.${quoted(name)}`).join(', '));

/** The ids of a part of the statement. */
export const idsOf = (part: string): Prisma.Sql => Prisma.raw(`select id from ${part}`);

/** One statement of several parts. Each is executed, in no particular order; a part may refer to earlier ones by name. */
export const statement = (parts: Record<string, Prisma.Sql>, result: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`with ${Prisma.join(
    Object.entries(parts).map(([name, part]) => Prisma.sql`${Prisma.raw(name)} as (${part})`),
  )} ${result}`;
