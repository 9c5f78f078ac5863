/** Operations of the operator page: timelines, and changes with a preview. */
import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { preferredLanguage } from '../../../platform/language';
import { positionSlice, toPositionConnection } from '../../../schema/connections/positions';
import { Errors } from '../../../schema/errors/mutationErrors';
import type { Context } from '../../../schema/operation/context';
import { Operators } from '../../../schema/operation/guard';
import { OperatorDecision, OperatorKey } from '../fields';
import { askAcquirer } from '../incidents/askAcquirer';
import { findOverdue } from '../incidents/overdue';
import { applyChange, type ChangePlan } from '../incidents/plannedChange';
import { rebuild } from '../incidents/rebuild';
import { resend } from '../incidents/resend';
import { readStory } from '../incidents/timeline';
import { findOperatorKey } from '../keys';
import { ActionPreview, AppliedAction, AuditedDecision, PreviewArgs } from './actionFields';
import { readActivity } from './activity';
import { MerchantActivity, OverdueArgs, OverdueWork, Story, StoryArgs } from './fields';
import { possibleActions, previewAction } from './preview';

@Resolver()
export class OperatorPageResolver {
  @Operators('read')
  @Query(() => OperatorKey, { description: 'For operators: the operator key of the request' })
  currentOperator(@Ctx() { db, actor }: Context): Promise<OperatorKey> {
    return findOperatorKey(db, actor.id ?? '');
  }

  @Operators('read')
  @Query(() => Story, {
    description:
      'For operators: the timeline of a subscription, transaction, delivery, event, customer or plan across all systems',
  })
  async story(@Ctx() context: Context, @Args(() => StoryArgs) { id, ...window }: StoryArgs): Promise<Story> {
    const { subject, problem, entries, workflowIds } = await context.yieldSlotWhile(() =>
      readStory(context, id, positionSlice(window), preferredLanguage(context.acceptLanguage) ?? 'en'),
    );
    const { kind, merchant_id, environment } = subject;
    return {
      ...{ id, kind, merchant_id, environment },
      entries: toPositionConnection(window, entries.reverse()),
      temporal_problem: problem ?? null,
      workflows: workflowIds.map(workflowId => ({ id: workflowId, url: urlOf(context, workflowId) })),
      actions: await possibleActions(context, subject),
    };
  }

  @Operators('read')
  @Query(() => OverdueWork, { description: 'For operators: overdue work with its reason, most overdue first' })
  async overdueWork(
    @Ctx() context: Context,
    @Args(() => OverdueArgs) { merchant_id, ...window }: OverdueArgs,
  ): Promise<OverdueWork> {
    const found = await context.yieldSlotWhile(() => findOverdue(context, merchant_id, positionSlice(window)));
    const items = found.items.map(({ row, reason: [reason, details] }) => ({ ...row, reason, details }));
    return { ...toPositionConnection(window, items), temporal_problem: found.problem ?? null };
  }

  @Operators('read')
  @Query(() => MerchantActivity, { description: 'For operators: the latest charges and other objects of a merchant' })
  merchantActivity(
    @Ctx() { db }: Context,
    @Args(() => OperatorDecision) { id }: OperatorDecision,
  ): Promise<MerchantActivity> {
    return readActivity(db, id);
  }

  @Operators('read')
  @Query(() => ActionPreview, { description: 'For operators: the steps of a change, which is not made' })
  operatorActionPreview(
    @Ctx() context: Context,
    @Args(() => PreviewArgs) preview: PreviewArgs,
  ): Promise<ActionPreview> {
    return context.yieldSlotWhile(() => previewAction(context, preview));
  }

  @Operators('support')
  @Mutation(() => AppliedAction, {
    description:
      'For operators with the role support: resolves the unknown outcome of a transaction, or of a subscription, now',
  })
  @Errors('not_allowed')
  askAcquirer(@Ctx() context: Context, @Args(() => AuditedDecision) decision: AuditedDecision): Promise<AppliedAction> {
    return apply(context, askAcquirer, decision);
  }

  @Operators('support')
  @Mutation(() => AppliedAction, {
    description: 'For operators with the role support: resends a delivery, or an event to all subscribed webhooks',
  })
  @Errors('not_allowed')
  resendEvent(@Ctx() context: Context, @Args(() => AuditedDecision) decision: AuditedDecision): Promise<AppliedAction> {
    return apply(context, resend, decision);
  }

  @Operators('support')
  @Mutation(() => AppliedAction, {
    description:
      'For operators with the role support: terminates the workflow of a subscription and restarts it from its row',
  })
  @Errors('not_allowed')
  rebuildSubscription(
    @Ctx() context: Context,
    @Args(() => AuditedDecision) decision: AuditedDecision,
  ): Promise<AppliedAction> {
    return context.yieldSlotWhile(() => apply(context, rebuild, decision));
  }
}

async function apply(context: Context, plan: ChangePlan, { id, reason }: AuditedDecision): Promise<AppliedAction> {
  const change = await plan({ ...context, id });
  await applyChange(context.db, context, change, reason);
  return { id: change.object_id, merchant_id: change.merchant_id, reason };
}

/** The latest run of the workflow. */
function urlOf({ temporal, temporalUiUrl }: Context, workflowId: string): string | null {
  const { namespace } = temporal.options;
  return temporalUiUrl
    ? `${temporalUiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`
    : null;
}
