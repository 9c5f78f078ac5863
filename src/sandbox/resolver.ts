/** Operations with which merchants test their integration. None of them exists in production. */
import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { rethrowUnavailable } from '../gateway/acquirer/unavailable';
import { findAnyCard } from '../payments/cards/resolver';
import { requireChargebackAllowed } from '../payments/charges/card/chargeback';
import { Transaction } from '../payments/charges/fields';
import { withRefunds } from '../payments/charges/list';
import { findCharge } from '../payments/charges/resolver';
import { toTransaction } from '../payments/charges/view';
import { Body, Id } from '../schema/arguments';
import { Errors } from '../schema/errors/mutationErrors';
import type { Context } from '../schema/operation/context';
import { SandboxOnly } from '../schema/operation/guard';
import { askAgainAboutCard } from './askAgain';
import { moveClock, readClock } from './clock';
import { Clock, ClockOwnerArgs, CreateScript, DecideChargeback, MoveClock, PayCharge, Script } from './fields';
import { simulatePayment } from './simulatePayment';

@Resolver()
export class SandboxResolver {
  @Query(() => Clock, { description: 'The test clock of the merchant, of a customer or of a subscription' })
  @SandboxOnly()
  async clock(@Ctx() context: Context, @Args(() => ClockOwnerArgs) owner: ClockOwnerArgs): Promise<Clock> {
    return readClock(context, owner);
  }

  @Mutation(() => Clock, {
    description: 'Moves a test clock ahead, and waits until what falls due until then has happened',
  })
  @SandboxOnly()
  async moveClock(
    @Ctx() context: Context,
    @Body('clock', () => MoveClock, 'Where it goes, and whose') { to, ...owner }: MoveClock,
  ): Promise<Clock> {
    return moveClock(context, owner, to);
  }

  @Mutation(() => Script, { description: 'Says what the next charges to a saved card meet' })
  @SandboxOnly()
  async scriptCard(
    @Ctx() context: Context,
    @Id('saved_card_id', 'card', 'ID of a saved card of the merchant or of a customer') saved_card_id: string,
    @Body('script', () => CreateScript, 'What they meet') { outcomes }: CreateScript,
  ): Promise<Script> {
    const card = await findAnyCard(context, saved_card_id);
    await context.acquirer.simulate('script', { reference: card.id, outcomes }).catch(rethrowUnavailable);
    await askAgainAboutCard(context.db, card);
    return { outcomes };
  }

  @Mutation(() => Transaction, { description: 'Does what a store or a bank would do with a voucher or a bank payment' })
  @SandboxOnly()
  @Errors('not_allowed')
  async payCharge(
    @Ctx() context: Context,
    @Id('transaction_id', 'transaction', 'Charge ID') transaction_id: string,
    @Body('payment', () => PayCharge, 'What the payer does') { outcome = 'approved' }: PayCharge,
  ): Promise<Transaction> {
    const charge = await findCharge(context, transaction_id);
    await simulatePayment(context, charge, outcome).catch(rethrowUnavailable);
    return toTransaction(await findCharge(context, transaction_id), []);
  }

  @Mutation(() => Transaction, { description: 'Lets a payer’s bank open or decide a chargeback' })
  @SandboxOnly()
  @Errors('not_allowed')
  async decideChargeback(
    @Ctx() context: Context,
    @Id('transaction_id', 'transaction', 'Charge ID') transaction_id: string,
    @Body('chargeback', () => DecideChargeback, 'What it decides') { outcome = 'open' }: DecideChargeback,
  ): Promise<Transaction> {
    const { id: key, ...charge } = await findCharge(context, transaction_id);
    requireChargebackAllowed({ id: key, ...charge }, outcome);
    // The chargeback takes the same path as in production: the acquirer notifies us.
    await context.acquirer.simulate('notify', { type: 'chargeback', key, outcome }).catch(rethrowUnavailable);
    return withRefunds(context.db, await findCharge(context, key));
  }
}
