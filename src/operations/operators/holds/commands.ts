/** `hold`, `release` and `holds`: billing waits while something is mended. */
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
import { type CommandResult, type OperatorCommand, type OperatorCommandInput, oneOf, pageOf } from '../command';
import { drainCommand, workersCommand } from './drain';
import { BillingHold } from './fields';
import { listHolds } from './list';
import { countCovered } from './rows';

const asksFirst = { takesId: true, needs: ['reason'], asksFirst: true, tables: { steps: ['step', 'text'] } } as const;
const COLUMNS = ['id', 'environment', 'scope', 'object_id', 'merchant_id', 'held_at', 'until', 'actor_id', 'reason'];
const SECONDS = { s: 1, m: 60, h: 3600 } as const;

export const holdCommands: Readonly<Record<string, OperatorCommand>> = {
  holds: {
    about: 'lists whose billing is held now and by whom, the latest first',
    takes: ['merchant', 'environment', 'limit', 'offset'],
    columns: COLUMNS,
    run: async ({ db, options }) => {
      const { merchant: merchant_id } = options;
      const environment = environmentOf(options);
      const page = { ...pageOf(options), ...(merchant_id && { merchant_id }), ...(environment && { environment }) };
      return { type: BillingHold, records: await listHolds(db, page) };
    },
  },
  hold: {
    ...asksFirst,
    about: 'holds the billing of a subscription, customer, plan or merchant, or of everything in an environment',
    takes: ['environment', 'until'],
    run: hold,
  },
  release: {
    ...asksFirst,
    about: 'releases what was held, and has what fell due billed once, over some time as 10m',
    takes: ['environment', 'over'],
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
    `The billing of ${nameOf(target)} is held ${until ? `until ${formatMoment(until.getTime())}` : 'until somebody releases it'}.`,
    `That covers ${live} subscriptions that have not ended: ${due} are due, ${soon} more within a day.`,
    'Attempts under way are finished. Nothing else is charged by itself, and nobody is cancelled for not having paid.',
    'What merchants ask for goes on: new subscriptions, another card for an unpaid period, a retry.',
  ];
  // Refused before anybody says yes to it.
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
    `The billing of ${nameOf(target)} goes on. It was held ${describeHold(held)}.`,
    `That covers ${live} subscriptions that have not ended, of which ${due} are due.`,
    `What fell due is billed once, ${over_seconds === undefined ? 'spread by how much it is' : `over ${over_seconds} seconds`}; what another hold or a suspension covers waits on.`,
    'Unpaid subscriptions have as much time left as when they were held.',
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
