/** Commands for billing holds and workers. */
import type { Environment } from '../../../../prisma/generated/enums';
import { formatMoment } from '../../../../workflows/calendar';
import { COMMAND_LINE } from '../../../accounts/merchants/accounts';
import {
  describeHold,
  findHoldable,
  findOpenHold,
  findTarget,
  holdBilling,
  MAX_OVER_SECONDS,
  releaseBilling,
  repeatedHold,
} from '../../../billing/holds/hold';
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
} from '../command';
import { drainCommand, workersCommand } from './drain';
import { BillingHold } from './fields';
import { listHolds } from './list';
import { countCovered } from './rows';

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
  const { live, due, soon } = await countCovered(db, target);
  const steps = [
    `Billing of ${nameOf(target)} is held until ${until ? formatMoment(until.getTime()) : 'an operator releases it'}.`,
    `The hold covers ${live} subscriptions: ${due} are due, ${soon} more within a day.`,
    'Attempts in progress are finished. No other renewals are charged, and no subscription is cancelled for non-payment.',
    'Requests of merchants are still processed: new subscriptions, retries, a new card for an unpaid period.',
  ];
  // Rejects a conflicting hold in the dry run, too.
  repeatedHold(await findOpenHold(db, target), { reason, until });
  return shown(target, steps, reason, yes ? await holdBilling(db, COMMAND_LINE, target, { reason, until }) : undefined);
}

async function release({ db, id, options, yes }: OperatorCommandInput): Promise<CommandResult> {
  const { reason = '' } = options;
  const over_seconds = overOf(options.over);
  const target = await findTarget(db, id, environmentOf(options));
  const held = await findOpenHold(db, target);
  if (!held) throw new ApiError('not_allowed', 'not_held');
  const { live, due } = await countCovered(db, target);
  const steps = [
    `Billing of ${nameOf(target)} resumes. It was held ${describeHold(held)}.`,
    `The hold covers ${live} subscriptions, of which ${due} are due.`,
    `Overdue periods are billed once, ${over_seconds === undefined ? 'spread according to their number' : `over ${over_seconds} seconds`}. Subscriptions under another hold or a suspended merchant keep waiting.`,
    'Unpaid subscriptions keep the time that they had left when the hold began.',
  ];
  const released = yes ? await releaseBilling(db, COMMAND_LINE, target, { reason, over_seconds }) : undefined;
  return shown(target, steps, reason, released);
}

function shown({ merchant_id, ...target }: HoldTarget, steps: string[], reason: string, hold?: HoldRow): CommandResult {
  const records = {
    done: hold !== undefined,
    ...(hold && { hold_id: hold.id }),
    id: target.object_id,
    scope: target.scope,
    environment: target.environment,
    merchant_id,
    reason,
    steps: steps.map((text, i) => ({ step: i + 1, text })),
  };
  return { records, isDryRun: hold === undefined };
}

const nameOf = ({ scope, object_id }: HoldTarget): string =>
  scope === 'everything' ? `everything in ${object_id}` : `the ${scope} ${object_id}`;

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
