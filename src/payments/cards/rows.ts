import { Prisma } from '../../../prisma/generated/client';
import type { CardModel } from '../../../prisma/generated/models';
import { auditEntry } from '../../accounts/auditLog/entry';
import { insertAudit } from '../../accounts/auditLog/rows';
import type { Issuer } from '../../gateway/acquirer/port';
import { batched, batchedById, batchedWrites } from '../../platform/database/batch';
import { queryRows } from '../../platform/database/connection';
import { findOwnWork } from '../../platform/database/findOwnWork';
import { idIn, idsOf, insertFrom, recordsOf, statement } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import type { NewCard } from '../cardDetails/sealCard';
import type { StoredAddress } from '../customers/rows';
import { customerIsActive } from '../customers/rows';

/** Columns excluded from ordinary reads. */
export const secretColumns = { number_sealed: true, cvv2_sealed: true, fingerprint: true } as const;

type CardModelWithoutSecrets = Omit<CardModel, keyof typeof secretColumns>;
export type CardRow = Omit<CardModelWithoutSecrets, 'address'> & { address: StoredAddress | null };

export const narrowCard = (row: CardModelWithoutSecrets): CardRow => row as CardRow;

export const cardColumns = Object.values(Prisma.CardScalarFieldEnum).filter(name => !(name in secretColumns));
const COLUMNS = Prisma.raw(cardColumns.map(name => `cards.${name}`).join(', '));

/** Does not check the merchant. */
export const cardById = batchedById((db, ids: readonly string[]) =>
  queryRows<CardRow>(db, Prisma.sql`select ${COLUMNS} from cards where id ${idIn(ids)}`),
);

const IDENTITY = ['id', 'customer_id', 'fingerprint'] as const satisfies (keyof CardModel)[];

/** Returns the cards whose customer has another card with the same number. */
const findDuplicate = batched(
  (db, cards: readonly Pick<CardModel, (typeof IDENTITY)[number]>[]) =>
    queryRows<{ id: string }>(
      db,
      // `limit` forces an index lookup per card: a planner that assumes an empty table would join all rows.
      Prisma.sql`select card.id from ${recordsOf('cards', cards, undefined, IDENTITY)} as card, lateral (
        select from cards as other where other.customer_id = card.customer_id and other.fingerprint = card.fingerprint
          and other.status = 'active' and other.id <> card.id limit 1) as duplicate`,
    ),
  ({ id }) => id,
);

/** Throws error 2002 if the customer has another card with this number. */
export async function rejectDuplicate(
  { db }: Pick<Context, 'db'>,
  customer_id: string | null,
  fingerprint: Uint8Array<ArrayBuffer> | null,
  id: string,
): Promise<void> {
  if (customer_id === null || fingerprint === null) return;
  if (await findDuplicate(db, { id, customer_id, fingerprint })) throw new ApiError('card_exists');
}

interface CardOwner {
  customer_id: string | null;
  /** The payment link that the card completes. */
  payment_link_id?: string | undefined;
  device_session_id?: string | undefined;
}

/** Columns copied from the token. */
const tokenColumns = Object.values(Prisma.TokenScalarFieldEnum).filter(
  name => name in Prisma.CardScalarFieldEnum && !['id', 'merchant_id', 'creation_date', 'cvv2_sealed'].includes(name),
);
const TOKEN_COLUMNS = Prisma.raw(['id', ...tokenColumns].join(', '));
const tokenValues = Object.fromEntries(tokenColumns.map(name => [name, Prisma.raw(`token.${name}`)]));

/** The acquirer's issuer data replaces the token's. */
const issuerValues = (issuer: Partial<Issuer>): Record<string, Prisma.Sql> =>
  Object.fromEntries(Object.entries(issuer).map(([name, value]) => [name, Prisma.sql`${value}`]));

/** Time by the clock of the merchant or customer. */
const creation_date = Prisma.sql`now() + make_interval(secs => clock_offset_of(card.merchant_id, card.customer_id))`;

/**
 * Inserts the cards of concurrent requests in one batch. Locks the active customers, so that a concurrent deletion waits
 * and then deletes these cards too.
 */
const insertCards = batchedWrites(
  (db, cards: readonly (Omit<NewCard, 'cvv2_sealed'> & CardOwner)[]) =>
    queryRows<CardRow>(
      db,
      insertFrom(
        'cards',
        'card',
        Prisma.sql`from ${recordsOf('cards', cards)} as card where ${customerIsActive('card')}
          on conflict do nothing returning ${COLUMNS}`,
        { creation_date },
      ),
    ),
  ({ id }) => id,
  ({ id }) => id,
);

export async function insertCard(context: Context, newCard: NewCard, owner: CardOwner): Promise<CardRow> {
  const { db, merchant_id } = context;
  // The verification used the security code, so it is not stored.
  const card = { ...newCard, ...owner, merchant_id, status: 'active', cvv2_sealed: null };
  return (await insertCards(db, card)) ?? findSaved(context, card.id, owner, card.fingerprint);
}

/**
 * Moves the sealed number from the token to a new card. The card gets the token's ID, because the number is sealed with
 * it.
 */
export async function insertCardFromToken(
  context: Context,
  { id, used_by }: { id: string; used_by: string },
  owner: CardOwner,
  issuer: Partial<Issuer>,
): Promise<CardRow> {
  const { db, merchant_id } = context;
  const card = { ...owner, id, merchant_id, status: 'active' };
  const { payment_link_id } = owner;
  const rows = await db.$queryRaw<CardRow[]>(
    statement(
      {
        ...(payment_link_id && {
          unused_link: Prisma.sql`
            select id from payment_links where id = ${payment_link_id} and status = 'active' for no key update`,
        }),
        token: Prisma.sql`
          select ${TOKEN_COLUMNS} from tokens where id = ${id} and merchant_id = ${merchant_id} and used_by = ${used_by}
            and number_sealed is not null for update`,
        inserted_card: insertFrom(
          'cards',
          'card',
          Prisma.sql`from ${recordsOf('cards', [card])} as card join token using (id)
            where ${customerIsActive('card')}
              ${payment_link_id ? Prisma.sql`and exists (select from unused_link)` : Prisma.empty}
            on conflict do nothing returning ${COLUMNS}`,
          { ...tokenValues, ...issuerValues(issuer), creation_date },
        ),
        emptied_token: Prisma.sql`
          update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null
          where id in (select id from inserted_card)`,
        ...(payment_link_id && {
          used_link: Prisma.sql`
            update payment_links set status = 'completed', card_id = inserted_card.id from inserted_card
            where payment_links.id = ${payment_link_id}`,
        }),
      },
      Prisma.sql`select * from inserted_card`,
    ),
  );
  return rows[0] ?? findSaved(context, id, owner);
}

/**
 * Returns false if a subscription uses the card. Subscriptions are written under a lock of the card's row, which this
 * waits for.
 */
export async function deleteCard(context: Context, id: string): Promise<boolean> {
  const { db } = context;
  const audit = auditEntry(context, 'card.deleted', { object_id: id });
  const [, count] = await db.$transaction([
    db.$queryRaw`select 1 from cards where id = ${id} for update`,
    db.$executeRaw`
      with deleted_card as (
        update cards set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
        where id = ${id} and status = 'active' and not exists (select from subscriptions where card_id = ${id} and status <> 'cancelled')
        returning id
      )
      ${insertAudit([audit], idsOf('deleted_card'))}`,
  ]);
  return count > 0;
}

/** Returns the card that an earlier run of the request saved, or throws the reason for the failed insert. */
async function findSaved(
  { db, merchant_id }: Context,
  id: string,
  { customer_id }: CardOwner,
  fingerprint?: Uint8Array<ArrayBuffer>,
): Promise<CardRow> {
  const where = { id, merchant_id, customer_id, status: 'active' };
  const saved = await findOwnWork(db.card.findFirst({ where, omit: secretColumns }), async () => {
    if (customer_id !== null && !(await db.customer.findFirst({ where: { id: customer_id, status: 'active' } })))
      throw new ApiError('not_found');
    const token = await db.token.findUnique({ where: { id } });
    if (token && !token.number_sealed) throw new ApiError('invalid_value', 'already_used', { field: 'token_id' });
    await rejectDuplicate({ db }, customer_id, fingerprint ?? token?.fingerprint ?? null, id);
    throw new ApiError('unavailable', 'changed_meanwhile');
  });
  return narrowCard(saved);
}
