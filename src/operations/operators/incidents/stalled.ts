/** Lists unknown outcomes, failing outbox rows, broken workflows and refused settlement reports. */
import type { Client } from '@temporalio/client';
import { formatMoment } from '../../../../workflows/calendar';
import type { Database } from '../../../platform/database/connection';
import { formatMoney } from '../../../platform/money';
import { type CommandPage, type CommandResult, type OperatorCommandInput, pageOf } from '../command';
import { describeAge } from './overdue';
import { readDueFirst, readFailingOutbox, readUnknownOutcomes } from './rows';
import { temporalProblem, workflowIdOf, workflowStates } from './workflows';

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

async function unknownOutcomes(db: Database, page: CommandPage) {
  const rows = await readUnknownOutcomes(db, page);
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

async function failingOutbox(db: Database, page: CommandPage) {
  const rows = await readFailingOutbox(db, page);
  return rows.map(({ id, creation_date, again_at, ...row }) => ({
    id: `${id}`,
    ...row,
    age: describeAge(creation_date),
    again_at: formatMoment(again_at.getTime()),
  }));
}

/** Subscriptions without a working workflow, among those that are due first, today or later. */
async function brokenWorkflows(db: Database, temporal: Client, page: CommandPage) {
  const rows = await readDueFirst(db, page);
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
