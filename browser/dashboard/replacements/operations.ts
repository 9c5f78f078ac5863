import { graphql, type ResultOf, type VariablesOf } from '../../shared/api/graphql';

export const PREVIEW_REPLACEMENT = graphql(`
  mutation PreviewReplacement($id: ID!, $replacement: ReplacePlan!) {
    replacePlan(plan_id: $id, replacement: $replacement) { total skipped current_amount new_amount }
  }
`);
export type ReplacementTotals = NonNullable<ResultOf<typeof PREVIEW_REPLACEMENT>['replacePlan']>;
export type RequestedReplacement = VariablesOf<typeof PREVIEW_REPLACEMENT>['replacement'];

export const REPLACE_PLAN = graphql(`
  mutation ReplacePlan($id: ID!, $replacement: ReplacePlan!) {
    replacePlan(plan_id: $id, replacement: $replacement) { id }
  }
`);
export const REPLACEMENT = graphql(`
  query PlanReplacement($id: ID!) {
    planReplacement(plan_id: $id) {
      status total done skipped current_amount new_amount creation_date finished_at
      successor { id name amount repeat_every repeat_unit }
      skipped_subscriptions { subscription_id reason }
    }
  }
`);
export type Replacement = NonNullable<ResultOf<typeof REPLACEMENT>['planReplacement']>;
