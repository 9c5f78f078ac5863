/** Details and search attributes of a subscription workflow. */
import type { SearchAttributePair, SearchAttributeUpdatePair, TypedSearchAttributes } from '@temporalio/common';
import type { SubscriptionSnapshot } from '../subscriptionContract';
import {
  AmountAttribute,
  BillingStateAttribute,
  EndReasonAttribute,
  NextChargeAtAttribute,
  OverdueSinceAttribute,
  PlanIdAttribute,
  RetriesLeftAttribute,
  SubscriptionStatusAttribute,
} from './attributes';

export const CANCELLATION_NOTICE =
  'Request Cancellation does not end a subscription. To end it, send the update `cancel` with a reason.';

interface ShownBeside {
  notice?: string | undefined;
  /** The action in progress. */
  activity?: string;
}

/** Paragraphs of Markdown. They are also the memo of a sleeping workflow, whose details cannot be queried. */
export function detailsOf(
  { status, current_period_number, billing_state, next, until, over, remarks, declined }: SubscriptionSnapshot,
  { notice, activity }: ShownBeside = {},
): string[] {
  const state = over ? undefined : (activity ?? billing_state.replaceAll('_', ' '));
  return [
    [`**${status}**`, `period ${current_period_number}`, ...(state ? [state] : [])].join(', '),
    `next: ${next}${until && !over ? `, ${whenOf(until)}` : ''}`,
    ...(notice ? [notice] : []),
    ...remarks,
    ...(declined ? [declined] : []),
  ];
}

/** `until` is a time or a condition in words. */
const whenOf = (until: string): string => (/^\d/.test(until) ? `at ${until}` : `when ${until}`);

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at));

const attributesOf = (snapshot: SubscriptionSnapshot): SearchAttributeUpdatePair[] => [
  { key: SubscriptionStatusAttribute, value: snapshot.status },
  { key: BillingStateAttribute, value: snapshot.over ? null : snapshot.billing_state },
  { key: NextChargeAtAttribute, value: dateOf(snapshot.next_charge_at) },
  { key: RetriesLeftAttribute, value: snapshot.retries_left },
  { key: OverdueSinceAttribute, value: dateOf(snapshot.overdue_since) },
  { key: EndReasonAttribute, value: snapshot.over },
  ...(snapshot.plan_id === undefined ? [] : [{ key: PlanIdAttribute, value: snapshot.plan_id }]),
  ...(snapshot.amount === undefined ? [] : [{ key: AmountAttribute, value: snapshot.amount }]),
];

/** The members of the memo that follow the row. */
export const memoOf = (snapshot: SubscriptionSnapshot, beside?: ShownBeside) => ({
  ...(snapshot.plan_id !== undefined && { plan_id: snapshot.plan_id }),
  ...(snapshot.amount !== undefined && { amount: snapshot.amount }),
  details: detailsOf(snapshot, beside),
});

export const startAttributes = (snapshot: SubscriptionSnapshot): SearchAttributePair[] =>
  attributesOf(snapshot).filter((pair): pair is SearchAttributePair => pair.value !== null);

export const changedAttributes = (
  published: TypedSearchAttributes,
  snapshot: SubscriptionSnapshot,
): SearchAttributeUpdatePair[] =>
  attributesOf(snapshot).filter(({ key, value }) => comparable(published.get(key) ?? null) !== comparable(value));

const comparable = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value);
