/** Loads the page of a subscription in one request, so that its parts are consistent. */
import { ask } from '../../shared/api/ask';
import { graphql, type ResultOf } from '../../shared/api/graphql';
import { language } from '../../shared/language';
import type { PlanChoice } from '../links/operations';
import { INVOICE } from '../pricing/operations';
import { session } from '../shell/session';

const SUBSCRIPTION = graphql(
  `
  query Subscription(
    $id: ID!, $clock_of: ID, $language: Language, $entries: Int, $periods: Int, $declined_from: Day, $has_clock: Boolean!
  ) {
    subscription(subscription_id: $id) {
      id status cancel_at_period_end charge_date period_end_date trial_end_date creation_date current_period_number
      next_retry_date retries_left waiting_for error_code transaction_id pause { since resume_date } metadata iva
      quantity pending_change { plan_id quantity date } credit_balance extras { id description amount }
      coupon { coupon_id code percent_off amount_off periods_left }
      card { id card_number brand expiration_month expiration_year holder_name }
      plan { id name amount repeat_every repeat_unit retry_times status_after_retry iva }
      customer { id name email cards(first: 20) { edges { node { id card_number brand } } } }
      history(language: $language) {
        summary next end_date
        entries(first: $entries) { nodes { date event description period transaction_id error_code } }
      }
      projection(periods: $periods, declined_from: $declined_from) { period charge_date amount invoice { ...Invoice } }
      charges(first: 20) {
        edges {
          node { id amount status creation_date events(first: 5) { edges { node { id name event_date } } } }
        }
      }
      events(first: 30) { edges { node { id name event_date } } }
    }
    clock(subscription_id: $clock_of) @include(if: $has_clock) { now }
    plans(first: 100) { nodes { id name amount repeat_every repeat_unit trial_days } }
  }
`,
  [INVOICE],
);

type Answer = ResultOf<typeof SUBSCRIPTION>;
export type SubscriptionDetails = NonNullable<Answer['subscription']>;
/** With the plans to choose from. */
export interface Priced {
  of: SubscriptionDetails;
  plans: readonly PlanChoice[];
}
type Entry = SubscriptionDetails['history']['entries']['nodes'][number];

/** A year of weekly charges and retries. */
const PERIODS = 64;
const MAX_LATEST_ENTRIES = 100;
const MAX_ENTRIES = 1000;

export const isSandbox = (): boolean => session.value?.environment === 'sandbox';

export interface SubscriptionRequest {
  declinedFrom: string | undefined;
  /** Loads as many history entries as the API allows. */
  isComplete: boolean;
}

export async function loadSubscription(
  id: string,
  { declinedFrom, isComplete }: SubscriptionRequest,
  signal: AbortSignal,
): Promise<{
  subscription: SubscriptionDetails;
  /** Oldest first. */
  entries: Entry[];
  now: number;
  declinedFrom: string | undefined;
  plans: readonly PlanChoice[];
}> {
  const { subscription, clock, plans } = await ask(
    SUBSCRIPTION,
    {
      id,
      clock_of: id,
      language,
      entries: isComplete ? MAX_ENTRIES : MAX_LATEST_ENTRIES,
      periods: PERIODS,
      declined_from: declinedFrom ?? null,
      has_clock: isSandbox(),
    },
    { signal },
  );
  // Errors have been thrown already.
  const details = subscription as SubscriptionDetails;
  // E-mails are recorded after other entries but have the date of their cause.
  const entries = details.history.entries.nodes.toReversed().sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
  return {
    subscription: details,
    entries,
    now: clock ? Date.parse(clock.now) : Date.now(),
    declinedFrom,
    plans: plans?.nodes ?? [],
  };
}

type Answered = { history: { entries: { nodes: { description: string }[] } } } | null;

/** The outcome of the attempt: a decline is not an error of the request. */
export const outcomeOf = (answered: Answered): string | undefined => answered?.history.entries.nodes[0]?.description;
