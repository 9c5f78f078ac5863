import { graphql, type ResultOf } from '../../shared/api/graphql';

const FIELDS = graphql(`
  fragment PayoutFields on Payout {
    id amount status description order_id creation_date operation_date conciliated authorization error_message
    error_code bank_account { bank type number }
  }
`);
export type PayoutRow = ResultOf<typeof FIELDS>;

export const PAYOUTS = graphql(
  `
  query Payouts(
    $first: Int, $after: String, $last: Int, $before: String, $status_in: [TransactionStatus!], $amount_gte: Money,
    $amount_lte: Money, $creation_gte: Day, $creation_lte: Day
  ) {
    payouts(
      first: $first, after: $after, last: $last, before: $before, status_in: $status_in, amount_gte: $amount_gte,
      amount_lte: $amount_lte, creation_gte: $creation_gte, creation_lte: $creation_lte
    ) {
      edges { node { ...PayoutFields } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount totalCountIsExact
    }
  }
`,
  [FIELDS],
);

export const PAYOUT = graphql(`query Payout($id: ID!) { payout(payout_id: $id) { ...PayoutFields } }`, [FIELDS]);

export const ACCOUNT = graphql(`query Account { merchant { balance available bank_account { bank type number } } }`);

export const ASK_FOR = graphql(
  `mutation CreatePayout($payout: CreatePayout!) { createPayout(payout: $payout) { id } }`,
);
