/** What a subscription is charged to: a saved card of its customer, or a card or token that it then holds for itself. */
import { Prisma } from '../../prisma/generated/client';
import type { SealedCard } from '../acquirer/port';
import { parseCard } from '../cardDetails/details';
import { sealCard } from '../cardDetails/sealCard';
import type { CreateCard } from '../cards/fields';
import { type CardRow, cardById } from '../cards/rows';
import { rethrowEarlierDecline, verifyCard } from '../cards/verify';
import type { Context } from '../context';
import { ApiError } from '../platform/errors';
import { isId } from '../platform/identifiers';
import { findToken, releaseToken, type TokenRow, useToken } from '../tokens/rows';
import type { Sealed } from '../vault/seal';

export interface SubscriptionSource {
  card: CardRow;
  holds_card: boolean;
  /** Of a card that is not in the database yet, or not as a card. */
  sealed?: SealedCard & { fingerprint: Sealed };
  /** The token that it was. */
  token?: Pick<TokenRow, 'id' | 'used_by'>;
}

interface SourceOwner {
  merchant_id: string;
  customer_id: string;
  /** By the clock of the customer. */
  now: Date;
}

interface SourceInput {
  source_id?: string;
  card_id?: string;
  card?: CreateCard;
}

/** Undefined where nothing is said, or only what the merchant was shown. */
export function requestedSource(asked: SourceInput): { id: string } | { card: CreateCard } | undefined {
  const { source_id, card_id, card } = asked;
  const id = source_id || card_id || card?.token_id;
  const typed = card && !card.token_id && !/[x*•]/i.test(card.card_number ?? '') ? card : undefined;
  if (id && typed) throw new ApiError('invalid_value', 'source_id and card exclude each other');
  return id ? { id } : typed && { card: typed };
}

/** `used_by` is what a token is claimed with, and its verification known by; the same for a repeat of the same work. */
export async function resolveSource(
  context: Context,
  customer_id: string,
  wanted: { id: string } | { card: CreateCard },
  used_by: string,
  now: Date,
): Promise<SubscriptionSource> {
  const owner = { merchant_id: context.merchant_id, customer_id, now };
  if ('card' in wanted) return cardSource(context, owner, wanted.card);
  const saved = isId(wanted.id) ? await cardById(context.db, wanted.id) : undefined;
  const isOwn = saved?.customer_id === customer_id && saved.merchant_id === context.merchant_id;
  if (isOwn && saved.status === 'active') return { card: saved, holds_card: false };
  // A token that was saved as a card, or is held by a subscription, is one that was used.
  return tokenSource(context, owner, wanted.id, used_by).catch(error => {
    throw error instanceof ApiError && error.kind === 'invalid_value'
      ? new ApiError('invalid_value', `source_id ${wanted.id.slice(0, 45)} is unknown or cannot be used here`)
      : error;
  });
}

async function cardSource(context: Context, owner: SourceOwner, input: CreateCard): Promise<SubscriptionSource> {
  const details = parseCard(input, context.environment, new Date());
  const { fingerprint, cvv2_sealed, number_sealed, ...card } = sealCard(context, context.newId('card'), details);
  await verifyCard(context, card.id, { ...card, number_sealed, cvv2_sealed });
  const printed = { ...card, address: null, device_session_id: input.device_session_id ?? null };
  return heldSource(owner, printed, number_sealed, fingerprint);
}

async function tokenSource(
  context: Context,
  owner: SourceOwner,
  id: string,
  used_by: string,
): Promise<SubscriptionSource> {
  await findToken(context, id, 'invalid_value');
  const { number_sealed, fingerprint, cvv2_sealed, ...row } = await useToken(context, id, used_by);
  const printed = { ...row, device_session_id: null };
  // Done before, by a request that died before it could say so.
  if (!number_sealed || !fingerprint) {
    await rethrowEarlierDecline(context, used_by);
    return { card: cardRow(owner, printed), holds_card: true, token: row };
  }
  await verifyCard(context, used_by, { ...row, number_sealed, cvv2_sealed }).catch(error =>
    releaseToken(context, row, error),
  );
  return { ...heldSource(owner, printed, number_sealed, fingerprint), token: row };
}

type CardFields = Omit<CardRow, 'merchant_id' | 'customer_id' | 'status' | 'cvv2_date' | 'creation_date'>;

const cardRow = ({ merchant_id, customer_id, now }: SourceOwner, card: CardFields): CardRow => ({
  ...card,
  merchant_id,
  customer_id,
  status: 'held',
  creation_date: now,
  cvv2_date: null,
});

const heldSource = (
  owner: SourceOwner,
  card: CardFields,
  number_sealed: Sealed,
  fingerprint: Sealed,
): SubscriptionSource => ({
  card: cardRow(owner, card),
  holds_card: true,
  sealed: { ...card, number_sealed, fingerprint },
});

/** Part of a statement: the card becomes the subscription's own once that was written in `written`; a token is emptied where `empty`. */
export function holdCardCte(
  { card, sealed, token }: SubscriptionSource,
  written: 'new' | 'moved',
  empty = true,
): Prisma.Sql {
  if (!sealed) return Prisma.empty;
  const isWritten = Prisma.raw(`exists (select from ${written})`);
  const emptied = Prisma.sql`, emptied_token as (
    update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null
    where id = ${token?.id ?? ''} and used_by = ${token?.used_by ?? ''} and ${isWritten}
  )`;
  return Prisma.sql`, held as (
    insert into cards (id, merchant_id, customer_id, creation_date, holder_name, card_number, expiration_month, expiration_year, brand, type,
      bank_name, bank_code, address, device_session_id, status, number_sealed, fingerprint)
    select ${card.id}, ${card.merchant_id}, ${card.customer_id}, ${card.creation_date}, ${card.holder_name}, ${card.card_number},
      ${card.expiration_month}, ${card.expiration_year}, ${card.brand}, ${card.type}, ${card.bank_name}, ${card.bank_code},
      ${JSON.stringify(card.address)}::jsonb, ${card.device_session_id}, 'held', ${sealed.number_sealed}, ${sealed.fingerprint}
    where ${isWritten}
  )${token && empty ? emptied : Prisma.empty}`;
}
