import { Prisma } from '../../../prisma/generated/client';
import { ApiError } from '../../platform/errors';
import { type BoundedList, readFitting, readPage } from '../../schema/boundedList';
import { toConnection } from '../../schema/connections/connection';
import { inOrder, type Order } from '../../schema/connections/order';
import { countRecords } from '../../schema/connections/total';
import { pageSlice, type Slice, slicedSql, sliceOf } from '../../schema/connections/window';
import { createdConditions } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { AUDIT_ACTIONS, type AuditAction } from './actions';
import type { AuditEntry, AuditEntryConnection, AuditPage, AuditWindow } from './fields';

/** IDs break ties of the same moment. */
const BY_DATE: Order<Pick<AuditEntry, 'id' | 'creation_date'>> = {
  name: 'audit',
  by: ['creation_date', 'id'],
  kinds: ['moment', 'number'],
  placeOf: ({ creation_date, id }) => [creation_date, BigInt(id)],
};

type AuditRow = Omit<AuditEntry, 'description'> & { action: AuditAction };

const isAction = (text: string): text is AuditAction => Object.hasOwn(AUDIT_ACTIONS, text);

/** The entries of one merchant, or of all merchants. */
export async function listAuditLog(
  context: Context,
  merchant_id: string | undefined,
  page: AuditPage,
): Promise<AuditEntry[]> {
  const slice = { ...pageSlice(page), order: BY_DATE };
  const rows = await readPage(context, boundedList(context, auditConditions(merchant_id, page), slice));
  return rows.map(toAuditEntry);
}

export async function auditConnection(
  context: Context,
  merchant_id: string | undefined,
  window: AuditWindow,
  show = (entry: AuditEntry): AuditEntry => entry,
): Promise<AuditEntryConnection> {
  const conditions = auditConditions(merchant_id, window);
  const list = boundedList(context, conditions, sliceOf(window, BY_DATE));
  const { records, isCut } = await readFitting(context, list);
  const readTotal = () => countRecords(context.db, 'audit_log', conditions);
  const entries = records.map(row => show(toAuditEntry(row)));
  return toConnection(window, entries, readTotal, { isCut, order: BY_DATE });
}

const toAuditEntry = (row: AuditRow): AuditEntry => ({ ...row, description: AUDIT_ACTIONS[row.action] ?? row.action });

function auditConditions(
  merchant_id: string | undefined,
  { action, object_id, actor_id, ...filters }: AuditPage | AuditWindow,
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

function boundedList({ db }: Context, conditions: Prisma.Sql, slice: Slice): BoundedList<AuditRow> {
  const page = slicedSql(conditions, slice);
  return {
    limit: slice.take,
    read: async () => (await readRows(db, page)).sort(inOrder(BY_DATE, slice.isBackward)),
    // Has another name than the column, so that it is not sorted as text.
    readIds: async () =>
      (await db.$queryRaw<{ text: string }[]>`select id::text as text from audit_log ${page}`).map(({ text }) => text),
    load: ids => readRows(db, Prisma.sql`where id = any(${ids}::text[]::bigint[])`),
    bytesOf: row => 500 + JSON.stringify([row.before, row.after]).length,
  };
}

/** `rest` follows the FROM clause. */
const readRows = (db: Context['db'], rest: Prisma.Sql): Promise<AuditRow[]> => db.$queryRaw<AuditRow[]>`
  select entry.id::text, creation_date, action, actor, actor_id, object_id, address, request_id, before, after,
    number::integer, encode(hash, 'hex') as hash
  from (select * from audit_log ${rest}) as entry left join audit_seals on entry_id = entry.id`;
