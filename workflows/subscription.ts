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
  defineUpdate,
  makeContinueAsNewFunc,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  NextChargeAtAttribute,
  NUDGE,
  SUBSCRIPTION_ACTIONS,
  type SubscriptionAction,
  type SubscriptionActivities,
  type SubscriptionResult,
  type SubscriptionSnapshot,
  SubscriptionStatusAttribute,
} from './contract';

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
/** An ordinary activity, because it runs beside the loop: two local ones at once may be replayed in another order. */
const { cancelByOperator } = proxyActivities<SubscriptionActivities>(activityOptions);

/** Then the workflow continues as new, so that no history grows with the age of a subscription. */
const MAX_STEPS_PER_RUN = 12;
/** The same for a run that never sleeps, because a test clock is moved over years. */
const MAX_STEPS_WITHOUT_SLEEP = 120;
const MAX_DETAIL_LINES = 12;
const TOO_EARLY_PAUSE_MS = 1000;

/** The action that has become due, where the sender knows it. */
const nudge = defineSignal<[SubscriptionAction?]>(NUDGE);
const state = defineQuery<SubscriptionSnapshot | undefined>('state');
const cancel = defineUpdate<SubscriptionSnapshot>('cancel');

interface SubscriptionInput {
  id: string;
  snapshot?: SubscriptionSnapshot | undefined;
  lines?: string[];
  /** What runs had instead of `snapshot` while one activity, `proceed`, did everything. */
  seen?: SubscriptionSnapshot;
}

export async function subscription(input: SubscriptionInput): Promise<SubscriptionResult> {
  const { id, seen, snapshot = seen } = input;
  let { lines = [] } = input;
  let current = snapshot;
  let nudgedAction: SubscriptionAction | undefined;
  let steps = 0;
  let isCancelling = false;

  setHandler(nudge, action => {
    // Operators can send the signal by hand, with anything or nothing in it.
    nudgedAction = SUBSCRIPTION_ACTIONS.find(known => known === action) ?? 'catchUp';
  });
  setHandler(state, () => current, { description: 'The subscription as its workflow last saw it' });
  setHandler(cancel, cancelNow, { description: 'Cancels it at once, like the merchant’s DELETE' });
  // Request Cancellation in the Temporal UI means the same as the update.
  CancellationScope.current().cancelRequested.catch(() => CancellationScope.nonCancellable(cancelNow));

  return CancellationScope.nonCancellable(async () => {
    if (current) publish(current);
    for (;;) {
      if (!nudgedAction && current?.over) {
        return { reason: current.over, current_period_number: current.current_period_number };
      }
      const isSleeping = !nudgedAction && current !== undefined && current.wake_at > Date.now();
      const maxSteps = isSleeping ? MAX_STEPS_PER_RUN : MAX_STEPS_WITHOUT_SLEEP;
      if (!nudgedAction && steps >= maxSteps && allHandlersFinished() && !isCancelling) await startFreshRun();
      if (isSleeping && current) await sleepUntilDue(current);
      else await performNextAction();
    }
  });

  async function sleepUntilDue({ wake_at, until, next }: SubscriptionSnapshot): Promise<void> {
    const summary = `sleeping until ${until}, then ${next}`;
    await condition(() => nudgedAction !== undefined, wake_at - Date.now(), { summary });
  }

  async function performNextAction(): Promise<void> {
    const action = nudgedAction ?? current?.action ?? 'catchUp';
    const summary = nudgedAction ? 'somebody changed it: what is next?' : (current?.next ?? 'what is next?');
    const dueAt = nudgedAction ? 0 : (current?.wake_at ?? 0);
    nudgedAction = undefined;
    steps++;
    // The activities of a run are those that it began with: its history is replayed.
    const activity = seen ? localActivities.proceed : localActivities[action];
    update(await activity.executeWithOptions({ summary }, [id]));
    // The clock of the machine that ran the activity is behind ours.
    if (dueAt > 0 && current?.wake_at === dueAt)
      await condition(() => nudgedAction !== undefined, TOO_EARLY_PAUSE_MS, { summary: 'too early' });
  }

  function update(latest: SubscriptionSnapshot): void {
    current = latest;
    lines = [...lines, ...latest.lines].slice(-MAX_DETAIL_LINES);
    publish(latest);
  }

  /**
   * What operators see of the workflow and find it by. Search attributes cost the server, so only changed ones are
   * written.
   */
  function publish({ status, current_period_number, next, next_charge_at }: SubscriptionSnapshot): void {
    setCurrentDetails([`**${status}**, period ${current_period_number}, next: ${next}`, ...lines].join('\n\n'));
    const published = workflowInfo().typedSearchAttributes;
    const nextChargeAt = next_charge_at === null ? null : new Date(next_charge_at);
    const isStatusNew = published.get(SubscriptionStatusAttribute) !== status;
    const isNextChargeNew = (published.get(NextChargeAtAttribute)?.getTime() ?? null) !== next_charge_at;
    const changes = [
      ...(isStatusNew ? [{ key: SubscriptionStatusAttribute, value: status }] : []),
      ...(isNextChargeNew ? [{ key: NextChargeAtAttribute, value: nextChargeAt }] : []),
    ];
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  async function cancelNow(): Promise<SubscriptionSnapshot> {
    isCancelling = true;
    const latest = await cancelByOperator(id);
    update(latest);
    nudgedAction = 'catchUp';
    isCancelling = false;
    return latest;
  }

  function startFreshRun(): Promise<never> {
    const typedSearchAttributes = workflowInfo().typedSearchAttributes.getAll();
    return makeContinueAsNewFunc<typeof subscription>({ typedSearchAttributes })({ id, snapshot: current, lines });
  }
}
