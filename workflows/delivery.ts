import {
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DeliveryActivities, DeliveryOutcome } from './contract';
import { nudge } from './nudge';
import { AttemptAttribute, LastStatusAttribute } from './operating/attributes';
import { showDetails } from './operating/showDetails';

const { deliver } = proxyActivities<DeliveryActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

const MAX_DETAIL_LINES = 20;

/**
 * Retries a webhook delivery with exponential backoff for three days. A delivery that never succeeds is a failed workflow.
 */
export async function delivery(id: string): Promise<string> {
  const lines: string[] = [];
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (let summary = 'check the previous attempt'; ; ) {
    nudged = false;
    const step = await deliver.executeWithOptions({ summary }, [id]);
    if (step.last) publish(step.last);
    if ('over' in step) {
      show(step.problem ? `**failed**: ${step.problem}` : `**${step.over}**`);
      if (step.problem) throw ApplicationFailure.nonRetryable(step.problem, step.over);
      return step.over;
    }
    // A long wait in the queue would fill the history.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof delivery>(id);
    const next = `attempt ${step.attempt} ${step.until ? `at ${step.until}` : 'is in progress'}`;
    show(`next: ${next}`);
    const before = step.last ? `${step.last.text}; ` : '';
    const isEarly = await condition(() => nudged, step.waitMs, { summary: `${before}then ${next}` });
    summary = isEarly ? `check attempt ${step.attempt}` : `attempt ${step.attempt} is due`;
  }

  /** Writes search attributes once per failed attempt. */
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
    showDetails([state, ...lines.slice(-MAX_DETAIL_LINES)]);
  }
}
