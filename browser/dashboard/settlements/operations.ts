import { graphql, type ResultOf } from '../../shared/api/graphql';

const FIELDS = graphql(`
  fragment SettlementFields on Settlement {
    id day status count differences charges refunds chargebacks payouts amount cost cost_tax net creation_date
  }
`);
export type SettlementRow = ResultOf<typeof FIELDS>;

export const SETTLEMENTS = graphql(
  `
  query Settlements(
    $first: Int, $after: String, $last: Int, $before: String, $day_gte: Day, $day_lte: Day
  ) {
    settlements(
      first: $first, after: $after, last: $last, before: $before, day_gte: $day_gte, day_lte: $day_lte
    ) {
      edges { node { ...SettlementFields } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount totalCountIsExact
    }
  }
`,
  [FIELDS],
);

export const SETTLEMENT = graphql(
  `query Settlement($id: ID!) { settlement(settlement_id: $id) { ...SettlementFields } }`,
  [FIELDS],
);

export const ITEMS = graphql(`
  query SettlementItems($id: ID!, $first: Int, $after: String) {
    settlementItems(settlement_id: $id) {
      items(first: $first, after: $after) {
        edges { node { id type transaction_id order_id date amount cost cost_tax net } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);
export type ItemRow = NonNullable<ResultOf<typeof ITEMS>['settlementItems']>['items']['edges'][number]['node'];
