import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { brandOf } from '../cardDetails/brands';
import { readCvv2, readMonth, readYear, refusePast, refuseWrongCvv2 } from '../cardDetails/details';
import type { Context } from '../context';
import { findCustomer } from '../customers/resolver';
import { ApiError } from '../platform/errors';
import { isId } from '../platform/identifiers';
import { Body, CustomerId, Id, type Owner } from '../schema/arguments';
import { isBlank } from '../schema/check';
import { connect, newestFirst, within } from '../schema/list';
import { seal } from '../vault/seal';
import { Card, CardConnection, CardsPage, CardsWindow, CreateCard, UpdateCard } from './fields';
import { type CardRow, cardById, removeCard, secrets } from './rows';
import { saveCard, saveToken } from './save';

export const shownCard = (row: CardRow): Card => ({
  ...row,
  address: row.address as Card['address'],
  allows_charges: true,
  allows_payouts: row.type === 'debit',
});

/** The merchant's own cards and each customer's are apart. */
export async function findCard(context: Context, card_id: string, customer_id?: Owner): Promise<CardRow> {
  const owner = await findOwner(context, customer_id);
  const found = await findAnyCard(context, card_id);
  if (found.customer_id !== owner) throw new ApiError('not_found');
  return found;
}

/** At whichever level. */
export async function findAnyCard({ db, merchant_id }: Context, card_id: string): Promise<CardRow> {
  const found = isId(card_id) ? await cardById(db, card_id) : undefined;
  if (found?.merchant_id !== merchant_id || found.status !== 'active') throw new ApiError('not_found');
  return found;
}

@Resolver()
export class CardResolver {
  @Query(() => Card, { description: 'One card' })
  async card(
    @Ctx() context: Context,
    @Id('card_id', 'Which card') card_id: string,
    @CustomerId() customer_id?: Owner,
  ): Promise<Card> {
    return shownCard(await findCard(context, card_id, customer_id));
  }

  @Query(() => [Card], { description: 'Cards, newest first' })
  async cards(
    @Ctx() context: Context,
    @Args(() => CardsPage) page: CardsPage,
    @CustomerId() customer_id?: Owner,
  ): Promise<Card[]> {
    const where = { ...(await ownedBy(context, customer_id)), ...within(page) };
    const { offset: skip, limit: take } = page;
    const rows = await context.db.card.findMany({ where, orderBy: [...newestFirst], skip, take, omit: secrets });
    return rows.map(shownCard);
  }

  @Query(() => CardConnection, { description: 'Cards by cursor, newest first' })
  async cardsConnection(
    @Ctx() context: Context,
    @Args(() => CardsWindow) window: CardsWindow,
    @CustomerId() customer_id?: Owner,
  ): Promise<CardConnection> {
    const where = { ...(await ownedBy(context, customer_id)), ...within(window, window.after) };
    const rows = await context.db.card.findMany({
      where,
      orderBy: [...newestFirst],
      take: window.first + 1,
      omit: secrets,
    });
    return connect(rows.map(shownCard), window.first);
  }

  @Mutation(() => Card, { description: 'Saves a card, after the acquirer has found it good' })
  async createCard(
    @Ctx() context: Context,
    @Body('card', () => CreateCard, 'The card') card: CreateCard,
    @CustomerId() customer_id?: Owner,
  ): Promise<Card> {
    const owner = await findOwner(context, customer_id);
    const save = typeof card.token_id === 'string' ? saveToken : saveCard;
    return shownCard(await save(context, card, owner));
  }

  @Mutation(() => Card, { description: 'Changes a card' })
  async updateCard(
    @Ctx() context: Context,
    @Id('card_id', 'Which card') card_id: string,
    @Body('card', () => UpdateCard, 'What to change') { holder_name, ...changes }: UpdateCard,
    @CustomerId() customer_id?: Owner,
  ): Promise<Card> {
    const card = await findCard(context, card_id, customer_id);
    const cvv2 = readCvv2(changes.cvv2);
    const month = changes.expiration_month === undefined ? undefined : readMonth(changes.expiration_month);
    const year = changes.expiration_year === undefined ? undefined : readYear(changes.expiration_year);
    if (holder_name !== undefined && isBlank(holder_name)) throw new ApiError('malformed', 'holder_name is empty');
    if (month ?? year) refusePast(month ?? card.expiration_month, year ?? card.expiration_year, new Date());
    if (cvv2) refuseWrongCvv2(cvv2, brandOf(card.card_number.slice(0, 6)));
    const sealed = cvv2 && { cvv2_sealed: seal(context.vault, cvv2, `cvv2 ${card_id}`), cvv2_date: new Date() };
    const [changed] = await context.db.card.updateManyAndReturn({
      where: { id: card_id, status: 'active' },
      data: { holder_name, expiration_month: month, expiration_year: year, ...(sealed || {}) },
      omit: secrets,
    });
    if (!changed) throw new ApiError('not_found');
    return shownCard(changed);
  }

  @Mutation(() => Boolean, { description: 'Deletes a card and destroys its number' })
  async deleteCard(
    @Ctx() context: Context,
    @Id('card_id', 'Which card') card_id: string,
    @CustomerId() customer_id?: Owner,
  ): Promise<boolean> {
    await findCard(context, card_id, customer_id);
    if (await removeCard(context, card_id)) return true;
    await findCard(context, card_id, customer_id);
    throw new ApiError('not_allowed', 'The card is charged by a subscription that has not ended');
  }
}

async function findOwner(context: Context, customer_id: Owner = null): Promise<Owner> {
  return customer_id === null ? null : (await findCustomer(context, customer_id)).id;
}

async function ownedBy(context: Context, customer_id?: Owner) {
  const owner = await findOwner(context, customer_id);
  return { merchant_id: context.merchant_id, customer_id: owner, status: 'active' } as const;
}
