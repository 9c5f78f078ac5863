import { Prisma } from '../../prisma/generated/client';
import type { Context } from '../context';
import { ApiError } from '../platform/errors';
import { readPage } from '../schema/boundedList';
import { createdConditions } from '../schema/list';
import { AUDIT_ACTIONS, type AuditAction } from './actions';
import type { AuditEntry, AuditPage } from './fields';

type AuditRow = Omit<AuditEntry, 'description'> & { action: AuditAction };

const isAction = (text: string): text is AuditAction => Object.hasOwn(AUDIT_ACTIONS, text);

/** Newest first. Of one merchant, or without one of all. */
export async function listAuditLog(
  context: Context,
  merchant_id: string | undefined,
  { action, object_id, actor_id, limit, offset, ...filters }: AuditPage,
): Promise<AuditEntry[]> {
  if (action !== undefined && !isAction(action))
    throw new ApiError('invalid_value', {
      field: 'action',
      problem: `must be one of ${Object.keys(AUDIT_ACTIONS).join(', ')}`,
    });
  const conditions = [
    Prisma.sql`true`,
    ...(merchant_id === undefined ? [] : [Prisma.sql`merchant_id = ${merchant_id}`]),
    ...(action === undefined ? [] : [Prisma.sql`action = ${action}`]),
    ...(object_id === undefined ? [] : [Prisma.sql`object_id = ${object_id}`]),
    ...(actor_id === undefined ? [] : [Prisma.sql`actor_id = ${actor_id}`]),
    ...createdConditions(filters),
  ];
  const { db } = context;
  const page = Prisma.sql`where ${Prisma.join(conditions, ' and ')} order by creation_date desc, id desc
    limit ${limit} offset ${offset}`;
  const rows = await readPage(context, {
    limit,
    read: () => readRows(db, page),
    readIds: async () =>
      (await db.$queryRaw<{ id: string }[]>`select id::text from audit_log ${page}`).map(({ id }) => id),
    load: ids => readRows(db, Prisma.sql`where id = any(${ids}::text[]::bigint[])`),
    bytesOf: row => 500 + JSON.stringify([row.before, row.after]).length,
  });
  return rows.map(row => ({ ...row, description: AUDIT_ACTIONS[row.action] ?? row.action }));
}

/** `rest` is what follows the FROM clause. */
const readRows = (db: Context['db'], rest: Prisma.Sql): Promise<AuditRow[]> => db.$queryRaw<AuditRow[]>`
  select entry.id::text, creation_date, action, actor, actor_id, object_id, address, request_id, before, after,
    number::integer, encode(hash, 'hex') as hash
  from (select * from audit_log ${rest}) as entry left join audit_seals on entry_id = entry.id
  order by creation_date desc, entry.id desc`;
