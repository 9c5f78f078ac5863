import { graphql, type ResultOf, type VariablesOf } from '../../shared/api/graphql';

const FIELDS = graphql(`
  fragment RuleFields on FraudRule {
    id name kind scope condition max minutes amount countries values key value applies_to enabled default
  }
`);
export type RuleRow = ResultOf<typeof FIELDS>;

export const RULES = graphql(
  `
  query FraudRules($first: Int, $after: String, $last: Int, $before: String) {
    fraudRules(first: $first, after: $after, last: $last, before: $before) {
      edges { node { ...RuleFields } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`,
  [FIELDS],
);
export const RULE = graphql(`query FraudRule($id: ID!) { fraudRule(fraud_rule_id: $id) { ...RuleFields } }`, [FIELDS]);
export const SETTINGS = graphql(`query FraudSettings { fraudSettings { presets } }`);

export const CREATE = graphql(`
  mutation CreateFraudRule($rule: CreateFraudRule!) { createFraudRule(rule: $rule) { id warning } }
`);
export const UPDATE = graphql(`
  mutation UpdateFraudRule($id: ID!, $rule: UpdateFraudRule!) {
    updateFraudRule(fraud_rule_id: $id, rule: $rule) { id warning }
  }
`);
export const DELETE = graphql(`mutation DeleteFraudRule($id: ID!) { deleteFraudRule(fraud_rule_id: $id) { id } }`);
export const DRY_RUN = graphql(`
  query DryRun($dry_run: DryRunTarget!) {
    dryRunFraudRule(dry_run: $dry_run) {
      evaluated refused warning
      charges(first: 10) { nodes { id amount status creation_date } }
    }
  }
`);
export const CHANGE_SETTINGS = graphql(`
  mutation UpdateFraudSettings($settings: UpdateFraudSettings!) {
    updateFraudSettings(settings: $settings) { presets }
  }
`);
export type RuleInput = VariablesOf<typeof CREATE>['rule'];
export type DryRunResult = NonNullable<ResultOf<typeof DRY_RUN>['dryRunFraudRule']>;
