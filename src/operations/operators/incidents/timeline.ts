/** Chronological timeline of an object across the database, the acquirer and Temporal, ending with its current state. */
import type { Client } from '@temporalio/client';
import { formatMoment } from '../../../../workflows/calendar';
import type { Language } from '../../../platform/language';
import { type CommandPage, type CommandResult, type OperatorCommandInput, pageOf } from '../command';
import { acquirerAnswers } from './acquirerAnswers';
import { storyWords } from './storyWords';
import { type StoryReading, type TimelineEntry, timelineEntries } from './timelineEntries';
import { findSubject, readTimeline, type TimelineRows, type TimelineSubject } from './timelineRows';
import { temporalProblem, workflowIdOf, workflowState } from './workflows';

/** Latest runs per workflow. */
const MAX_RUNS = 20;
const MAX_WORKFLOWS = 10;

interface Timeline {
  subject: TimelineSubject;
  /** Why Temporal was not queried. */
  problem: string | undefined;
  /** The latest ones, oldest first; entries of the current state have no time. */
  entries: { at: Date | null; source: TimelineEntry['source']; text: string }[];
  workflowIds: string[];
  /** Offset of earlier entries. */
  next_offset: number | null;
}

/** The command `story`. */
export async function showTimeline({ id, options, ...services }: OperatorCommandInput): Promise<CommandResult> {
  const { subject, problem, entries, next_offset } = await readStory(services, id, pageOf(options), 'en');
  const { kind, merchant_id, environment } = subject;
  const story = entries.map(entry => ({ ...entry, at: entry.at ? formatMoment(entry.at.getTime()) : 'now' }));
  return { records: { kind, id, merchant_id, environment, temporal: problem ?? 'up', story, next_offset } };
}

export async function readStory(
  { db, temporal, acquirers }: Pick<OperatorCommandInput, 'db' | 'temporal' | 'acquirers'>,
  id: string,
  { limit, offset }: CommandPage,
  language: Language,
): Promise<Timeline> {
  const now = new Date();
  const subject = await findSubject(db, id, limit + offset);
  const rows = await readTimeline(db, subject, limit + offset);
  const [answers, problem] = await Promise.all([
    acquirerAnswers(acquirers, subject.environment, subject.transactions, language),
    temporalProblem(temporal),
  ]);
  const workflowIds = workflowIdsOf(subject, rows);
  const runs = temporal && !problem ? await temporalEntries(temporal, workflowIds, { now, language }) : [];
  const lookups = answers.map(
    ({ key, text }): TimelineEntry => ({ at: now, source: 'acquirer', text: `${key} ${text}`.trim() }),
  );
  const all = [...timelineEntries(subject, rows, { now, language }), ...lookups, ...runs].sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
  const end = all.length - offset;
  return {
    subject,
    problem,
    entries: all
      .slice(Math.max(0, end - limit), Math.max(0, end))
      .map(entry => ({ ...entry, at: entry.at === now ? null : entry.at })),
    workflowIds,
    next_offset: end > limit ? offset + limit : null,
  };
}

function workflowIdsOf({ kind, id, transactions }: TimelineSubject, { deliveries }: TimelineRows): string[] {
  const own =
    kind === 'subscription'
      ? [workflowIdOf.subscription(id)]
      : transactions
          .filter(row => row.transaction_type === 'payout' || row.expires_at !== null)
          .map(row => workflowIdOf[row.transaction_type === 'payout' ? 'payout' : 'expiry'](row.id));
  const retried = deliveries.filter(({ attempts, status }) => attempts > 1 || status === 'retrying');
  return [...own, ...retried.map(each => workflowIdOf.delivery(each.id))].slice(0, MAX_WORKFLOWS);
}

async function temporalEntries(
  temporal: Client,
  workflowIds: string[],
  reading: StoryReading,
): Promise<TimelineEntry[]> {
  const lines = await Promise.all(workflowIds.map(id => runEntries(temporal, id, reading)));
  return lines.flat();
}

async function runEntries(
  temporal: Client,
  workflowId: string,
  { now, language }: StoryReading,
): Promise<TimelineEntry[]> {
  const words = storyWords[language];
  const lines: TimelineEntry[] = [];
  const add = (at: Date, text: string): number => lines.push({ at, source: 'temporal', text: `${workflowId} ${text}` });
  let count = 0;
  // Newest first.
  for await (const run of temporal.workflow.list({ query: `WorkflowId = '${workflowId}'`, pageSize: MAX_RUNS })) {
    add(run.startTime, words.started(run.runId));
    if (run.closeTime) add(run.closeTime, words.ended(run.status.name, run.runId));
    count += 1;
    if (count === MAX_RUNS) break;
  }
  const { status, activity, failedTasks, failure } = await workflowState(temporal, workflowId);
  const state = [
    words.is('', status).trim(),
    activity && words.running(activity),
    failedTasks > 0 && words.failedTasks(failedTasks),
    failure && words.lastFailure(failure),
  ];
  add(now, state.filter(Boolean).join(', '));
  return lines;
}
