/**
 * The card that a subscription is charged to: a saved card of its customer, or a card or token that only this
 * subscription has.
 */
import type { Environment } from '../../../prisma/generated/enums';
import type { SealedCard } from '../../gateway/acquirer/port';
import { type CardDetails, parseCard } from '../../payments/cardDetails/details';
import { originOf } from '../../payments/cardDetails/origin';
import { sealCard } from '../../payments/cardDetails/sealCard';
import type { CreateCard } from '../../payments/cards/fields';
import { type CardRow, cardById } from '../../payments/cards/rows';
import { earlierVerification, verifyCard } from '../../payments/cards/verify';
import { findToken, releaseToken, type TokenRow, useToken } from '../../payments/tokens/rows';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Sealed } from '../../platform/vault/seal';
import type { Context } from '../../schema/operation/context';
import { clockNow, type SubscriptionRow } from './rows';

export interface SubscriptionSource {
  card: CardRow;
  holds_card: boolean;
  /** Secrets of a card that is not saved yet. */
  sealed?: SealedCard & { fingerprint: Sealed };
  token?: Pick<TokenRow, 'id' | 'used_by'>;
  /** IP address of the browser that created the token. */
  address?: string | null;
}

interface SourceOwner {
  merchant_id: string;
  customer_id: string;
  /** Time by the clock of the customer or subscription. */
  now: Date;
}

export type RequestedSource = { id: string } | { card: CreateCard };

interface SourceInput {
  source_id?: string;
  card_id?: string;
  card?: CreateCard;
}

/** Returns undefined if the request has no source, or sends back the masked current card. */
export function requestedSource(input: SourceInput): RequestedSource | undefined {
  const { source_id, card_id, card } = input;
  const id = source_id || card_id || card?.token_id;
  const newCard = card && !card.token_id && !/[x*•]/i.test(card.card_number ?? '') ? card : undefined;
  if (id && newCard) throw new ApiError('invalid_value', 'card_and_source', { field: 'source_id' });
  return id ? { id } : newCard && { card: newCard };
}

interface SourceIds {
  /** Claims the token; also the idempotency key of its verification. */
  used_by: string;
  /** ID of a new held card. */
  card_id: string;
}

/** A repeated request must pass the same IDs. */
export async function resolveSource(
  context: Context,
  customer_id: string,
  requested: RequestedSource,
  { used_by, card_id }: SourceIds,
  now: Date,
): Promise<SubscriptionSource> {
  const owner = { merchant_id: context.merchant_id, customer_id, now };
  if ('card' in requested) return cardSource(context, owner, requested.card, card_id);
  const saved = isId(requested.id) ? await cardById(context.db, requested.id) : undefined;
  const isOwn = saved?.customer_id === customer_id && saved.merchant_id === context.merchant_id;
  if (isOwn && saved.status === 'active') return { card: saved, holds_card: false };
  // A token that became a saved or held card counts as used.
  return tokenSource(context, owner, requested.id, used_by).catch(error => {
    throw error instanceof ApiError && error.field === 'token_id'
      ? new ApiError('invalid_value', 'not_usable', { field: 'source_id' })
      : error;
  });
}

async function cardSource(
  context: Context,
  owner: SourceOwner,
  input: CreateCard,
  card_id: string,
): Promise<SubscriptionSource> {
  const details = readCard(input, context.environment, owner.now);
  const { fingerprint, cvv2_sealed, number_sealed, ...card } = sealCard(context, card_id, details);
  const { customer_id } = owner;
  const { card_number } = card;
  const device = input.device_session_id;
  const origin = { ...originOf(context), device, card_number, fingerprint, customer_id };
  const issuer = await verifyCard(context, card.id, { ...card, number_sealed, cvv2_sealed }, origin, owner.now);
  const cardFields = { ...card, ...issuer, address: null, device_session_id: input.device_session_id ?? null };
  return heldSource(owner, cardFields, number_sealed, fingerprint);
}

/** Prefixes error fields with `card.`. */
function readCard(input: CreateCard, environment: Environment, now: Date): CardDetails {
  try {
    return parseCard(input, environment, now);
  } catch (error) {
    if (!(error instanceof ApiError) || error.field === undefined) throw error;
    throw error.as(error.kind, `card.${error.field}`);
  }
}

async function tokenSource(
  context: Context,
  owner: SourceOwner,
  id: string,
  used_by: string,
): Promise<SubscriptionSource> {
  await findToken(context, id, 'invalid_value');
  const { number_sealed, fingerprint, cvv2_sealed, created_from, ...row } = await useToken(context, id, used_by);
  const cardFields = { ...row, device_session_id: null };
  // Without a number, an earlier run of this request used the token and crashed before it could respond.
  if (!number_sealed || !fingerprint) {
    const issuer = await earlierVerification(context, used_by);
    return { card: cardRow(owner, { ...cardFields, ...issuer }), holds_card: true, token: row };
  }
  const { customer_id } = owner;
  const { card_number } = row;
  const origin = { ...originOf(context, created_from), card_number, fingerprint, customer_id };
  const sealed = { ...row, number_sealed, cvv2_sealed };
  const issuer = await verifyCard(context, used_by, sealed, origin, owner.now).catch(error =>
    releaseToken(context, row, error),
  );
  return {
    ...heldSource(owner, { ...cardFields, ...issuer }, number_sealed, fingerprint),
    token: row,
    address: created_from,
  };
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
  sealed: { ...card, merchant_id: owner.merchant_id, number_sealed, fingerprint },
});

/** Verifies the new source, including a saved card. A decline changes nothing. */
export async function verifyNewSource(
  context: Context,
  row: SubscriptionRow,
  requested: NonNullable<ReturnType<typeof requestedSource>>,
): Promise<SubscriptionSource> {
  const key = context.newId('card');
  const now = new Date(clockNow(row));
  const ids = { used_by: key, card_id: context.newId('card') };
  const source = await resolveSource(context, row.customer_id, requested, ids, now);
  if (source.holds_card) return source;
  const { customer_id, card_number } = source.card;
  const secrets = await context.db.card.findUniqueOrThrow({ where: { id: source.card.id } });
  const { number_sealed, cvv2_sealed, fingerprint } = secrets;
  if (!number_sealed) throw new ApiError('invalid_value', 'not_usable', { field: 'source_id' });
  const origin = { ...originOf(context), card_number, fingerprint, customer_id };
  await verifyCard(context, key, { ...source.card, number_sealed, cvv2_sealed }, origin, now);
  return source;
}
