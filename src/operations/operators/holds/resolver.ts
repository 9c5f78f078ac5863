/** Operations for billing holds and workers. */
import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { findHoldable, findTarget, holdBilling, releaseBilling } from '../../../billing/holds/hold';
import { toForwardConnection } from '../../../schema/connections/connection';
import { Errors } from '../../../schema/errors/mutationErrors';
import type { Context } from '../../../schema/operation/context';
import { Operators } from '../../../schema/operation/guard';
import { drainWorkers } from './drain';
import {
  BillingHold,
  BillingHoldConnection,
  DrainedWorkers,
  HoldRelease,
  HoldsArgs,
  NewHold,
  WorkerDrain,
} from './fields';
import { listHolds } from './list';

@Resolver()
export class OperatorHolds {
  @Operators('read')
  @Query(() => BillingHoldConnection, { description: 'For operators: active billing holds, newest first' })
  async holds(@Ctx() { db }: Context, @Args(() => HoldsArgs) window: HoldsArgs): Promise<BillingHoldConnection> {
    return toForwardConnection(window, await listHolds(db, { ...window, limit: window.first + 1 }));
  }

  @Operators('support')
  @Mutation(() => BillingHold, {
    description: 'For operators with the role support: places a billing hold; idempotent for the same reason',
  })
  @Errors('not_allowed')
  async holdBilling(
    @Ctx() context: Context,
    @Args(() => NewHold) { id, environment, ...terms }: NewHold,
  ): Promise<BillingHold> {
    return holdBilling(context.db, context, await findHoldable(context.db, id, environment), terms);
  }

  @Operators('support')
  @Mutation(() => BillingHold, {
    description: 'For operators with the role support: releases a billing hold; overdue renewals are billed once',
  })
  @Errors('not_allowed')
  async releaseBilling(
    @Ctx() context: Context,
    @Args(() => HoldRelease) { id, environment, ...terms }: HoldRelease,
  ): Promise<BillingHold> {
    return releaseBilling(context.db, context, await findTarget(context.db, id, environment), terms);
  }

  @Operators('support')
  @Mutation(() => DrainedWorkers, {
    description: 'For operators with the role support: workers accept no new work, finish their current work and exit',
  })
  async drainWorkers(
    @Ctx() context: Context,
    @Args(() => WorkerDrain) { id, reason }: WorkerDrain,
  ): Promise<DrainedWorkers> {
    return { ids: await drainWorkers(context.db, context, id, reason) };
  }
}
