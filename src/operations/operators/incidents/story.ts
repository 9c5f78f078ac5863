/** One thing across all parts: what happened to it, in the order in which it happened, and how it stands. */
import type { Client } from '@temporalio/client';
import { formatMoment } from '../../../../workflows/calendar';
import { type CommandResult, type OperatorCommandInput, pageOf } from '../command';
import { acquirerAnswers } from './acquirerAnswers';
import { type StoryLine, storyLines } from './storyLines';
import { findSubject, readStory, type StoryRows, type StorySubject } from './storyRows';
import { temporalProblem, workflowIdOf, workflowState } from './workflows';

/** Of one workflow, the latest. */
const MAX_RUNS = 20;
/** Of deliveries, each of which may have a workflow. */
const MAX_WORKFLOWS = 10;

export async function tellStory(input: OperatorCommandInput): Promise<CommandResult> {
  const { db, id, temporal, acquirers, options } = input;
  const { limit, offset } = pageOf(options);
  const now = new Date();
  const subject = await findSubject(db, id, limit + offset);
  const rows = await readStory(db, subject, limit + offset);
  const [answers, problem] = await Promise.all([
    acquirerAnswers(acquirers, subject.environment, subject.transactions),
    temporalProblem(temporal),
  ]);
  const runs = temporal && !problem ? await temporalLines(temporal, workflowIdsOf(subject, rows), now) : [];
  const asked = answers.map(
    ({ key, text }): StoryLine => ({ at: now, source: 'acquirer', text: `${key} ${text}`.trim() }),
  );
  const all = [...storyLines(subject, rows, now), ...asked, ...runs].sort((a, b) => a.at.getTime() - b.at.getTime());
  const end = all.length - offset;
  const { kind, merchant_id, environment } = subject;
  return {
    records: {
      kind,
      id,
      merchant_id,
      environment,
      temporal: problem ?? 'up',
      story: all
        .slice(Math.max(0, end - limit), Math.max(0, end))
        .map(({ at, source, text }) => ({ at: at === now ? 'now' : formatMoment(at.getTime()), source, text })),
      // Earlier lines.
      next_offset: end > limit ? offset + limit : null,
    },
  };
}

function workflowIdsOf({ kind, id, transactions }: StorySubject, { deliveries }: StoryRows): string[] {
  const own =
    kind === 'subscription'
      ? [workflowIdOf.subscription(id)]
      : transactions
          .filter(row => row.transaction_type === 'payout' || row.expires_at !== null)
          .map(row => workflowIdOf[row.transaction_type === 'payout' ? 'payout' : 'expiry'](row.id));
  const retried = deliveries.filter(({ attempts, status }) => attempts > 1 || status === 'retrying');
  return [...own, ...retried.map(each => workflowIdOf.delivery(each.id))].slice(0, MAX_WORKFLOWS);
}

async function temporalLines(temporal: Client, workflowIds: string[], now: Date): Promise<StoryLine[]> {
  const lines = await Promise.all(workflowIds.map(id => linesOf(temporal, id, now)));
  return lines.flat();
}

async function linesOf(temporal: Client, workflowId: string, now: Date): Promise<StoryLine[]> {
  const lines: StoryLine[] = [];
  const tell = (at: Date, text: string): number =>
    lines.push({ at, source: 'temporal', text: `${workflowId} ${text}` });
  let count = 0;
  // Newest first.
  for await (const run of temporal.workflow.list({ query: `WorkflowId = '${workflowId}'`, pageSize: MAX_RUNS })) {
    tell(run.startTime, `began, run ${run.runId}`);
    if (run.closeTime) tell(run.closeTime, `ended: ${run.status.name}, run ${run.runId}`);
    count += 1;
    if (count === MAX_RUNS) break;
  }
  const { status, activity, failedTasks, failure } = await workflowState(temporal, workflowId);
  const state = [
    `is ${status}`,
    activity && `tries ${activity}`,
    failedTasks > 0 && `its task failed ${failedTasks} times`,
    failure && `last failure: ${failure}`,
  ];
  tell(now, state.filter(Boolean).join(', '));
  return lines;
}
