import {
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DeliveryActivities, DeliveryOutcome } from './contract';
import { nudge } from './nudge';
import { AttemptAttribute, LastStatusAttribute } from './operating/attributes';

const { deliver } = proxyActivities<DeliveryActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

const MAX_DETAIL_LINES = 20;

/**
 * Retries a webhook delivery with growing pauses for three days. Its result says how it ended; one that did not arrive
 * is a failed workflow.
 */
export async function delivery(id: string): Promise<string> {
  const lines: string[] = [];
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (let summary = 'what became of the attempt before?'; ; ) {
    nudged = false;
    const step = await deliver.executeWithOptions({ summary }, [id]);
    if (step.last) publish(step.last);
    if ('over' in step) {
      show(step.problem ? `**failed**: ${step.problem}` : `**${step.over}**`);
      if (step.problem) throw ApplicationFailure.nonRetryable(step.problem, step.over);
      return step.over;
    }
    // One that waits in the queue for long would fill the history.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof delivery>(id);
    const next = `attempt ${step.attempt} ${step.until ? `at ${step.until}` : 'is under way'}`;
    show(`next: ${next}`);
    const before = step.last ? `${step.last.text}; ` : '';
    const isEarly = await condition(() => nudged, step.waitMs, { summary: `${before}then ${next}` });
    summary = isEarly ? `what became of attempt ${step.attempt}?` : `attempt ${step.attempt} is due`;
  }

  /** One write for every attempt that failed; a delivery that arrives at once has no workflow. */
  function publish({ attempt, status, text }: DeliveryOutcome): void {
    if (lines.at(-1) !== text) lines.push(text);
    const published = workflowInfo().typedSearchAttributes;
    if (published.get(AttemptAttribute) === attempt && published.get(LastStatusAttribute) === status) return;
    upsertSearchAttributes([
      { key: AttemptAttribute, value: attempt },
      { key: LastStatusAttribute, value: status },
    ]);
  }

  function show(state: string): void {
    setCurrentDetails([state, ...lines.slice(-MAX_DETAIL_LINES)].join('\n\n'));
  }
}
