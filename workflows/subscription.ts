/**
 * One subscription, from its first day to its last. The row in the database is the truth and this workflow is its
 * clock: it sleeps until the row says that something is due and has an activity do it, which answers what comes next.
 * So a command of the API needs nothing from here but a nudge, and the workflow can be terminated and started again
 * from the row at any moment without losing or repeating anything.
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  makeContinueAsNewFunc,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { NUDGE } from './contract';
import { explain, takeOperatorRequests } from './operating/handlers';
import type { OperatorRequest, OperatorRequestName } from './operating/requests';
import { changedAttributes, detailsOf } from './operating/view';
import {
  type OperatorActivities,
  STEPS_PER_RUN,
  SUBSCRIPTION_ACTIONS,
  type SubscriptionAction,
  type SubscriptionActivities,
  type SubscriptionResult,
  type SubscriptionSnapshot,
} from './subscriptionContract';

const activityOptions = {
  // Longer than any request to the acquirer.
  startToCloseTimeout: '40 seconds',
  // Activities fail only while the database cannot be reached.
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
} as const;

/**
 * Local activities run inside the workflow task, which halves the server's work. A lost task runs them again: they are
 * idempotent.
 */
const localActivities = proxyLocalActivities<SubscriptionActivities>({
  ...activityOptions,
  // Longer retry pauses become timers of the server, so that a worker can shut down meanwhile.
  localRetryThreshold: '2 seconds',
});
/** Ordinary activities, because they run beside the loop: two local ones at once may be replayed in another order. */
const operatorActivities = proxyActivities<OperatorActivities>(activityOptions);

/** Of a run that never sleeps, because a test clock is moved over years. */
const MAX_STEPS_WITHOUT_SLEEP = 120;
const MAX_DETAIL_LINES = 12;
const TOO_EARLY_PAUSE_MS = 1000;
/** Of what Temporal takes as a summary. */
const MAX_SUMMARY_LENGTH = 120;

/** The action that has become due, where the sender knows it. */
const nudge = defineSignal<[SubscriptionAction?]>(NUDGE);
const state = defineQuery<SubscriptionSnapshot | undefined>('state');

/** An operator can start a run with the id alone: it reads the row first. */
interface SubscriptionInput {
  id: string;
  snapshot?: SubscriptionSnapshot | undefined;
  lines?: string[];
  firstDecline?: string | undefined;
  /** The number of steps in this run. It is part of the input because a replay must count as the run did. */
  steps?: number;
}

export async function subscription(input: SubscriptionInput): Promise<SubscriptionResult> {
  const { id, snapshot, steps: stepsPerRun = STEPS_PER_RUN } = input;
  let { lines = [], firstDecline = snapshot?.first_decline } = input;
  let current = snapshot;
  let nudgedAction: SubscriptionAction | undefined;
  let steps = 0;
  let finishedSteps = 0;
  let stepsSinceSleep = 0;
  let isCancelling = false;

  setHandler(nudge, action => {
    // Operators can send the signal by hand, with anything or nothing in it.
    nudgedAction = SUBSCRIPTION_ACTIONS.find(known => known === action) ?? 'catchUp';
  });
  setHandler(state, () => current, { description: 'The subscription as its workflow last saw it' });
  takeOperatorRequests(carryOut, note);
  // Request Cancellation in the Temporal UI means the same as the update.
  CancellationScope.current().cancelRequested.catch(() => CancellationScope.nonCancellable(cancelNow));
  return CancellationScope.nonCancellable(async () => {
    if (current) publish(current);
    for (;;) {
      if (!nudgedAction && current?.over) {
        // A request may wait for one more step.
        if (!allHandlersFinished()) await condition(() => allHandlersFinished() || nudgedAction !== undefined);
        if (nudgedAction) continue;
        return { reason: current.over, current_period_number: current.current_period_number };
      }
      const isSleeping = !nudgedAction && current !== undefined && current.wake_at > Date.now();
      const maxSteps = isSleeping ? stepsPerRun : MAX_STEPS_WITHOUT_SLEEP;
      if (!nudgedAction && steps >= maxSteps && allHandlersFinished() && !isCancelling) await startFreshRun();
      if (isSleeping && current) await sleepUntilDue(current);
      else await performNextAction();
    }
  });

  async function sleepUntilDue({ wake_at, until, next }: SubscriptionSnapshot): Promise<void> {
    const summary = `sleeping until ${until}, then ${next}`;
    stepsSinceSleep = 0;
    await condition(() => nudgedAction !== undefined, wake_at - Date.now(), { summary });
  }

  async function performNextAction(): Promise<void> {
    const action = nudgedAction ?? current?.action ?? 'catchUp';
    const summary = nudgedAction ? 'somebody changed it: what is next?' : (current?.next ?? 'what is next?');
    const dueAt = nudgedAction ? 0 : (current?.wake_at ?? 0);
    const isNudged = nudgedAction !== undefined;
    nudgedAction = undefined;
    steps++;
    stepsSinceSleep++;
    // Read only where the activity keeps failing: nothing else lets a page be looked at meanwhile.
    if (current) setCurrentDetails(detailsOf(current, { lines, firstDecline }, `${action} is under way`));
    update(await localActivities[action].executeWithOptions({ summary }, [id, isNudged]));
    finishedSteps = steps;
    // The clock of the machine that ran the activity is behind ours.
    if (dueAt > 0 && current?.wake_at === dueAt)
      await condition(() => nudgedAction !== undefined, TOO_EARLY_PAUSE_MS, { summary: 'too early' });
  }

  function update({ recent, ...latest }: SubscriptionSnapshot): void {
    current = latest;
    lines = (recent ?? [...lines, ...latest.lines]).slice(-MAX_DETAIL_LINES);
    const isUnpaid = latest.status === 'past_due' || latest.status === 'unpaid';
    firstDecline = isUnpaid ? (firstDecline ?? latest.first_decline) : undefined;
    publish(latest);
  }

  function publish(latest: SubscriptionSnapshot): void {
    setCurrentDetails(detailsOf(latest, { lines, firstDecline }));
    const changes = changedAttributes(workflowInfo().typedSearchAttributes, latest, stepsSinceSleep);
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  async function cancelNow(): Promise<void> {
    isCancelling = true;
    await carryOut('cancel');
    isCancelling = false;
  }

  /** Answers the subscription as the step that follows has left it; a cancelled one as it is. */
  async function carryOut(name: OperatorRequestName, request?: OperatorRequest): Promise<SubscriptionSnapshot> {
    const activity = operatorActivities[name === 'cancel' ? 'cancelByOperator' : name];
    const summary = request && `asked by ${request.actor}: ${request.reason}`.slice(0, MAX_SUMMARY_LENGTH);
    let latest: SubscriptionSnapshot;
    // Not by `catch` of the promise: an update that ends a moment later would not be replayed as it was recorded.
    try {
      latest = await activity.executeWithOptions(summary ? { summary } : {}, [id, request]);
    } catch (error) {
      explain(error);
    }
    update(latest);
    nudgedAction = 'catchUp';
    if (name === 'cancel') return latest;
    if (latest.action && latest.wake_at <= Date.now()) nudgedAction = latest.action;
    const nextStep = steps + 1;
    await condition(() => finishedSteps >= nextStep);
    return current ?? latest;
  }

  /** Shows a line in the details that is in no history. */
  function note(line: string): void {
    lines = [...lines, line].slice(-MAX_DETAIL_LINES);
    if (current) publish(current);
  }

  function startFreshRun(): Promise<never> {
    const typedSearchAttributes = workflowInfo().typedSearchAttributes.getAll();
    return makeContinueAsNewFunc<typeof subscription>({ typedSearchAttributes })({
      id,
      snapshot: current,
      lines,
      firstDecline,
      steps: STEPS_PER_RUN,
    });
  }
}
