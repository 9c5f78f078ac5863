/** Operations for requests for production access. */
import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { approveLiveRequest, refuseLiveRequest, returnLiveRequest } from '../../accounts/activation/decide';
import { LiveRequest, LiveRequestConnection, LiveRequestsArgs } from '../../accounts/activation/fields';
import { findOperatorRequest, listLiveRequests, liveRequestsWhere } from '../../accounts/activation/rows';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { sliceOf } from '../../schema/connections/window';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { Operators } from '../../schema/operation/guard';
import { DecisionWithNote, OperatorDecision, ReasonedDecision } from './fields';

@Resolver()
export class OperatorLiveRequests {
  @Operators('read')
  @Query(() => LiveRequestConnection, {
    description: 'For operators: requests for production access, newest first',
  })
  async liveRequests(
    @Ctx() { db }: Context,
    @Args(() => LiveRequestsArgs) window: LiveRequestsArgs,
  ): Promise<LiveRequestConnection> {
    const where = liveRequestsWhere(window);
    const requests = await listLiveRequests(db, where, sliceOf(window));
    return toConnection(window, requests, totalWhere(db, 'live_requests', where));
  }

  @Operators('read')
  @Query(() => LiveRequest, { description: 'For operators: a request for production access by ID' })
  operatorLiveRequest(
    @Ctx() { db }: Context,
    @Args(() => OperatorDecision) { id }: OperatorDecision,
  ): Promise<LiveRequest> {
    return findOperatorRequest(db, id);
  }

  @Operators('support')
  @Mutation(() => LiveRequest, {
    description: 'For operators with the role support: returns a request for production access to the merchant',
  })
  @Errors('not_allowed')
  returnLiveRequest(
    @Ctx() context: Context,
    @Args(() => ReasonedDecision) { id, reason }: ReasonedDecision,
  ): Promise<LiveRequest> {
    return returnLiveRequest(context.db, context, id, reason);
  }

  @Operators('support')
  @Mutation(() => LiveRequest, {
    description: 'For operators with the role support: refuses a request for production access',
  })
  @Errors('not_allowed')
  refuseLiveRequest(
    @Ctx() context: Context,
    @Args(() => ReasonedDecision) { id, reason }: ReasonedDecision,
  ): Promise<LiveRequest> {
    return refuseLiveRequest(context.db, context, id, reason);
  }

  @Operators('admin')
  @Mutation(() => LiveRequest, {
    description:
      'For operators with the role admin: approves a request for production access and creates the production merchant',
  })
  @Errors('not_allowed')
  approveLiveRequest(
    @Ctx() context: Context,
    @Args(() => DecisionWithNote) { id, reason }: DecisionWithNote,
  ): Promise<LiveRequest> {
    return approveLiveRequest(context.db, context, id, context.newId('merchant'), reason);
  }
}
