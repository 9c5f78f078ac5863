/** The private sandbox key collects the production keys once. Operators never see them. */
import { Prisma } from '../../../prisma/generated/client';
import { idsOf, statement } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { auditEntry, insertAudit } from '../auditLog/entry';
import { hashKey, keyRow, seededKey } from '../merchants/keys';
import type { LiveKeys } from './fields';
import { findLiveRequest } from './rows';

type CollectingContext = Pick<
  Context,
  'db' | 'merchant_id' | 'newId' | 'vault' | 'keySecret' | 'actor' | 'address' | 'request_id'
>;

export async function collectLiveKeys(context: CollectingContext): Promise<LiveKeys> {
  const { db, newId, keySecret } = context;
  const { id, status, production_merchant_id: merchant_id } = await findLiveRequest(context);
  if (merchant_id === null) throw new ApiError('not_allowed', 'request_not_approved', { status });
  const keys = { private_key: seededKey('private', context), public_key: seededKey('public', context) };
  const rows = [
    { kind: 'private' as const, ...keyRow(keys.private_key, keySecret, newId('key')) },
    { kind: 'public' as const, ...keyRow(keys.public_key, keySecret, newId('key')) },
  ];
  const values = rows.map(
    row => Prisma.sql`(${row.id}, ${row.hash}::bytea, ${merchant_id}, ${row.kind}::"KeyKind", ${row.last_four})`,
  );
  const entries = rows.map(row =>
    auditEntry(context, 'key.created', { object_id: row.id, after: { kind: row.kind } }, merchant_id),
  );
  const [collected] = await db.$queryRaw<{ id: string }[]>(
    statement(
      {
        collected: Prisma.sql`update live_requests set keys_collected_at = now()
          where id = ${id} and keys_collected_at is null returning id`,
        inserted: Prisma.sql`insert into api_keys (id, hash, merchant_id, kind, last_four)
          select key.* from (values ${Prisma.join(values)}) as key where exists (${idsOf('collected')})`,
        noted: insertAudit(entries, idsOf('collected')),
      },
      idsOf('collected'),
    ),
  );
  // A retry creates the same keys again, and finds that its first run stored them.
  const isOwn = collected ?? (await db.apiKey.findUnique({ where: { hash: hashKey(keys.private_key, keySecret) } }));
  if (!isOwn) throw new ApiError('not_allowed', 'keys_collected');
  return { merchant_id, ...keys };
}
