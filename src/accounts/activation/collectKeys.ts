/** The keys of production, which their owner gets once, with the private key of the sandbox. No operator sees them. */
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { auditEntry } from '../auditLog/entry';
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
  const entries = rows.map(row =>
    auditEntry(context, 'key.created', { object_id: row.id, after: { kind: row.kind } }, merchant_id),
  );
  const isCollected = await db.$transaction(async tx => {
    const { count } = await tx.liveRequest.updateMany({
      where: { id, keys_collected_at: null },
      data: { keys_collected_at: new Date() },
    });
    if (count === 0) return false;
    await tx.apiKey.createMany({ data: rows.map(row => ({ ...row, merchant_id })) });
    await tx.auditEntry.createMany({ data: entries });
    return true;
  });
  // A repeated request makes the same keys again, and finds that it was itself that collected them.
  const isOwn = isCollected || (await db.apiKey.findUnique({ where: { hash: hashKey(keys.private_key, keySecret) } }));
  if (!isOwn) throw new ApiError('not_allowed', 'keys_collected');
  return { merchant_id, ...keys };
}
