import { Prisma } from '../../prisma/generated/client';
import type { CardModel } from '../../prisma/generated/models';
import type { NewCard } from '../cardDetails/sealCard';
import type { Context } from '../context';
import { batchedById } from '../database/batch';
import { ApiError } from '../platform/errors';

/** Columns that are never read together with the others. */
export const secretColumns = { number_sealed: true, cvv2_sealed: true, fingerprint: true } as const;

export type CardRow = Omit<CardModel, keyof typeof secretColumns>;

/** Does not check which merchant the card belongs to. */
export const cardById = batchedById((db, ids: readonly string[]) =>
  db.card.findMany({ where: { id: { in: [...ids] } }, omit: secretColumns }),
);

export const cardColumns = Object.values(Prisma.CardScalarFieldEnum).filter(name => !(name in secretColumns));
const COLUMNS = Prisma.raw(cardColumns.map(name => `cards.${name}`).join(', '));

/** Throws error 2002 if the customer has another card with this number. */
export async function rejectDuplicate(
  { db }: Context,
  customer_id: string | null,
  fingerprint: Uint8Array<ArrayBuffer> | null,
  id: string,
): Promise<void> {
  if (customer_id === null || fingerprint === null) return;
  const duplicates = await db.$queryRaw<unknown[]>`
    select 1 from cards where customer_id = ${customer_id} and fingerprint = ${fingerprint} and status = 'active' and id <> ${id}`;
  if (duplicates.length > 0) throw new ApiError('card_exists');
}

interface CardOwner {
  customer_id: string | null;
  device_session_id?: string;
}

/**
 * The statement locks the active customer, so that a simultaneous deletion waits for it and then deletes this card too.
 */
export async function insertCard(context: Context, card: NewCard, owner: CardOwner): Promise<CardRow> {
  const { db, merchant_id } = context;
  const { customer_id, device_session_id = null } = owner;
  const rows = await db.$queryRaw<CardRow[]>`
    insert into cards (id, merchant_id, customer_id, creation_date, holder_name, card_number, expiration_month, expiration_year, brand, type,
      bank_name, bank_code, device_session_id, number_sealed, fingerprint)
    select ${card.id}, merchants.id, ${customer_id}, now() + make_interval(secs => clock_offset_of(merchants.id, ${customer_id})),
      ${card.holder_name}, ${card.card_number}, ${card.expiration_month}, ${card.expiration_year}, ${card.brand}, ${card.type},
      ${card.bank_name}, ${card.bank_code}, ${device_session_id}, ${card.number_sealed}, ${card.fingerprint}
    from merchants where id = ${merchant_id} and ${customerIsActive(merchant_id, customer_id)}
    on conflict do nothing returning ${COLUMNS}`;
  return rows[0] ?? findSavedOrThrow(context, card.id, customer_id);
}

/**
 * Moves the sealed number from the token to a new card. The card takes over the token's id, which the number is sealed
 * with.
 */
export async function insertCardFromToken(
  context: Context,
  { id, used_by }: { id: string; used_by: string },
  owner: CardOwner,
): Promise<CardRow> {
  const { db, merchant_id } = context;
  const { customer_id, device_session_id = null } = owner;
  const rows = await db.$queryRaw<CardRow[]>`
    with token as (
      select id, merchant_id, holder_name, card_number, expiration_month, expiration_year, brand, type, bank_name, bank_code, address,
        number_sealed, fingerprint
      from tokens where id = ${id} and merchant_id = ${merchant_id} and used_by = ${used_by} and number_sealed is not null for update
    ), inserted_card as (
      insert into cards (id, merchant_id, customer_id, creation_date, holder_name, card_number, expiration_month, expiration_year, brand,
        type, bank_name, bank_code, address, device_session_id, number_sealed, fingerprint)
      select id, merchant_id, ${customer_id}, now() + make_interval(secs => clock_offset_of(merchant_id, ${customer_id})), holder_name,
        card_number, expiration_month, expiration_year, brand, type, bank_name, bank_code, address, ${device_session_id}, number_sealed,
        fingerprint
      from token where ${customerIsActive(merchant_id, customer_id)}
      on conflict do nothing returning ${COLUMNS}
    ), emptied_token as (
      update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null where id in (select id from inserted_card)
    )
    select * from inserted_card`;
  return rows[0] ?? findSavedOrThrow(context, id, customer_id);
}

/**
 * Refuses while a subscription uses the card. Subscriptions are written under a lock of the card's row, which this
 * waits for.
 */
export async function deleteCard({ db }: Context, id: string): Promise<boolean> {
  const [, count] = await db.$transaction([
    db.$queryRaw`select 1 from cards where id = ${id} for update`,
    db.$executeRaw`
      update cards set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
      where id = ${id} and status = 'active' and not exists (select from subscriptions where card_id = ${id} and status <> 'cancelled')`,
  ]);
  return count > 0;
}

const customerIsActive = (merchant_id: string, customer_id: string | null): Prisma.Sql =>
  customer_id === null
    ? Prisma.sql`true`
    : Prisma.sql`exists (select from customers
        where id = ${customer_id} and merchant_id = ${merchant_id} and status = 'active' for share)`;

/** A repeated request gets the card that it saved before. Otherwise throws why nothing was inserted. */
async function findSavedOrThrow(context: Context, id: string, customer_id: string | null): Promise<CardRow> {
  const { db, merchant_id } = context;
  const saved = await db.card.findFirst({
    where: { id, merchant_id, customer_id, status: 'active' },
    omit: secretColumns,
  });
  if (saved) return saved;
  if (customer_id !== null && !(await db.customer.findFirst({ where: { id: customer_id, status: 'active' } })))
    throw new ApiError('not_found');
  const token = await db.token.findUnique({ where: { id } });
  if (token && !token.number_sealed)
    throw new ApiError('invalid_value', { field: 'token_id', problem: 'was used already' });
  throw new ApiError('card_exists');
}
