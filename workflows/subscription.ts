/**
 * One subscription, from its first day to its last. The row in the database is the truth and this is its clock: it sleeps until the
 * row says that something is due, and lets an activity do it, which answers what comes next. So a command needs nothing from here but
 * a nudge, and this workflow can be ended and started again from the row at any moment, with nothing lost or done twice.
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
  type SubscriptionActivities,
  type SubscriptionResult,
  type SubscriptionSnapshot,
  SubscriptionStatusAttribute,
} from './contract';

const patience = {
  // Longer than the acquirer is waited for.
  startToCloseTimeout: '40 seconds',
  // Only a database that cannot be reached throws.
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
} as const;

/** Local: inside the workflow task, for half of the server's work. When a task is lost they run again, and find what was done. */
const { proceed } = proxyLocalActivities<SubscriptionActivities>({
  ...patience,
  // Longer pauses are timers of the server: a worker that has nobody to ask can stop meanwhile.
  localRetryThreshold: '2 seconds',
});
/** Beside the loop, so an ordinary one: two local ones at once may replay in another order. */
const { cancelByOperator } = proxyActivities<SubscriptionActivities>(patience);

/** Then a fresh run, so that no history grows with the age of a subscription. */
const STEPS_IN_A_RUN = 12;
/** Also of one that does not come to sleep, since a test clock goes over years. */
const STEPS_AT_MOST = 120;
/** What operators read. */
const LINES = 12;
const EARLY_MS = 1000;

export const nudge = defineSignal(NUDGE);
export const state = defineQuery<SubscriptionSnapshot | undefined>('state');
export const cancel = defineUpdate<SubscriptionSnapshot>('cancel');

export interface SubscriptionInput {
  id: string;
  seen?: SubscriptionSnapshot;
  lines?: string[];
}

export async function subscription({ id, seen, lines = [] }: SubscriptionInput): Promise<SubscriptionResult> {
  let current = seen;
  let nudged = false;
  let steps = 0;
  let cancelling = false;

  setHandler(nudge, () => {
    nudged = true;
  });
  setHandler(state, () => current, { description: 'The subscription as its workflow last saw it' });
  setHandler(cancel, cancelNow, { description: 'Cancels it at once, like the merchant’s DELETE' });
  // An operator's request for cancellation means the same.
  CancellationScope.current().cancelRequested.catch(() => CancellationScope.nonCancellable(cancelNow));

  return CancellationScope.nonCancellable(async () => {
    if (current) show(current);
    for (;;) {
      if (!nudged && current?.over) {
        return { reason: current.over, current_period_number: current.current_period_number };
      }
      const sleeps = !nudged && current !== undefined && current.wake_at > Date.now();
      if (!nudged && steps >= (sleeps ? STEPS_IN_A_RUN : STEPS_AT_MOST) && allHandlersFinished() && !cancelling)
        await freshRun();
      if (sleeps && current) await sleepUntil(current);
      else {
        const summary = nudged ? 'somebody changed it: what is next?' : (current?.next ?? 'what is next?');
        const woken = nudged ? 0 : (current?.wake_at ?? 0);
        nudged = false;
        steps++;
        learn(await proceed.executeWithOptions({ summary }, [id]));
        // The clock of the machine that did it is behind ours: it was too early.
        if (woken > 0 && current?.wake_at === woken) await condition(() => nudged, EARLY_MS, { summary: 'too early' });
      }
    }
  });

  /** Woken by the time or by a nudge, it has done what is due. */
  async function sleepUntil({ wake_at, until, next }: SubscriptionSnapshot): Promise<void> {
    const summary = `sleeping until ${until}, then ${next}`;
    await condition(() => nudged, wake_at - Date.now(), { summary });
  }

  function learn(seen: SubscriptionSnapshot): void {
    current = seen;
    lines = [...lines, ...seen.lines].slice(-LINES);
    show(seen);
  }

  function show({ status, current_period_number, next, next_charge_at }: SubscriptionSnapshot): void {
    setCurrentDetails([`**${status}**, period ${current_period_number}, next: ${next}`, ...lines].join('\n\n'));
    const known = workflowInfo().typedSearchAttributes;
    const changes = [
      ...(known.get(SubscriptionStatusAttribute) === status
        ? []
        : [{ key: SubscriptionStatusAttribute, value: status }]),
      ...((known.get(NextChargeAtAttribute)?.getTime() ?? null) === next_charge_at
        ? []
        : [{ key: NextChargeAtAttribute, value: next_charge_at === null ? null : new Date(next_charge_at) }]),
    ];
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  async function cancelNow(): Promise<SubscriptionSnapshot> {
    cancelling = true;
    const seen = await cancelByOperator(id);
    learn(seen);
    nudged = true;
    cancelling = false;
    return seen;
  }

  function freshRun(): Promise<never> {
    const typedSearchAttributes = workflowInfo().typedSearchAttributes.getAll();
    return makeContinueAsNewFunc<typeof subscription>({ typedSearchAttributes })({ id, seen: current, lines });
  }
}
