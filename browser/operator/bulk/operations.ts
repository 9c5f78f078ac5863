import type { ResultOf, VariablesOf } from '../../shared/api/graphql';
import { graphql } from '../graphql';

export const PREVIEW = graphql(`
  query BulkPreview($action: BulkActionName!, $environment: MerchantEnvironment!, $query: String!, $rate: Int) {
    bulkActionPreview(action: $action, environment: $environment, query: $query, rate: $rate) { subscription_ids steps }
  }
`);
export const START = graphql(`
  mutation StartBulk(
    $action: BulkActionName!, $environment: MerchantEnvironment!, $query: String!, $rate: Int, $reason: String!
  ) {
    startBulkAction(action: $action, environment: $environment, query: $query, rate: $rate, reason: $reason) { id }
  }
`);
export const STOP = graphql(`mutation StopBulk($id: ID!) { stopBulkAction(id: $id) { id } }`);
export const BULKS = graphql(`
  query Bulks {
    bulkActions(first: 50) { nodes { id environment action state query found done refused creation_date } }
  }
`);
export const BULK = graphql(`
  query Bulk($id: ID!, $after: String) {
    bulkAction(id: $id) {
      id environment action state query reason actor_id rate found done refused creation_date finished_at
      refusals(after: $after) { nodes { subscription_id message } pageInfo { hasNextPage endCursor } }
    }
  }
`);

export type BulkActionName = VariablesOf<typeof START>['action'];
export type BulkTarget = VariablesOf<typeof PREVIEW>;
export type Bulk = NonNullable<ResultOf<typeof BULKS>['bulkActions']>['nodes'][number];
export type BulkReport = NonNullable<ResultOf<typeof BULK>['bulkAction']>;
