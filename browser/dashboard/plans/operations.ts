import { graphql, type ResultOf } from '../../shared/api/graphql';
import { SUBSCRIPTION_ROW } from '../subscriptions/listColumns';

const PLAN_FACTS = graphql(`
  fragment PlanFacts on Plan {
    id name amount repeat_every repeat_unit trial_days retry_times retry_schedule status_after_retry status creation_date iva
  }
`);
const PLAN_NUMBERS = graphql(`
  fragment PlanNumbers on PlanStats {
    plan_id mrr trial active past_due unpaid cancelled paused new_subscriptions lost_subscriptions
  }
`);
export type PlanFacts = ResultOf<typeof PLAN_FACTS>;
export type PlanNumbers = ResultOf<typeof PLAN_NUMBERS>;

export const PLANS = graphql(
  `
  query Plans($first: Int, $last: Int, $after: String, $before: String, $metadata: Metadata, $from: Day, $to: Day) {
    plans(
      first: $first, last: $last, after: $after, before: $before, metadata: $metadata, creation_gte: $from,
      creation_lte: $to
    ) {
      edges { node { ...PlanFacts } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount totalCountIsExact
    }
    stats { plans { ...PlanNumbers } }
  }
`,
  [PLAN_FACTS, PLAN_NUMBERS],
);

export const PLAN = graphql(
  `
  query Plan($id: ID!) {
    plan(plan_id: $id) {
      ...PlanFacts
      metadata
      subscriptions(first: 10, status: [trial, active, past_due, unpaid, cancelled]) {
        edges { node { ...SubscriptionRow } }
      }
    }
    stats { plans { ...PlanNumbers } }
  }
`,
  [PLAN_FACTS, PLAN_NUMBERS, SUBSCRIPTION_ROW],
);
export type PlanDetails = NonNullable<ResultOf<typeof PLAN>['plan']>;

export const CREATE_PLAN = graphql(`mutation NewPlan($plan: CreatePlan!) { createPlan(plan: $plan) { id } }`);
export const UPDATE_PLAN = graphql(`
  mutation ChangePlan($id: ID!, $plan: UpdatePlan!) { updatePlan(plan_id: $id, plan: $plan) { id } }
`);
export const DELETE_PLAN = graphql(`mutation DeletePlan($id: ID!) { deletePlan(plan_id: $id) { id status } }`);
