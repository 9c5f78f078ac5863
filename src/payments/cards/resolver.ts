import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Prisma } from '../../../prisma/generated/client';
import { timeOf } from '../../platform/database/clock';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { seal } from '../../platform/vault/seal';
import { Body, CustomerId, Id, type OwnerId } from '../../schema/arguments';
import { isBlank } from '../../schema/check';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, type Slice, sliced, sliceOf } from '../../schema/connections/window';
import { Errors } from '../../schema/errors/mutationErrors';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { AllowCustomerSession, CardRateLimit, RequiresActiveMerchant } from '../../schema/operation/guard';
import { brandOf } from '../cardDetails/brands';
import { readCvv2, readMonth, readYear, rejectExpired, rejectWrongCvv2 } from '../cardDetails/details';
import { findCustomer } from '../customers/rows';
import { Card, CardConnection, CardsArgs, CardsConnectionArgs, CreateCard, UpdateCard } from './fields';
import { updateCardRow } from './renewal';
import { type CardRow, cardById, deleteCard, narrowCard, secretColumns } from './rows';
import { saveCard, saveCardFromToken } from './save';

export const toCard = (row: CardRow): Card => ({
  allows_charges: true,
  allows_payouts: row.type === 'debit',
  ...row,
});

/** Finds a card of the customer, or of the merchant itself without customer_id. */
export async function findCard(context: Context, card_id: string, customer_id?: OwnerId): Promise<CardRow> {
  const owner = await findOwner(context, customer_id);
  const card = await findAnyCard(context, card_id);
  if (card.customer_id !== owner) throw new ApiError('not_found');
  return card;
}

/** A card of the merchant or of any of its customers. */
export async function findAnyCard({ db, merchant_id }: Context, card_id: string): Promise<CardRow> {
  const card = isId(card_id) ? await cardById(db, card_id) : undefined;
  if (card?.merchant_id !== merchant_id || card.status !== 'active') throw new ApiError('not_found');
  return card;
}

async function readCards({ db }: Context, where: Prisma.CardWhereInput, slice: Slice): Promise<Card[]> {
  const rows = await db.card.findMany({ ...sliced(where, slice), omit: secretColumns });
  return rows.map(row => toCard(narrowCard(row)));
}

@Resolver()
export class CardResolver {
  @Query(() => Card, { description: 'Retrieves a card' })
  @AllowCustomerSession()
  async card(
    @Ctx() context: Context,
    @Id('card_id', 'card') card_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Card> {
    return toCard(await findCard(context, card_id, customer_id));
  }

  @Query(() => [Card], { description: 'Lists cards, newest first' })
  @AllowCustomerSession()
  async cards(
    @Ctx() context: Context,
    @Args(() => CardsArgs) page: CardsArgs,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Card[]> {
    const where = { ...(await activeCardsOf(context, customer_id)), ...listWhere(page) };
    return readCards(context, where, pageSlice(page));
  }

  @Query(() => CardConnection, { description: 'Lists cards, newest first' })
  @AllowCustomerSession()
  async cardsConnection(
    @Ctx() context: Context,
    @Args(() => CardsConnectionArgs) window: CardsConnectionArgs,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<CardConnection> {
    const where = { ...(await activeCardsOf(context, customer_id)), ...listWhere(window) };
    const cards = await readCards(context, where, sliceOf(window));
    return toConnection(window, cards, totalWhere(context.db, 'cards', where));
  }

  @Mutation(() => Card, { description: 'Verifies a card with the acquirer and saves it' })
  @CardRateLimit()
  @RequiresActiveMerchant()
  @AllowCustomerSession()
  @Errors('card_exists')
  async createCard(
    @Ctx() context: Context,
    @Body('card', () => CreateCard, 'The new card') card: CreateCard,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Card> {
    const owner = await findOwner(context, customer_id);
    const save = typeof card.token_id === 'string' ? saveCardFromToken : saveCard;
    return toCard(await save(context, card, owner));
  }

  @Mutation(() => Card, { description: 'Updates a card' })
  @RequiresActiveMerchant()
  @AllowCustomerSession()
  async updateCard(
    @Ctx() context: Context,
    @Id('card_id', 'card') card_id: string,
    @Body('card', () => UpdateCard, 'The changes') { holder_name, ...changes }: UpdateCard,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Card> {
    const card = await findCard(context, card_id, customer_id);
    const cvv2 = readCvv2(changes.cvv2);
    const month = changes.expiration_month === undefined ? undefined : readMonth(changes.expiration_month);
    const year = changes.expiration_year === undefined ? undefined : readYear(changes.expiration_year);
    if (holder_name !== undefined && isBlank(holder_name))
      throw new ApiError('malformed', 'is_empty', { field: 'holder_name' });
    if (month ?? year) {
      const now = await timeOf(context, card.customer_id);
      rejectExpired(month ?? card.expiration_month, year ?? card.expiration_year, now);
    }
    if (cvv2) rejectWrongCvv2(cvv2, brandOf(card.card_number.slice(0, 6)));
    const purpose = { what: 'cvv2', merchant_id: context.merchant_id, id: card_id } as const;
    const sealedCvv2 = cvv2 && { cvv2_sealed: seal(context.vault, cvv2, purpose), cvv2_date: new Date() };
    const data = omitUndefined({ holder_name, expiration_month: month, expiration_year: year, ...(sealedCvv2 || {}) });
    return toCard(await updateCardRow(context, card, data));
  }

  @Mutation(() => Card, { description: 'Deletes a card and its card number' })
  @AllowCustomerSession()
  @Errors('not_allowed')
  async deleteCard(
    @Ctx() context: Context,
    @Id('card_id', 'card') card_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Card> {
    const card = await findCard(context, card_id, customer_id);
    if (await deleteCard(context, card_id)) return toCard(card);
    await findCard(context, card_id, customer_id);
    throw new ApiError('not_allowed', 'card_in_use');
  }
}

async function findOwner(context: Context, customer_id: OwnerId = null): Promise<OwnerId> {
  return customer_id === null ? null : (await findCustomer(context, customer_id)).id;
}

async function activeCardsOf(context: Context, customer_id?: OwnerId) {
  const owner = await findOwner(context, customer_id);
  return { merchant_id: context.merchant_id, customer_id: owner, status: 'active' } as const;
}
