/** Lists unknown outcomes, failing outbox rows, broken workflows and refused settlement reports. */
import type { Client } from '@temporalio/client';
import { Prisma } from '../../../../prisma/generated/client';
import { formatMoment } from '../../../../workflows/calendar';
import { type Database, REPLAN_EACH_TIME } from '../../../platform/database/connection';
import { formatMoney } from '../../../platform/money';
import { LEASED_PROGRESS } from '../../acquirerOperations';
import { type CommandPage, type CommandResult, type OperatorCommandInput, pageOf } from '../command';
import { describeAge } from './overdue';
import { temporalProblem, workflowIdOf, workflowStates } from './workflows';

/** Grace period for outcomes that are resolved automatically. */
const MIN_AGE_SECONDS = 60;
/** Failing rows are the oldest, so only these are searched. */
const MAX_OUTBOX_ROWS = 10_000;

export async function listStalled({ db, temporal, options }: OperatorCommandInput): Promise<CommandResult> {
  const page = pageOf(options);
  const [attempts, outbox, settlements, problem] = await Promise.all([
    unknownOutcomes(db, page),
    failingOutbox(db, page),
    refusedReports(db, page),
    temporalProblem(temporal),
  ]);
  const workflows = temporal && !problem ? await brokenWorkflows(db, temporal, page) : [];
  return { records: { temporal: problem ?? 'up', attempts, outbox, workflows, settlements } };
}

interface UnknownOutcome {
  id: string;
  merchant_id: string;
  transaction_type: string;
  progress: string;
  amount: bigint;
  since: Date;
  subscription_id: string | null;
  open: { tries?: number; again_at?: number } | null;
  lease_until: Date | null;
}

/** Payouts are read by merchant, because their index begins with the merchant. */
async function unknownOutcomes(db: Database, { limit, offset }: CommandPage) {
  const rows = await db.$queryRaw<UnknownOutcome[]>`
    select ${REPLAN_EACH_TIME} t.id, t.merchant_id, t.transaction_type, t.progress, t.amount, t.since, t.subscription_id,
      t.lease_until, s.open
    from (
      (select id, merchant_id, transaction_type, progress, amount, subscription_id, lease_until,
          creation_date - make_interval(secs => clock_offset) as since
        from transactions where progress in (${Prisma.raw(LEASED_PROGRESS)})
          and (lease_until is null or creation_date < now() + make_interval(secs => clock_offset) - make_interval(secs => ${MIN_AGE_SECONDS}))
        order by lease_until limit ${limit + offset})
      union all
      (select p.* from merchants m, lateral (
          select id, merchant_id, transaction_type, progress, amount, subscription_id, lease_until,
            creation_date - make_interval(secs => clock_offset) as since
          from transactions where merchant_id = m.id and progress = 'sending'
            and creation_date < now() + make_interval(secs => clock_offset) - make_interval(secs => ${MIN_AGE_SECONDS})
          order by creation_date limit ${limit + offset}) p)
    ) t left join subscriptions s on s.id = t.subscription_id
    where t.since < now() - make_interval(secs => ${MIN_AGE_SECONDS}) or (s.open ->> 'tries')::integer > 0
    order by t.since, t.id limit ${limit} offset ${offset}`;
  return rows.map(({ open, lease_until, since, amount, ...row }) => {
    const nextAt = open?.again_at ?? lease_until?.getTime();
    return {
      ...row,
      amount: formatMoney(amount),
      since: formatMoment(since.getTime()),
      age: describeAge(since),
      tries: open?.tries ?? null,
      asked_again_at: nextAt === undefined ? null : formatMoment(nextAt),
    };
  });
}

interface FailingRow {
  id: bigint;
  kind: string;
  object_id: string;
  environment: string;
  tries: number;
  creation_date: Date;
  again_at: Date;
}

async function failingOutbox(db: Database, { limit, offset }: CommandPage) {
  const rows = await db.$queryRaw<FailingRow[]>`
    select id, kind, object_id, environment::text as environment, tries, creation_date, again_at
    from (select * from outbox order by id limit ${MAX_OUTBOX_ROWS}) as oldest
    where tries > 0 order by tries desc, id limit ${limit} offset ${offset}`;
  return rows.map(({ id, creation_date, again_at, ...row }) => ({
    id: `${id}`,
    ...row,
    age: describeAge(creation_date),
    again_at: formatMoment(again_at.getTime()),
  }));
}

/** Subscriptions without a working workflow, earliest due date first. */
async function brokenWorkflows(db: Database, temporal: Client, { limit, offset }: CommandPage) {
  const rows = await db.$queryRaw<{ id: string; merchant_id: string; due_at: Date }[]>`
    select ${REPLAN_EACH_TIME} id, merchant_id, due_at from subscriptions
    where (status <> 'cancelled' or open is not null) and status <> 'new'
    order by due_at limit ${limit} offset ${offset}`;
  const ids = rows.map(({ id }) => workflowIdOf.subscription(id));
  const states = await workflowStates(temporal, ids);
  return rows.flatMap(({ due_at, ...row }, i) => {
    const state = states[i];
    if (!state || (state.status === 'running' && state.failedTasks === 0 && state.failure === null)) return [];
    return [
      {
        workflow_id: ids[i],
        merchant_id: row.merchant_id,
        due_at: formatMoment(due_at.getTime()),
        status: state.failedTasks > 0 ? 'failing' : state.status,
        failed_tasks: state.failedTasks,
        failure: state.failure,
      },
    ];
  });
}

async function refusedReports(db: Database, { limit, offset }: CommandPage) {
  const rows = await db.settlementReport.findMany({
    where: { status: 'refused' },
    orderBy: [{ creation_date: 'desc' }, { id: 'desc' }],
    take: limit,
    skip: offset,
    select: { id: true, environment: true, day: true, reference: true, reason: true, ended_at: true },
  });
  return rows.map(({ ended_at, ...row }) => ({ ...row, refused_at: ended_at && formatMoment(ended_at.getTime()) }));
}
