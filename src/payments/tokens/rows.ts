import { Prisma } from '../../../prisma/generated/client';
import type { TokenModel } from '../../../prisma/generated/models';
import { batchedById, batchedWrites } from '../../platform/database/batch';
import { queryRows } from '../../platform/database/connection';
import { findOwnWork } from '../../platform/database/findOwnWork';
import { columnsOf, idIn, insertFrom, recordsOf } from '../../platform/database/rows';
import { ApiError, type ErrorKind } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
import type { NewCard } from '../cardDetails/sealCard';
import type { StoredAddress } from '../customers/rows';
import type { Token } from './fields';

export type TokenRow = Omit<TokenModel, 'address'> & { address: StoredAddress | null };
export type TokenView = Token['card'] & { id: string };

const narrowToken = (row: TokenModel): TokenRow => row as TokenRow;

const MAX_TOKEN_AGE_HOURS = 24;
export const tokenExpiryCutoff = (now: Date): Date => new Date(now.getTime() - MAX_TOKEN_AGE_HOURS * 3_600_000);

const COLUMNS = columnsOf('tokens');

type NewToken = NewCard & Pick<TokenRow, 'merchant_id' | 'created_from'> & { address: object | null };

/** Inserts concurrent tokens in one batch. */
const insertTokens = batchedWrites(
  (db, tokens: readonly NewToken[]) =>
    queryRows<{ id: string; creation_date: Date }>(
      db,
      insertFrom(
        'tokens',
        'token',
        Prisma.sql`from ${recordsOf('tokens', tokens)} as token on conflict do nothing returning id, creation_date`,
        { creation_date: Prisma.sql`now()` },
      ),
    ),
  ({ id }) => id,
  ({ id }) => id,
);

export async function insertToken(
  { db, merchant_id, keyKind, address: sender }: Context,
  token: NewCard,
  address: object | null,
): Promise<TokenView> {
  // With the private key the sender is the merchant's server, not the payer.
  const created_from = keyKind === 'private' ? null : sender;
  const row = await insertTokens(db, { ...token, merchant_id, address, created_from });
  if (row) return { ...token, ...row, address };
  const own = await findOwnWork(db.token.findUnique({ where: { id: token.id, merchant_id } }), async () => {
    throw new ApiError('internal');
  });
  return own as TokenView;
}

/** Origin of an unused token. Does not check the merchant. */
export const tokenOrigin = batchedById((db, ids: readonly string[]) =>
  queryRows<Pick<TokenRow, 'id' | 'merchant_id' | 'card_number' | 'created_from'>>(
    db,
    Prisma.sql`select id, merchant_id, card_number, created_from from tokens where used_by is null and id ${idIn(ids)}`,
  ),
);

/** `errorName`: not_found for a token in the path, invalid_value for a token in the request body. */
export async function findToken(
  { db, merchant_id }: Context,
  id: string,
  errorName: ErrorKind = 'not_found',
): Promise<TokenRow> {
  const token = isId(id) ? await db.token.findUnique({ where: { id, merchant_id } }) : null;
  if (!token || token.creation_date <= tokenExpiryCutoff(new Date()))
    throw errorName === 'not_found'
      ? new ApiError(errorName)
      : new ApiError(errorName, 'unknown_or_expired', { field: 'token_id' });
  return narrowToken(token);
}

/** Claims a token for one request and its repetitions. */
export async function useToken({ db, merchant_id }: Context, id: string, used_by: string): Promise<TokenRow> {
  const [token] = await db.$queryRaw<TokenRow[]>`
    update tokens set used_at = coalesce(used_at, now()), used_by = ${used_by}
    where id = ${id} and merchant_id = ${merchant_id} and creation_date > ${tokenExpiryCutoff(new Date())}
      and (used_by is null and number_sealed is not null or used_by = ${used_by})
    returning ${COLUMNS}`;
  if (!token) throw new ApiError('invalid_value', 'already_used', { field: 'token_id' });
  return token;
}

/** Destroys the token's secrets after a decline by the acquirer. After other errors the token can be used again. */
export async function releaseToken(
  { db }: Context,
  { id, used_by }: { id: string; used_by: string | null },
  error: unknown,
): Promise<never> {
  const isDeclined = error instanceof ApiError && error.category === 'gateway';
  // The request was refused, but its earlier run has a charge in progress.
  if (!isDeclined && used_by && (await db.transaction.findUnique({ where: { id: used_by } }))) throw error;
  await db.token.updateMany({
    where: { id, used_by, number_sealed: { not: null } },
    data: isDeclined ? { number_sealed: null, cvv2_sealed: null, fingerprint: null } : { used_at: null, used_by: null },
  });
  throw error;
}
