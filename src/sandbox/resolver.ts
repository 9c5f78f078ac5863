/** Test operations, available in the sandbox only. */
import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { rethrowUnavailable } from '../gateway/acquirer/unavailable';
import { findAnyCard } from '../payments/cards/resolver';
import { requireChargebackAllowed } from '../payments/charges/card/chargeback';
import { Transaction } from '../payments/charges/fields';
import { withRefunds } from '../payments/charges/list';
import { findCharge } from '../payments/charges/resolver';
import { toTransaction } from '../payments/charges/view';
import { Settlement } from '../payments/settlements/fields';
import { Body, Id } from '../schema/arguments';
import { Errors } from '../schema/errors/mutationErrors';
import type { Context } from '../schema/operation/context';
import { SandboxOnly } from '../schema/operation/guard';
import { moveClock, readClock } from './clock';
import { Clock, ClockOwnerArgs, CreateScript, DecideChargeback, MoveClock, PayCharge, Script } from './fields';
import { settleNow } from './requestSettlement';
import { retryUnansweredCharges } from './retryUnansweredCharges';
import { simulatePayment } from './simulatePayment';

@Resolver()
export class SandboxResolver {
  @Query(() => Clock, { description: 'The test clock of the merchant, of a customer or of a subscription' })
  @SandboxOnly()
  async clock(@Ctx() context: Context, @Args(() => ClockOwnerArgs) owner: ClockOwnerArgs): Promise<Clock> {
    return readClock(context, owner);
  }

  @Mutation(() => Clock, {
    description: 'Moves a test clock forward and waits for all due charges and expirations',
  })
  @SandboxOnly()
  async moveClock(
    @Ctx() context: Context,
    @Body('clock', () => MoveClock, 'The target time and the scope') { to, ...owner }: MoveClock,
  ): Promise<Clock> {
    return moveClock(context, owner, to);
  }

  @Mutation(() => [Settlement], {
    description:
      'Settles all charges, refunds, chargebacks and payouts of the merchant now, instead of on the next morning',
  })
  @SandboxOnly()
  settle(@Ctx() context: Context): Promise<Settlement[]> {
    return settleNow(context);
  }

  @Mutation(() => Script, { description: 'Scripts the outcomes of the next charges to a saved card' })
  @SandboxOnly()
  async scriptCard(
    @Ctx() context: Context,
    @Id('saved_card_id', 'card', 'ID of a saved card of the merchant or of a customer') saved_card_id: string,
    @Body('script', () => CreateScript, 'The outcomes') { outcomes }: CreateScript,
  ): Promise<Script> {
    const card = await findAnyCard(context, saved_card_id);
    await context.acquirer.simulate('script', { reference: card.id, outcomes }).catch(rethrowUnavailable);
    await retryUnansweredCharges(context.db, card);
    return { outcomes };
  }

  @Mutation(() => Transaction, { description: 'Simulates the payment of a voucher, bank payment or Bre-B payment' })
  @SandboxOnly()
  @Errors('not_allowed')
  async payCharge(
    @Ctx() context: Context,
    @Id('transaction_id', 'transaction', 'Charge ID') transaction_id: string,
    @Body('payment', () => PayCharge, 'Decision of the payer') { outcome = 'approved' }: PayCharge,
  ): Promise<Transaction> {
    const charge = await findCharge(context, transaction_id);
    await simulatePayment(context, charge, outcome).catch(rethrowUnavailable);
    return toTransaction(await findCharge(context, transaction_id), []);
  }

  @Mutation(() => Transaction, { description: 'Simulates a chargeback step by the payer’s bank' })
  @SandboxOnly()
  @Errors('not_allowed')
  async decideChargeback(
    @Ctx() context: Context,
    @Id('transaction_id', 'transaction', 'Charge ID') transaction_id: string,
    @Body('chargeback', () => DecideChargeback, 'The chargeback step') { outcome = 'open' }: DecideChargeback,
  ): Promise<Transaction> {
    const { id: key, ...charge } = await findCharge(context, transaction_id);
    requireChargebackAllowed({ id: key, ...charge }, outcome);
    // As in production, the acquirer reports the chargeback by a notification.
    await context.acquirer.simulate('notify', { type: 'chargeback', key, outcome }).catch(rethrowUnavailable);
    return withRefunds(context.db, await findCharge(context, key));
  }
}
