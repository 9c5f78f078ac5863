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
import { type AuditBatch, type Head, signBatch } from './batch';
import type { NewAuditEntry } from './entry';
import type { AuditArgs, AuditConnectionArgs, AuditEntry } from './fields';

const MAX_ENTRIES = 1000;

/** A batch of new seals. If it is full, more entries may wait. */
interface SealedBatch {
  batch: AuditBatch;
  isFull: boolean;
}

/** Seals and signs new entries. Returns undefined if there are none, or while another process does it. */
export async function sealEntries(
  db: Database,
  environments: Environments,
  key: Buffer,
  date = new Date(),
): Promise<SealedBatch | undefined> {
  if (!(await hasNewEntries(db, environments))) return undefined;
  return db.$transaction(async tx => {
    const sealed = await tx.$queryRaw<{ head: Head; entries: number }[]>`
      select head, entries from seal_audit_log(${[...environments]}::text[], ${MAX_ENTRIES}::integer)`;
    if (sealed.length === 0) return undefined;
    const last = await tx.auditBatch.findFirst({ orderBy: { number: 'desc' } });
    const heads = sealed.map(({ head }) => head);
    const previous = last?.signature ?? '';
    const batch = signBatch(key, { number: Number(last?.number ?? 0) + 1, date, heads, previous });
    await tx.auditBatch.create({ data: batch });
    return { batch, isFull: sealed.reduce((sum, { entries }) => sum + entries, 0) >= MAX_ENTRIES };
  });
}

async function hasNewEntries(db: Database, environments: Environments): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select from unsealed_entries u left join merchants m on m.id = u.chain
    where m.id is null or m.environment::text = any (${[...environments]}::text[]) limit 1`;
  return rows.length > 0;
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
