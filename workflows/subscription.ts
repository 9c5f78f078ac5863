/**
 * The clock of a subscription. The database row is the source of truth: an activity performs the due action of the row and
 * returns when the next one is due. A run does what is due and continues as new, with a next run that starts when the
 * next action is due, so a sleeping subscription is a run that has not begun. An update wakes it early. Workflows can be
 * terminated and restarted from the row at any time.
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineUpdate,
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
import { CANCELLATION_NOTICE, changedAttributes, detailsOf, memoOf } from './operating/view';
import {
  type OperatorActivities,
  SUBSCRIPTION_ACTIONS,
  type SubscriptionAction,
  type SubscriptionActivities,
  type SubscriptionInput,
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

/** Bounds the history of a run while a test clock moves over years. */
const MAX_STEPS = 120;
/** Shorter test clock moves are not published as `catching_up`. */
const MIN_STEPS_CATCHING_UP = 3;
/** Shorter waits are timers: a new run costs more, and the details of a run can be queried only after it has begun. */
const MIN_SLEEP_MS = 20_000;
/** Temporal delays the next run of a run that was woken early to at least this much after the wake-up time. */
const MIN_INTERVAL_MS = 1000;
const MAX_SUMMARY_LENGTH = 120;

/** Argument: the due action, if known. */
const nudge = defineUpdate<void, [SubscriptionAction?]>(NUDGE);

export async function subscription(input: SubscriptionInput): Promise<SubscriptionResult> {
  const { id, action: plannedAction, wake_at: plannedAt = 0 } = input;
  let { declined } = input;
  let current: SubscriptionSnapshot | undefined;
  let nudgedAction: SubscriptionAction | undefined;
  let steps = 0;
  let finishedSteps = 0;
  let notice: string | undefined;

  setHandler(
    nudge,
    action => {
      // Operators can send the update with any argument.
      nudgedAction = SUBSCRIPTION_ACTIONS.find(known => known === action) ?? 'catchUp';
    },
    { description: 'Reads the row of the subscription again.' },
  );
  handleOperatorRequests((name, request) => CancellationScope.nonCancellable(() => performRequest(name, request)));
  // Request Cancellation gives no reason and cannot be undone, so the workflow continues. It also wakes a sleeping one.
  CancellationScope.current().cancelRequested.catch(() => {
    notice = CANCELLATION_NOTICE;
    nudgedAction ??= 'catchUp';
  });
  return CancellationScope.nonCancellable(async () => {
    for (;;) {
      if (!nudgedAction && current?.over) {
        publish();
        // An operator request can wait for one more step.
        if (!allHandlersFinished()) await condition(() => allHandlersFinished() || nudgedAction !== undefined);
        if (nudgedAction) continue;
        return { reason: current.over, current_period_number: current.current_period_number };
      }
      const wakeAt = current?.wake_at ?? plannedAt;
      const canContinue = current !== undefined && canContinueAsNew(wakeAt);
      if (nudgedAction || (wakeAt <= Date.now() && !canContinue)) await performNextAction();
      else if (current && canContinue) await continueAsNewAt(current);
      else await sleepUntil(wakeAt);
    }
  });

  async function performNextAction(): Promise<void> {
    const action = nudgedAction ?? current?.action ?? plannedAction ?? 'catchUp';
    const summary = nudgedAction ? 'read the row after a change' : (current?.next ?? `planned: ${action}`);
    const dueAt = nudgedAction ? 0 : (current?.wake_at ?? plannedAt);
    const isNudged = nudgedAction !== undefined;
    nudgedAction = undefined;
    steps++;
    // Visible only while the activity keeps failing.
    if (current) showDetails(detailsOf(current, { notice, activity: `${action} in progress` }));
    update(await localActivities[action].executeWithOptions({ summary }, [id, isNudged]));
    finishedSteps = steps;
    if (steps === MIN_STEPS_CATCHING_UP) publish();
    // The clock of the worker that ran the activity is behind.
    if (dueAt > 0 && current?.wake_at === dueAt) await sleepUntil(Date.now() + MIN_INTERVAL_MS);
  }

  function update(latest: SubscriptionSnapshot): void {
    const isUnpaid = latest.status === 'past_due' || latest.status === 'unpaid';
    declined = isUnpaid ? (latest.declined ?? declined) : undefined;
    current = declined === undefined ? latest : { ...latest, declined };
  }

  /** For the time in which this run waits. A next run is started with its details and attributes. */
  function publish(): void {
    if (!current) return;
    showDetails(detailsOf(current, { notice }));
    const changes = changedAttributes(workflowInfo().typedSearchAttributes, current);
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  async function sleepUntil(wakeAt: number): Promise<void> {
    publish();
    const summary = current && `sleeping until ${current.until}, then ${current.next}`;
    await condition(() => nudgedAction !== undefined, wakeAt - Date.now(), { ...(summary && { summary }) });
  }

  /** Temporal does not start the next run of a run that was woken early before that run's own wake-up time. */
  function canContinueAsNew(wakeAt: number): boolean {
    if (!allHandlersFinished()) return false;
    if (Date.now() < plannedAt && wakeAt < plannedAt + MIN_INTERVAL_MS) return false;
    return steps >= MAX_STEPS || wakeAt >= Date.now() + MIN_SLEEP_MS;
  }

  function continueAsNewAt(latest: SubscriptionSnapshot): Promise<never> {
    const { memo, typedSearchAttributes } = workflowInfo();
    const next = makeContinueAsNewFunc<typeof subscription>({
      backoffStartInterval: Math.max(0, latest.wake_at - Date.now()),
      memo: { ...memo, ...memoOf(latest, { notice }) },
      typedSearchAttributes: typedSearchAttributes
        .updateCopy(changedAttributes(typedSearchAttributes, latest))
        .getAll(),
    });
    const { action, wake_at } = latest;
    return next({ id, action, wake_at, ...(declined !== undefined && { declined }) });
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
}
