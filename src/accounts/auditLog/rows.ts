import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import type { Environments } from '../../platform/database/environments';
import { insertFrom, recordsOf } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import type { BoundedList } from '../../schema/boundedList';
import { inOrder, type Order } from '../../schema/connections/order';
import { slicedSql } from '../../schema/connections/rows';
import type { Slice } from '../../schema/connections/window';
import type { Context } from '../../schema/operation/context';
import { createdConditions } from '../../schema/rows';
import { AUDIT_ACTIONS, type AuditAction } from './actions';
import type { NewAuditEntry } from './entry';
import type { AuditArgs, AuditConnectionArgs, AuditEntry } from './fields';

const MAX_ENTRIES = 1000;

/** Returns the number of sealed entries. Skips a chain that another process is sealing. */
export async function sealEntries(db: Database, environments: Environments): Promise<number> {
  const [row] = await db.$queryRaw<{ sealed: number }[]>`
    select seal_audit_log(${[...environments]}::text[], ${MAX_ENTRIES}::integer) as sealed`;
  return row?.sealed ?? 0;
}

/** The part of a statement that writes entries, if `written`, a query, yields any row. */
export const insertAudit = (entries: readonly NewAuditEntry[], written: Prisma.Sql): Prisma.Sql =>
  insertFrom(
    'audit_log',
    'entry',
    Prisma.sql`from ${recordsOf('audit_log', entries)} as entry where exists (${written})`,
  );

/** Newest first. Numbers tell those of the same moment apart. */
export const BY_DATE: Order<Pick<AuditEntry, 'id' | 'creation_date'>> = {
  name: 'audit',
  by: ['creation_date', 'id'],
  kinds: ['moment', 'number'],
  placeOf: ({ creation_date, id }) => [creation_date, BigInt(id)],
};

export type AuditRow = Omit<AuditEntry, 'description'> & { action: AuditAction };

const isAction = (text: string): text is AuditAction => Object.hasOwn(AUDIT_ACTIONS, text);

export function auditConditions(
  merchant_id: string | undefined,
  { action, object_id, actor_id, ...filters }: AuditArgs | AuditConnectionArgs,
): Prisma.Sql {
  if (action !== undefined && !isAction(action))
    throw new ApiError('invalid_value', 'not_one_of', {
      field: 'action',
      values: Object.keys(AUDIT_ACTIONS).join(', '),
    });
  const conditions = [
    Prisma.sql`true`,
    ...(merchant_id === undefined ? [] : [Prisma.sql`merchant_id = ${merchant_id}`]),
    ...(action === undefined ? [] : [Prisma.sql`action = ${action}`]),
    ...(object_id === undefined ? [] : [Prisma.sql`object_id = ${object_id}`]),
    ...(actor_id === undefined ? [] : [Prisma.sql`actor_id = ${actor_id}`]),
    ...createdConditions(filters),
  ];
  return Prisma.join(conditions, ' and ');
}

export function boundedList({ db }: Context, conditions: Prisma.Sql, slice: Slice): BoundedList<AuditRow> {
  const page = slicedSql(conditions, slice);
  return {
    limit: slice.take,
    read: async () => (await readRows(db, page)).sort(inOrder(BY_DATE, slice.isBackward)),
    // Called otherwise than the column, or it would be sorted as a text.
    readIds: async () =>
      (await db.$queryRaw<{ text: string }[]>`select id::text as text from audit_log ${page}`).map(({ text }) => text),
    load: ids => readRows(db, Prisma.sql`where id = any(${ids}::text[]::bigint[])`),
    bytesOf: row => 500 + JSON.stringify([row.before, row.after]).length,
  };
}

/** `rest` is what follows the FROM clause. */
const readRows = (db: Context['db'], rest: Prisma.Sql): Promise<AuditRow[]> => db.$queryRaw<AuditRow[]>`
  select entry.id::text, creation_date, action, actor, actor_id, object_id, address, request_id, before, after,
    number::integer, encode(hash, 'hex') as hash
  from (select * from audit_log ${rest}) as entry left join audit_seals on entry_id = entry.id`;
