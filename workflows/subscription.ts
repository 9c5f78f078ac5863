/**
 * The clock of a subscription. The database row is the source of truth: the workflow sleeps until an action is due, and an
 * activity performs it and returns a new snapshot. API requests change the row and nudge the workflow, which can be
 * terminated and restarted from the row at any time.
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
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { NUDGE } from './contract';
import { handleOperatorRequests, rethrowRefusal } from './operating/handlers';
import type { OperatorRequest, OperatorRequestName } from './operating/requests';
import { showDetails } from './operating/showDetails';
import { CANCELLATION_NOTICE, changedAttributes, detailsOf } from './operating/view';
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
  // Longer than the acquirer timeout.
  startToCloseTimeout: '40 seconds',
  // Activities fail only during database outages.
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
/** Not local, because they run concurrently with the loop: concurrent local activities can be replayed in another order. */
const operatorActivities = proxyActivities<OperatorActivities>(activityOptions);

/** For a run that never sleeps because a test clock moves over years. */
const MAX_STEPS_WITHOUT_SLEEP = 120;
const MAX_DETAIL_LINES = 12;
const TOO_EARLY_PAUSE_MS = 1000;
const MAX_SUMMARY_LENGTH = 120;

/** Argument: the due action, if known. */
const nudge = defineSignal<[SubscriptionAction?]>(NUDGE);
const state = defineQuery<SubscriptionSnapshot | undefined>('state');

/** Operators can start a run with the ID alone. */
interface SubscriptionInput {
  id: string;
  snapshot?: SubscriptionSnapshot | undefined;
  lines?: string[];
  firstDecline?: string | undefined;
  /** Number of steps in this run. In the input, because a replay must count the same steps. */
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
  let notice: string | undefined;

  setHandler(nudge, action => {
    // Operators can send the signal manually with any argument.
    nudgedAction = SUBSCRIPTION_ACTIONS.find(known => known === action) ?? 'catchUp';
  });
  setHandler(state, () => current, { description: 'Latest snapshot of the subscription' });
  handleOperatorRequests(
    (name, request) => CancellationScope.nonCancellable(() => performRequest(name, request)),
    note,
  );
  // Request Cancellation gives no reason and cannot be undone, so the workflow continues.
  CancellationScope.current().cancelRequested.catch(() => {
    notice = CANCELLATION_NOTICE;
    if (current) publish(current);
  });
  return CancellationScope.nonCancellable(async () => {
    if (current) publish(current);
    for (;;) {
      if (!nudgedAction && current?.over) {
        // An operator request can wait for one more step.
        if (!allHandlersFinished()) await condition(() => allHandlersFinished() || nudgedAction !== undefined);
        if (nudgedAction) continue;
        return { reason: current.over, current_period_number: current.current_period_number };
      }
      const isSleeping = !nudgedAction && current !== undefined && current.wake_at > Date.now();
      const maxSteps = isSleeping ? stepsPerRun : MAX_STEPS_WITHOUT_SLEEP;
      if (!nudgedAction && steps >= maxSteps && allHandlersFinished()) await startFreshRun();
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
    const summary = nudgedAction ? 'read the row after a change' : (current?.next ?? 'read the row');
    const dueAt = nudgedAction ? 0 : (current?.wake_at ?? 0);
    const isNudged = nudgedAction !== undefined;
    nudgedAction = undefined;
    steps++;
    stepsSinceSleep++;
    // Visible only while the activity keeps failing.
    if (current) showDetails(detailsOf(current, { lines, firstDecline, notice }, `${action} in progress`));
    update(await localActivities[action].executeWithOptions({ summary }, [id, isNudged]));
    finishedSteps = steps;
    // The clock of the worker that ran the activity is behind.
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
    showDetails(detailsOf(latest, { lines, firstDecline, notice }));
    const changes = changedAttributes(workflowInfo().typedSearchAttributes, latest, stepsSinceSleep);
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  /** Returns the snapshot after the following step, or immediately after a cancellation. */
  async function performRequest(name: OperatorRequestName, request: OperatorRequest): Promise<SubscriptionSnapshot> {
    const activity = operatorActivities[name === 'cancel' ? 'cancelByOperator' : name];
    const summary = `requested by ${request.actor}: ${request.reason}`.slice(0, MAX_SUMMARY_LENGTH);
    let latest: SubscriptionSnapshot;
    // Not `.catch()`: the extra microtask would change the replay of updates.
    try {
      latest = await activity.executeWithOptions({ summary }, [id, request]);
    } catch (error) {
      rethrowRefusal(error);
    }
    update(latest);
    nudgedAction = 'catchUp';
    if (name === 'cancel') return latest;
    if (latest.action && latest.wake_at <= Date.now()) nudgedAction = latest.action;
    const nextStep = steps + 1;
    await condition(() => finishedSteps >= nextStep);
    return current ?? latest;
  }

  /** Adds a line to the details that is not in the history. */
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
