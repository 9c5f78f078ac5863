/** Previews of the changes of operators, and the changes that are possible for an object of a timeline. */
import { findHoldable, findOpenHold, findTarget } from '../../../billing/holds/hold';
import { snapshotOf } from '../../../billing/subscriptions/billing/snapshot';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { preferredLanguage } from '../../../platform/language';
import type { Context } from '../../../schema/operation/context';
import type { Step } from '../command';
import { planDrain } from '../holds/drain';
import { holdSteps, releaseSteps, suspensionSteps } from '../holds/steps';
import { askAcquirer } from '../incidents/askAcquirer';
import type { ChangePlan } from '../incidents/plannedChange';
import { rebuild } from '../incidents/rebuild';
import { resend } from '../incidents/resend';
import type { TimelineSubject } from '../incidents/timelineRows';
import type { ActionPreview, OperatorActionName, PreviewArgs } from './actionFields';
import { costsSteps, paySteps, reserveSteps } from './moneySteps';

type Steps = (context: Context, args: PreviewArgs) => Promise<Step[]>;

const planned =
  (plan: ChangePlan): Steps =>
  async (context, { id }) =>
    (await plan({ ...context, id })).steps;

const stepsOf: Readonly<Record<OperatorActionName, Steps>> = {
  hold: async ({ db }, { id, environment, until }) =>
    holdSteps(db, await findHoldable(db, id, environment), { reason: '', until }),
  release: async ({ db }, { id, environment, over_seconds }) =>
    releaseSteps(db, await findTarget(db, id, environment), over_seconds),
  suspend: ({ db }, { id }) => suspensionSteps(db, id, 'suspended'),
  resume: ({ db }, { id }) => suspensionSteps(db, id, 'active'),
  ask_acquirer: planned(askAcquirer),
  resend: planned(resend),
  rebuild: planned(rebuild),
  drain: async ({ db }, { id }) => (await planDrain(db, id)).steps,
  costs: ({ db }, args) => costsSteps(db, args),
  reserve: ({ db }, args) => reserveSteps(db, args),
  pay: ({ db }, args) => paySteps(db, args),
};

/** Throws if the change is not possible. */
export async function previewAction(context: Context, args: PreviewArgs): Promise<ActionPreview> {
  const { action, id } = args;
  const language = preferredLanguage(context.acceptLanguage) ?? 'en';
  const steps = await stepsOf[action](context, args);
  return { action, id, steps: steps.map(step => step[language]) };
}

export async function possibleActions(context: Context, subject: TimelineSubject): Promise<OperatorActionName[]> {
  const { kind, id, merchant_id, environment, subscription } = subject;
  if (kind === 'delivery' || kind === 'event') return ['resend'];
  const canAsk = async (): Promise<boolean> =>
    askAcquirer({ ...context, id }).then(
      () => true,
      error => {
        if (error instanceof ApiError) return false;
        throw error;
      },
    );
  if (kind === 'transaction') return (await canAsk()) ? ['ask_acquirer'] : [];
  const isHeld = await hasHold(context.db, { scope: kind, object_id: id, environment, merchant_id });
  if (!subscription) return [isHeld ? 'release' : 'hold'];
  const { status, open } = subscription;
  const isOver = status === 'cancelled' && !open;
  return [
    ...(isHeld ? (['release'] as const) : isOver ? [] : (['hold'] as const)),
    ...(open ? (['ask_acquirer'] as const) : []),
    ...(snapshotOf(subscription).over === null ? (['rebuild'] as const) : []),
  ];
}

const hasHold = async (db: Database, target: Parameters<typeof findOpenHold>[1]): Promise<boolean> =>
  (await findOpenHold(db, target)) !== undefined;
