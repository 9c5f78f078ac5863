import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { Body, Id } from '../../schema/arguments';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { findPlan, toPlan } from '../plans/resolver';
import { PlanReplacement, ReplacePlan } from './fields';
import { previewReplacement, replacePlan } from './replacePlan';
import { latestReplacement, type ReplacementRow, readSkipped } from './rows';

const toReplacement = async (context: Context, row: ReplacementRow): Promise<PlanReplacement> => ({
  ...row,
  successor: toPlan(await findPlan(context, row.successor_id)),
  skipped_subscriptions: row.skipped > 0 ? await readSkipped(context.db, row.id) : [],
});

@Resolver()
export class PlanReplacementResolver {
  @Mutation(() => PlanReplacement, {
    description: 'Creates the successor of a plan, and schedules the change of its subscribers at their period end',
  })
  @Errors('not_allowed')
  async replacePlan(
    @Ctx() context: Context,
    @Id('plan_id', 'plan') plan_id: string,
    @Body('replacement', () => ReplacePlan, 'The successor') replacement: ReplacePlan,
  ): Promise<PlanReplacement> {
    if (replacement.preview) return previewReplacement(context, plan_id, replacement);
    return toReplacement(context, await replacePlan(context, plan_id, replacement));
  }

  @Query(() => PlanReplacement, { description: 'Retrieves the latest replacement of a plan, with its progress' })
  async planReplacement(@Ctx() context: Context, @Id('plan_id', 'plan') plan_id: string): Promise<PlanReplacement> {
    await findPlan(context, plan_id);
    const row = await latestReplacement(context.db, plan_id);
    if (!row) throw new ApiError('not_found', 'no_replacement');
    return toReplacement(context, row);
  }
}
