import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { auditEntry } from '../../accounts/auditLog/entry';
import { storedIva } from '../../payments/charges/tax';
import { metadataColumn, metadataWhere } from '../../payments/metadata/rows';
import { clockOf } from '../../platform/database/clock';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { Body, Id } from '../../schema/arguments';
import { readFitting, readPage } from '../../schema/boundedList';
import { isBlank } from '../../schema/check';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../schema/connections/window';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { rejectChangedTerms } from '../../schema/terms';
import {
  CreatePlan,
  MAX_NEW_NAME_CHARACTERS,
  Plan,
  PlanConnection,
  PlansArgs,
  PlansConnectionArgs,
  UpdatePlan,
} from './fields';
import { retryTimesOf } from './retrySchedule';
import { narrowPlan, type PlanRow, planById, planList } from './rows';

export const toPlan = (row: PlanRow): Plan => ({ currency: 'COP', ...row });

/** Includes deleted plans, because their subscriptions continue. `field` is the body field with the plan ID. */
export async function findPlan({ db, merchant_id }: Context, id: string, field?: string): Promise<PlanRow> {
  const plan = isId(id) ? await planById(db, id) : undefined;
  if (plan?.merchant_id !== merchant_id) throw new ApiError('not_found', field ? 'is_unknown' : 'not_found', { field });
  return plan;
}

/** Finds the plan that a body names for a new subscription. */
export async function findActivePlan(context: Context, id: string): Promise<PlanRow> {
  const plan = await findPlan(context, id, 'plan_id');
  if (plan.status === 'deleted') throw new ApiError('not_found', 'deleted_plan', { field: 'plan_id' });
  return plan;
}

const activePlans = ({ merchant_id }: Context) => ({ merchant_id, status: 'active' }) as const;

const plansWhere = (context: Context, filters: PlansArgs | PlansConnectionArgs) => ({
  ...activePlans(context),
  ...listWhere(filters),
  ...metadataWhere(filters),
});

@Resolver()
export class PlanResolver {
  @Query(() => Plan, { description: 'Retrieves a plan, including a deleted one' })
  async plan(@Ctx() context: Context, @Id('plan_id', 'plan') plan_id: string): Promise<Plan> {
    return toPlan(await findPlan(context, plan_id));
  }

  @Query(() => [Plan], { description: 'Lists active plans, newest first' })
  async plans(@Ctx() context: Context, @Args(() => PlansArgs) page: PlansArgs): Promise<Plan[]> {
    const list = planList(context.db, plansWhere(context, page), pageSlice(page));
    return (await readPage(context, list)).map(toPlan);
  }

  @Query(() => PlanConnection, { description: 'Lists active plans, newest first' })
  async plansConnection(
    @Ctx() context: Context,
    @Args(() => PlansConnectionArgs) window: PlansConnectionArgs,
  ): Promise<PlanConnection> {
    const where = plansWhere(context, window);
    const { records, isCut } = await readFitting(context, planList(context.db, where, sliceOf(window)));
    return toConnection(window, records.map(toPlan), totalWhere(context.db, 'plans', where), { isCut });
  }

  @Mutation(() => Plan, { description: 'Creates a plan' })
  async createPlan(
    @Ctx() context: Context,
    @Body('plan', () => CreatePlan, 'The new plan') { currency: _, ...plan }: CreatePlan,
  ): Promise<Plan> {
    const { db, merchant_id } = context;
    const id = context.newId('plan');
    const retry_times = retryTimesOf(plan.retry_schedule, plan.retry_times);
    const { now: creation_date } = await clockOf(db, merchant_id, null);
    const iva = omitUndefined({ iva: storedIva(plan.iva) });
    const data = { ...plan, ...iva, retry_times, id, merchant_id, creation_date };
    // A repeated request finds the plan that it created before.
    return toPlan(narrowPlan(await db.plan.upsert({ where: { id, merchant_id }, create: data, update: {} })));
  }

  @Mutation(() => Plan, {
    description: 'Updates the name, the metadata or the IVA of a plan, or the trial of new subscriptions',
  })
  async updatePlan(
    @Ctx() context: Context,
    @Id('plan_id', 'plan') plan_id: string,
    @Body('plan', () => UpdatePlan, 'The changes') { name, trial_days, metadata, iva, ...terms }: UpdatePlan,
  ): Promise<Plan> {
    const current = await findPlan(context, plan_id);
    if (current.status === 'deleted') throw new ApiError('not_found');
    rejectChangedTerms<Partial<Plan>>(terms, toPlan(current));
    if (name !== undefined && isBlank(name)) throw new ApiError('malformed', 'is_empty', { field: 'name' });
    // Clients can send back the current name, which can be longer.
    if (name !== undefined && name !== current.name && [...name].length > MAX_NEW_NAME_CHARACTERS)
      throw new ApiError('malformed', 'text_too_long', { field: 'name', max: MAX_NEW_NAME_CHARACTERS });
    const where = { id: plan_id, ...activePlans(context) };
    const data = omitUndefined({ name, trial_days, metadata: metadataColumn(metadata), iva: storedIva(iva) });
    const [row] = await context.db.plan.updateManyAndReturn({ where, data });
    if (!row) throw new ApiError('not_found');
    return toPlan(narrowPlan(row));
  }

  @Mutation(() => Plan, { description: 'Deletes a plan. Existing subscriptions continue' })
  async deletePlan(@Ctx() context: Context, @Id('plan_id', 'plan') plan_id: string): Promise<Plan> {
    const where = { id: plan_id, ...activePlans(context) };
    if (!isId(plan_id)) throw new ApiError('not_found');
    return context.db.$transaction(async tx => {
      const [row] = await tx.plan.updateManyAndReturn({ where, data: { status: 'deleted' } });
      if (!row) throw new ApiError('not_found');
      await tx.auditEntry.create({ data: auditEntry(context, 'plan.deleted', { object_id: plan_id }) });
      return toPlan(narrowPlan(row));
    });
  }
}
