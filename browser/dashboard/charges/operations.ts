import { graphql, type ResultOf } from '../../shared/api/graphql';
import { INVOICE } from '../pricing/operations';

export const CHARGE_ROW = graphql(`
  fragment ChargeRow on Transaction {
    id transaction_type amount status method creation_date description order_id error error_code authorization
    conciliated customer_id
    card { brand card_number }
    payer { name last_name email }
    customer { name last_name email }
    refunds { amount }
    fee { amount tax }
    tax { amount }
  }
`);
export type ChargeRow = ResultOf<typeof CHARGE_ROW>;

export const CHARGES = graphql(
  `
  query Charges(
    $first: Int, $last: Int, $after: String, $before: String, $status: [TransactionStatus!], $order: String,
    $error: Int, $least: Money, $most: Money, $from: Day, $to: Day, $customer: ID, $subscription: ID,
    $type: TransactionType
  ) {
    charges(
      first: $first, last: $last, after: $after, before: $before, status_in: $status, order_id: $order,
      error_code: $error, amount_gte: $least, amount_lte: $most, creation_gte: $from, creation_lte: $to,
      customer_id: $customer, subscription_id: $subscription, transaction_type: $type
    ) {
      edges { node { ...ChargeRow } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount totalCountIsExact
    }
  }
`,
  [CHARGE_ROW],
);

export const CHARGE_PAGE = graphql(
  `
  fragment ChargePage on Transaction {
    ...ChargeRow
    operation_date iva tax { base rate amount } due_date error_message metadata fraud_rules subscription_id
    card { holder_name expiration_month expiration_year bank_name type }
    payment_method { type url key reference paybin_reference receipt_url }
    payment_plan { payments }
    invoice { ...Invoice }
    refunds { id amount status description creation_date authorization }
    subscription { id plan { name amount repeat_every repeat_unit } }
    events(first: 50) { edges { node { id name event_date } } }
  }
`,
  [CHARGE_ROW, INVOICE],
);
export type ChargeDetails = ResultOf<typeof CHARGE_PAGE>;

export const CHARGE = graphql(
  `query Charge($id: ID!) { charge(transaction_id: $id) { ...ChargePage } receipt(transaction_id: $id) { url } }`,
  [CHARGE_PAGE],
);

export const REFUND = graphql(`
  mutation Refund($id: ID!, $amount: Money, $why: String) {
    refundCharge(transaction_id: $id, refund: { amount: $amount, description: $why }) { id status }
  }
`);

export const CAPTURE = graphql(`
  mutation Capture($id: ID!, $amount: Money) {
    captureCharge(transaction_id: $id, capture: { amount: $amount }) { id status }
  }
`);

export const PAY = graphql(`
  mutation Pay($id: ID!, $outcome: PayerDecision) {
    payCharge(transaction_id: $id, payment: { outcome: $outcome }) { id status }
  }
`);

export const DISPUTE = graphql(`
  mutation Dispute($id: ID!, $outcome: ChargebackStep) {
    decideChargeback(transaction_id: $id, chargeback: { outcome: $outcome }) { id status }
  }
`);

export const NEW_CHARGE = graphql(`
  mutation NewCharge($charge: CreateCharge!, $customer: ID) {
    createCharge(charge: $charge, customer_id: $customer) {
      id status payment_method { type url receipt_url reference }
    }
  }
`);
