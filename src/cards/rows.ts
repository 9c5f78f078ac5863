import { Prisma } from '../../prisma/generated/client';
import type { CardModel } from '../../prisma/generated/models';
import type { NewCard } from '../cardDetails/sealCard';
import type { Context } from '../context';
import { batchedById } from '../database/batch';
import { ApiError } from '../platform/errors';

/** What is never read along with the rest. */
export const secretColumns = { number_sealed: true, cvv2_sealed: true, fingerprint: true } as const;

export type CardRow = Omit<CardModel, keyof typeof secretColumns>;

/** Whoever it belongs to. */
export const cardById = batchedById((db, ids: readonly string[]) =>
  db.card.findMany({ where: { id: { in: [...ids] } }, omit: secretColumns }),
);

export const cardColumns = Object.values(Prisma.CardScalarFieldEnum).filter(name => !(name in secretColumns));
const COLUMNS = Prisma.raw(cardColumns.map(name => `cards.${name}`).join(', '));

/** 2002 where the customer has this number on another card. */
export async function rejectDuplicate(
  { db }: Context,
  customer_id: string | null,
  fingerprint: Uint8Array<ArrayBuffer> | null,
  id: string,
): Promise<void> {
  if (customer_id === null || fingerprint === null) return;
  const found = await db.$queryRaw<unknown[]>`
    select 1 from cards where customer_id = ${customer_id} and fingerprint = ${fingerprint} and status = 'active' and id <> ${id}`;
  if (found.length > 0) throw new ApiError('card_exists');
}

interface CardOwner {
  customer_id: string | null;
  device_session_id?: string;
}

/** In one statement with a last look at the customer, whose deletion waits for it and then takes the card along. */
export async function insertCard(context: Context, card: NewCard, owner: CardOwner): Promise<CardRow> {
  const { db, merchant_id } = context;
  const { customer_id, device_session_id = null } = owner;
  const rows = await db.$queryRaw<CardRow[]>`
    insert into cards (id, merchant_id, customer_id, creation_date, holder_name, card_number, expiration_month, expiration_year, brand, type,
      bank_name, bank_code, device_session_id, number_sealed, fingerprint)
    select ${card.id}, merchants.id, ${customer_id}, now() + make_interval(secs => clock_offset_of(merchants.id, ${customer_id})), ${card.holder_name}, ${card.card_number}, ${card.expiration_month},
      ${card.expiration_year}, ${card.brand}, ${card.type}, ${card.bank_name}, ${card.bank_code}, ${device_session_id},
      ${card.number_sealed}, ${card.fingerprint}
    from merchants where id = ${merchant_id} and ${liveCustomer(merchant_id, customer_id)}
    on conflict do nothing returning ${COLUMNS}`;
  return rows[0] ?? findOwnOrThrow(context, card.id, customer_id);
}

/** The token's number becomes the card's, which keeps the token's id and with it the seal; nothing of it stays with the token. */
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
    ), card as (
    insert into cards (id, merchant_id, customer_id, creation_date, holder_name, card_number, expiration_month, expiration_year, brand, type,
      bank_name, bank_code, address, device_session_id, number_sealed, fingerprint)
    select id, merchant_id, ${customer_id}, now() + make_interval(secs => clock_offset_of(merchant_id, ${customer_id})), holder_name, card_number, expiration_month, expiration_year, brand, type,
      bank_name, bank_code, address, ${device_session_id}, number_sealed, fingerprint
    from token where ${liveCustomer(merchant_id, customer_id)}
    on conflict do nothing returning ${COLUMNS}
    ), emptied as (
      update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null where id in (select id from card)
    )
    select * from card`;
  return rows[0] ?? findOwnOrThrow(context, id, customer_id);
}

/** Not while a subscription is charged to it: that is written under a lock of the card's row, which this one waits for. */
export async function deleteCard({ db }: Context, id: string): Promise<boolean> {
  const [, count] = await db.$transaction([
    db.$queryRaw`select 1 from cards where id = ${id} for update`,
    db.$executeRaw`
      update cards set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
      where id = ${id} and status = 'active' and not exists (select from subscriptions where card_id = ${id} and status <> 'cancelled')`,
  ]);
  return count > 0;
}

const liveCustomer = (merchant_id: string, customer_id: string | null): Prisma.Sql =>
  customer_id === null
    ? Prisma.sql`true`
    : Prisma.sql`exists (select from customers
        where id = ${customer_id} and merchant_id = ${merchant_id} and status = 'active' for share)`;

/** A repeat finds its own work; anybody else finds the customer gone, the number taken, or the token emptied. */
async function findOwnOrThrow(context: Context, id: string, customer_id: string | null): Promise<CardRow> {
  const { db, merchant_id } = context;
  const own = await db.card.findFirst({
    where: { id, merchant_id, customer_id, status: 'active' },
    omit: secretColumns,
  });
  if (own) return own;
  if (customer_id !== null && !(await db.customer.findFirst({ where: { id: customer_id, status: 'active' } })))
    throw new ApiError('not_found');
  const token = await db.token.findUnique({ where: { id } });
  if (token && !token.number_sealed) throw new ApiError('invalid_value', 'token_id was used already');
  throw new ApiError('card_exists');
}
