import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { timeOf } from '../../platform/database/clock';
import { Body, Id } from '../../schema/arguments';
import type { Context } from '../../schema/operation/context';
import { CardRateLimit, PublicKey, RequiresActiveMerchant } from '../../schema/operation/guard';
import { parseCard } from '../cardDetails/details';
import { originOf } from '../cardDetails/origin';
import { sealCard } from '../cardDetails/sealCard';
import { CreateToken, Token } from './fields';
import { findToken, insertToken, type TokenView } from './rows';

const toToken = ({ id, ...card }: TokenView): Token => ({ id, card });

@Resolver()
export class TokenResolver {
  @Query(() => Token, { description: 'Retrieves a token' })
  @PublicKey()
  async token(@Ctx() context: Context, @Id('token_id', 'card', 'Token ID') token_id: string): Promise<Token> {
    return toToken(await findToken(context, token_id));
  }

  @Mutation(() => Token, {
    description: 'Creates a token for card details. Called by browsers with the public key',
  })
  @PublicKey()
  @CardRateLimit()
  @RequiresActiveMerchant()
  async createToken(
    @Ctx() context: Context,
    @Body('token', () => CreateToken, 'The card details') { address, ...card }: CreateToken,
  ): Promise<Token> {
    const details = parseCard(card, context.environment, await timeOf(context, null));
    const sealed = sealCard(context, context.newId('card'), details);
    const { declines, merchant_id, keyKind } = context;
    const origin = originOf(context, keyKind === 'private' ? null : context.address);
    await declines.check(merchant_id, { ...origin, card_number: sealed.card_number });
    return toToken(await insertToken(context, sealed, address ?? null));
  }
}
