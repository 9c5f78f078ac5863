/** Details and search attributes of a subscription workflow. */
import type { SearchAttributeUpdatePair, TypedSearchAttributes } from '@temporalio/common';
import type { SubscriptionSnapshot } from '../subscriptionContract';
import {
  BillingStateAttribute,
  EndReasonAttribute,
  NextChargeAtAttribute,
  OverdueSinceAttribute,
  RetriesLeftAttribute,
  SubscriptionStatusAttribute,
} from './attributes';

/** Shorter test clock moves are not published as `catching_up`. */
const MIN_STEPS_CATCHING_UP = 3;

export interface ShownHistory {
  /** Latest lines, oldest first. */
  lines: readonly string[];
  /** First decline of the unpaid period, which the latest lines may not include. */
  firstDecline: string | undefined;
  notice?: string | undefined;
}

export const CANCELLATION_NOTICE =
  '**Request Cancellation does not end a subscription.** To end it, send the update `cancel` with a reason.';

/** `activity`: the action in progress. */
export function detailsOf(
  { status, current_period_number, billing_state, next, until, over, remarks }: SubscriptionSnapshot,
  { lines, firstDecline, notice }: ShownHistory,
  activity?: string,
): string {
  const state = over ? undefined : (activity ?? billing_state.replaceAll('_', ' '));
  return [
    [`**${status}**`, `period ${current_period_number}`, ...(state ? [state] : [])].join(', '),
    `next: ${next}${until && !over ? `, ${whenOf(until)}` : ''}`,
    ...(notice ? [notice] : []),
    ...remarks,
    ...(firstDecline && !lines.includes(firstDecline) ? [`First declined: ${firstDecline}`] : []),
    ...lines,
  ].join('\n\n');
}

/** `until` is a time or a condition in words. */
const whenOf = (until: string): string => (/^\d/.test(until) ? `at ${until}` : `when ${until}`);

/**
 * The attributes to write. Each write costs the server as much as a timer, so a paid renewal writes only NextChargeAt,
 * brief states are not written, and other changes wait for the next write.
 */
export function changedAttributes(
  published: TypedSearchAttributes,
  snapshot: SubscriptionSnapshot,
  stepsSinceSleep: number,
): SearchAttributeUpdatePair[] {
  const { status, next_charge_at, billing_state, retries_left, overdue_since, over } = snapshot;
  const changes: SearchAttributeUpdatePair[] = [];
  if (published.get(SubscriptionStatusAttribute) !== status)
    changes.push({ key: SubscriptionStatusAttribute, value: status });
  if ((published.get(NextChargeAtAttribute)?.getTime() ?? null) !== next_charge_at)
    changes.push({ key: NextChargeAtAttribute, value: dateOf(next_charge_at) });
  const shown = published.get(BillingStateAttribute);
  const isBrief = billing_state === 'catching_up' && stepsSinceSleep < MIN_STEPS_CATCHING_UP;
  const state = over ? null : billing_state;
  if ((shown ?? null) !== state && !isBrief && (shown || state !== 'sleeping' || changes.length > 0))
    changes.push({ key: BillingStateAttribute, value: state });
  if ((published.get(RetriesLeftAttribute) ?? null) !== retries_left)
    changes.push({ key: RetriesLeftAttribute, value: retries_left });
  if ((published.get(OverdueSinceAttribute)?.getTime() ?? null) !== overdue_since)
    changes.push({ key: OverdueSinceAttribute, value: dateOf(overdue_since) });
  if (over && published.get(EndReasonAttribute) !== over) changes.push({ key: EndReasonAttribute, value: over });
  return changes;
}

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at));
