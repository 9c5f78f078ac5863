/** Commands for billing holds and workers. */
import type { Environment } from '../../../../prisma/generated/enums';
import { COMMAND_LINE } from '../../../accounts/merchants/accounts';
import { findHoldable, findTarget, holdBilling, MAX_OVER_SECONDS, releaseBilling } from '../../../billing/holds/hold';
import type { HoldRow, HoldTarget } from '../../../billing/holds/rows';
import { BOTH_ENVIRONMENTS } from '../../../platform/database/environments';
import { ApiError } from '../../../platform/errors';
import { isTimestamp, readTimestamp } from '../../../schema/time';
import {
  CONFIRMED,
  type CommandResult,
  type OperatorCommand,
  type OperatorCommandInput,
  oneOf,
  pageOf,
  type Step,
  toSteps,
} from '../command';
import { drainCommand, workersCommand } from './drain';
import { BillingHold } from './fields';
import { listHolds } from './list';
import { holdSteps, releaseSteps } from './steps';

const COLUMNS = ['id', 'environment', 'scope', 'object_id', 'merchant_id', 'held_at', 'until', 'actor_id', 'reason'];
const SECONDS = { s: 1, m: 60, h: 3600 } as const;

export const holdCommands: Readonly<Record<string, OperatorCommand>> = {
  holds: {
    summary: 'Lists active billing holds, newest first',
    optional: ['merchant', 'environment', 'limit', 'offset'],
    columns: COLUMNS,
    run: async ({ db, options }) => {
      const { merchant: merchant_id } = options;
      const environment = environmentOf(options);
      const page = { ...pageOf(options), ...(merchant_id && { merchant_id }), ...(environment && { environment }) };
      return { type: BillingHold, records: await listHolds(db, page) };
    },
  },
  hold: {
    ...CONFIRMED,
    summary:
      'Places a billing hold on a subscription, customer, plan or merchant, or on a whole environment (everything)',
    optional: ['environment', 'until'],
    run: hold,
  },
  release: {
    ...CONFIRMED,
    summary: 'Releases a billing hold; overdue periods are billed once, spread over a time such as 10m',
    optional: ['environment', 'over'],
    run: release,
  },
  workers: workersCommand,
  drain: drainCommand,
};

const environmentOf = ({ environment }: OperatorCommandInput['options']): Environment | undefined =>
  oneOf('environment', environment, BOTH_ENVIRONMENTS);

async function hold({ db, id, options, yes }: OperatorCommandInput): Promise<CommandResult> {
  const { reason = '' } = options;
  const until = untilOf(options.until);
  const target = await findHoldable(db, id, environmentOf(options));
  const steps = await holdSteps(db, target, { reason, until });
  return shown(target, steps, reason, yes ? await holdBilling(db, COMMAND_LINE, target, { reason, until }) : undefined);
}

async function release({ db, id, options, yes }: OperatorCommandInput): Promise<CommandResult> {
  const { reason = '' } = options;
  const over_seconds = overOf(options.over);
  const target = await findTarget(db, id, environmentOf(options));
  const steps = await releaseSteps(db, target, over_seconds);
  const released = yes ? await releaseBilling(db, COMMAND_LINE, target, { reason, over_seconds }) : undefined;
  return shown(target, steps, reason, released);
}

function shown({ merchant_id, ...target }: HoldTarget, steps: Step[], reason: string, hold?: HoldRow): CommandResult {
  const records = {
    done: hold !== undefined,
    ...(hold && { hold_id: hold.id }),
    id: target.object_id,
    scope: target.scope,
    environment: target.environment,
    merchant_id,
    reason,
    steps: toSteps(steps),
  };
  return { records, isDryRun: hold === undefined };
}

function untilOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const until = isTimestamp(text) ? readTimestamp(text) : undefined;
  if (!until) throw new ApiError('invalid_value', 'not_time_or_day_here', { field: '--until' });
  if (until.getTime() <= Date.now()) throw new ApiError('invalid_value', 'in_past', { field: '--until' });
  return until;
}

function overOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count = '', unit = 's'] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const seconds = count === '' ? Number.NaN : Number(count) * SECONDS[unit as keyof typeof SECONDS];
  if (seconds >= 0 && seconds <= MAX_OVER_SECONDS) return seconds;
  throw new ApiError('invalid_value', 'not_duration', { field: '--over' });
}
