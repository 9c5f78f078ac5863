/** Replaces a plan: its successor, the list of its subscribers and the follow-up work are written together. */
import { Prisma } from '../../../prisma/generated/client';
import { auditEntry } from '../../accounts/auditLog/entry';
import { storedIva } from '../../payments/charges/tax';
import { clockOf } from '../../platform/database/clock';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { wakeWorkers } from '../../platform/database/outbox';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { findPlan } from '../plans/resolver';
import { retryTimesOf } from '../plans/retrySchedule';
import type { PlanRow } from '../plans/rows';
import type { PlanReplacement, ReplacePlan } from './fields';
import {
  findReplacement,
  insertItems,
  narrowReplacement,
  type ReplacementRow,
  type ReplacementTotals,
  readTotals,
} from './rows';

/** Long, because it lists many subscribers. */
const TIMEOUT_MS = 30_000;
const DUPLICATE = 'P2002';
const NOBODY: ReplacementTotals = { total: 0, skipped: 0, current_amount: 0n, new_amount: 0n };

type NewTerms = Omit<ReplacePlan, 'schedule' | 'close' | 'preview'>;

function successorOf(plan: PlanRow, { iva, retry_times, ...terms }: NewTerms) {
  const retry_schedule = terms.retry_schedule ?? plan.retry_schedule;
  const copied =
    terms.retry_schedule === undefined || typeof retry_schedule === 'string' ? plan.retry_times : undefined;
  return {
    ...{ name: plan.name, amount: plan.amount, repeat_every: plan.repeat_every, repeat_unit: plan.repeat_unit },
    ...{ status_after_retry: plan.status_after_retry, trial_days: plan.trial_days },
    ...omitUndefined({ metadata: plan.metadata ?? undefined }),
    ...omitUndefined(terms),
    retry_schedule,
    retry_times: retryTimesOf(retry_schedule, retry_times ?? copied),
    iva: iva === undefined ? plan.iva : (storedIva(iva) ?? null),
  };
}

export async function previewReplacement(
  context: Context,
  plan_id: string,
  { amount }: ReplacePlan,
): Promise<PlanReplacement> {
  const plan = await findPlan(context, plan_id);
  return {
    ...(await readTotals(context.db, plan, amount ?? plan.amount)),
    id: null,
    plan_id,
    successor: null,
    status: 'preview',
    done: 0,
    skipped_subscriptions: [],
    creation_date: null,
    finished_at: null,
  };
}

/** A repeated request finds the replacement of the first one. */
export async function replacePlan(
  context: Context,
  plan_id: string,
  { schedule, close, preview: _, ...terms }: ReplacePlan,
): Promise<ReplacementRow> {
  const { db, merchant_id, environment, actor, newId } = context;
  const [id, successor_id] = [newId('plan_replacement'), newId('plan')];
  const plan = await findPlan(context, plan_id);
  const existing = await findReplacement(db, id);
  if (existing) return existing;
  const successor = successorOf(plan, terms);
  const { now: creation_date } = await clockOf(db, merchant_id, null);
  const replace = async (tx: Prisma.TransactionClient): Promise<ReplacementRow> => {
    await tx.plan.create({ data: { ...successor, id: successor_id, merchant_id, creation_date } });
    if (close) await closePlan(tx, context, plan_id);
    const sums = schedule ? await readTotals(tx, plan, successor.amount) : NOBODY;
    const data = { id, merchant_id, plan_id, successor_id, creation_date, ...sums, total: 0, skipped: 0 };
    await tx.planReplacement.create({ data: { ...data, actor: actor.kind, actor_id: actor.id } });
    // Counted as listed: a subscription may have been created meanwhile.
    const total = schedule ? await insertItems(tx, id, plan_id) : 0;
    if (total > 0) await tx.outbox.create({ data: { kind: 'plan_replacement', object_id: id, environment } });
    const status = total > 0 ? {} : { status: 'done', finished_at: creation_date };
    const row = await tx.planReplacement.update({ where: { id }, data: { total, ...status } });
    const audited = { object_id: plan_id, after: { successor_id, schedule, close } };
    await tx.auditEntry.create({ data: auditEntry(context, 'plan.replaced', audited) });
    return narrowReplacement(row);
  };
  const row = await db.$transaction(replace, { timeout: TIMEOUT_MS }).catch(error => {
    const isRunning = error instanceof Prisma.PrismaClientKnownRequestError && error.code === DUPLICATE;
    throw isRunning ? new ApiError('not_allowed', 'replacement_running') : error;
  });
  await wakeWorkers(db);
  return row;
}

async function closePlan(tx: Prisma.TransactionClient, context: Context, id: string): Promise<void> {
  const { count } = await tx.plan.updateMany({ where: { id, status: 'active' }, data: { status: 'deleted' } });
  if (count > 0) await tx.auditEntry.create({ data: auditEntry(context, 'plan.deleted', { object_id: id }) });
}
