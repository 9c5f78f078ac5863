/** Operations for bulk actions. */
import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { omitUndefined } from '../../../platform/database/omitUndefined';
import { preferredLanguage } from '../../../platform/language';
import { toConnection } from '../../../schema/connections/connection';
import { ForwardWindow, positionSlice, toPositionConnection } from '../../../schema/connections/positions';
import { totalWhere } from '../../../schema/connections/rows';
import { sliced, sliceOf } from '../../../schema/connections/window';
import { Errors } from '../../../schema/errors/mutationErrors';
import { listWhere } from '../../../schema/list';
import type { Context } from '../../../schema/operation/context';
import { Operators, requireRole } from '../../../schema/operation/guard';
import { OperatorDecision } from '../fields';
import {
  BulkAction,
  BulkActionConnection,
  BulkActionsArgs,
  BulkPreview,
  BulkRefusalConnection,
  BulkTarget,
  NewBulkAction,
} from './fields';
import { narrowBulk } from './rows';
import { findBulk, planBulk, readRefusals, startBulk, stopBulk } from './start';

@Resolver(() => BulkAction)
export class OperatorBulkActions {
  @Operators('read')
  @Query(() => BulkPreview, { description: 'For operators: the effect of a bulk action, which is not started' })
  async bulkActionPreview(@Ctx() context: Context, @Args(() => BulkTarget) target: BulkTarget): Promise<BulkPreview> {
    const { steps, ...found } = await context.yieldSlotWhile(() => planBulk(context, target));
    const language = preferredLanguage(context.acceptLanguage) ?? 'en';
    return { ...found, steps: steps.map(step => step[language]) };
  }

  @Operators('read')
  @Query(() => BulkActionConnection, { description: 'For operators: bulk actions, newest first' })
  async bulkActions(
    @Ctx() { db }: Context,
    @Args(() => BulkActionsArgs) window: BulkActionsArgs,
  ): Promise<BulkActionConnection> {
    const { environment, state, ...filters } = window;
    const where = { ...omitUndefined({ environment, state }), ...listWhere(filters) };
    const rows = await db.bulkAction.findMany(sliced(where, sliceOf(window)));
    return toConnection(window, rows.map(narrowBulk), totalWhere(db, 'bulk_actions', where));
  }

  @Operators('read')
  @Query(() => BulkAction, { description: 'For operators: a bulk action with its counts and refusals' })
  bulkAction(@Ctx() { db }: Context, @Args(() => OperatorDecision) { id }: OperatorDecision): Promise<BulkAction> {
    return findBulk(db, id);
  }

  @Operators('support')
  @Mutation(() => BulkAction, {
    description:
      'For operators with the role support, or admin to cancel: acts on every open subscription that a query finds',
  })
  startBulkAction(@Ctx() context: Context, @Args(() => NewBulkAction) bulk: NewBulkAction): Promise<BulkAction> {
    if (bulk.action === 'cancel') requireRole('admin', context.rights);
    return context.yieldSlotWhile(() => startBulk(context, context, context.newId('bulk_action'), bulk));
  }

  @Operators('support')
  @Mutation(() => BulkAction, {
    description: 'For operators with the role support: stops a bulk action, also after it has acted on some',
  })
  @Errors('not_allowed')
  stopBulkAction(@Ctx() context: Context, @Args(() => OperatorDecision) { id }: OperatorDecision): Promise<BulkAction> {
    return stopBulk(context.db, context, id);
  }

  @FieldResolver(() => BulkRefusalConnection, { description: 'Refusals, in the order of their subscriptions' })
  async refusals(
    @Ctx() { db }: Context,
    @Root() { id }: BulkAction,
    @Args(() => ForwardWindow) window: ForwardWindow,
  ): Promise<BulkRefusalConnection> {
    return toPositionConnection(window, await readRefusals(db, id, positionSlice(window)));
  }
}
