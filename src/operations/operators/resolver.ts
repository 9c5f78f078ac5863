/** Operations for merchants and operator keys. */
import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { seededKey } from '../../accounts/merchants/keys';
import { resumeMerchant, suspendMerchant } from '../../accounts/merchants/suspension';
import { createPayout } from '../../payments/payouts/create';
import { Payout } from '../../payments/payouts/fields';
import { loadPayout } from '../../payments/payouts/view';
import { toConnection } from '../../schema/connections/connection';
import { countRecords } from '../../schema/connections/rows';
import { sliceOf } from '../../schema/connections/window';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { Operators } from '../../schema/operation/guard';
import {
  DecisionWithNote,
  MerchantAccountConnection,
  MerchantCosts,
  MerchantDetails,
  MerchantPayout,
  MerchantReserve,
  MerchantsArgs,
  NewOperatorKey,
  OperatorDecision,
  OperatorKey,
  ReasonedDecision,
} from './fields';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from './keys';
import { changeCosts, changeReserve, findMerchant } from './merchants';
import { listMerchants, merchantConditions } from './rows';

@Resolver()
export class OperatorResolver {
  @Operators('read')
  @Query(() => MerchantAccountConnection, {
    description: 'For operators: merchants of both environments, newest first',
  })
  async merchantAccounts(
    @Ctx() { db }: Context,
    @Args(() => MerchantsArgs) window: MerchantsArgs,
  ): Promise<MerchantAccountConnection> {
    const conditions = merchantConditions(window);
    const merchants = await listMerchants(db, conditions, sliceOf(window));
    return toConnection(window, merchants, () => countRecords(db, 'merchants', conditions));
  }

  @Operators('read')
  @Query(() => MerchantDetails, { description: 'For operators: a merchant by ID' })
  merchantAccount(
    @Ctx() { db }: Context,
    @Args(() => OperatorDecision) { id }: OperatorDecision,
  ): Promise<MerchantDetails> {
    return findMerchant(db, id);
  }

  @Operators('support')
  @Mutation(() => MerchantDetails, { description: 'For operators with the role support: suspends a merchant' })
  @Errors('not_allowed')
  async suspendMerchant(
    @Ctx() context: Context,
    @Args(() => ReasonedDecision) { id, reason }: ReasonedDecision,
  ): Promise<MerchantDetails> {
    await suspendMerchant(context.db, context, id, reason);
    return findMerchant(context.db, id);
  }

  @Operators('support')
  @Mutation(() => MerchantDetails, { description: 'For operators with the role support: lifts a suspension' })
  @Errors('not_allowed')
  async resumeMerchant(
    @Ctx() context: Context,
    @Args(() => DecisionWithNote) { id, reason }: DecisionWithNote,
  ): Promise<MerchantDetails> {
    await resumeMerchant(context.db, context, id, reason);
    return findMerchant(context.db, id);
  }

  @Operators('admin')
  @Mutation(() => MerchantDetails, { description: 'For operators with the role admin: changes the fees of a merchant' })
  async changeMerchantCosts(
    @Ctx() context: Context,
    @Args(() => MerchantCosts) costs: MerchantCosts,
  ): Promise<MerchantDetails> {
    await changeCosts(context.db, context, costs);
    return findMerchant(context.db, costs.id);
  }

  @Operators('admin')
  @Mutation(() => MerchantDetails, {
    description: 'For operators with the role admin: changes the part of the balance that payouts leave',
  })
  async changeMerchantReserve(
    @Ctx() context: Context,
    @Args(() => MerchantReserve) reserve: MerchantReserve,
  ): Promise<MerchantDetails> {
    await changeReserve(context.db, context, reserve);
    return findMerchant(context.db, reserve.id);
  }

  @Operators('admin')
  @Mutation(() => Payout, {
    description: 'For operators with the role admin: pays the balance of a merchant to its bank account',
  })
  @Errors('not_allowed', 'insufficient_balance')
  async payMerchant(
    @Ctx() context: Context,
    @Args(() => MerchantPayout) { id, ...payout }: MerchantPayout,
  ): Promise<Payout> {
    await findMerchant(context.db, id);
    return loadPayout(context.db, await createPayout(context, id, payout));
  }

  @Operators('admin')
  @Query(() => [OperatorKey], { description: 'For operators with the role admin: operator keys' })
  operatorKeys(@Ctx() { db }: Context): Promise<OperatorKey[]> {
    return listOperatorKeys(db);
  }

  @Operators('admin')
  @Mutation(() => OperatorKey, {
    description: 'For operators with the role admin: creates an operator key, which is returned only once',
  })
  createOperatorKey(@Ctx() context: Context, @Args(() => NewOperatorKey) newKey: NewOperatorKey): Promise<OperatorKey> {
    const { db, newId, keySecret: secret } = context;
    return createOperatorKey(db, context, newKey, { id: newId('key'), key: seededKey('operator', context), secret });
  }

  @Operators('admin')
  @Mutation(() => OperatorKey, {
    description: 'For operators with the role admin: revokes an operator key immediately, except the last admin key',
  })
  @Errors('not_allowed')
  revokeOperatorKey(
    @Ctx() context: Context,
    @Args(() => OperatorDecision) { id }: OperatorDecision,
  ): Promise<OperatorKey> {
    return revokeOperatorKey(context.db, context, id);
  }
}
