import { graphql, type ResultOf } from '../../shared/api/graphql';

export const LINK = graphql(`
  fragment Link on PaymentLink {
    id kind status url amount iva description order_id methods creation_date expires_at redirect_url email
    customer_id plan_id transaction_id card_id subscription_id parent_id
    reusable max_payments min_amount max_amount suggested_amounts quantity coupon accepts_coupons
    consent_text consent_date qr_code_url funnel { started paid }
    customer { name last_name email }
    plan { name amount repeat_every repeat_unit }
  }
`);
export type LinkRow = ResultOf<typeof LINK>;

export const LINKS = graphql(
  `
  query PaymentLinks(
    $first: Int, $last: Int, $after: String, $before: String, $status: [PaymentLinkStatus!], $kind: PaymentLinkKind,
    $customer: ID, $from: Day, $to: Day
  ) {
    paymentLinks(
      first: $first, last: $last, after: $after, before: $before, status: $status, kind: $kind,
      customer_id: $customer, creation_gte: $from, creation_lte: $to
    ) {
      edges { node { ...Link } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount totalCountIsExact
    }
  }
`,
  [LINK],
);

/** With the latest payers who use it. */
export const ONE_LINK = graphql(
  `
  query PaymentLink($id: ID!) {
    paymentLink(payment_link_id: $id) { ...Link }
    uses: paymentLinks(parent_id: $id, first: 20) { nodes { ...Link } }
  }
`,
  [LINK],
);

/** The plans to choose from. */
export const PLAN_CHOICES = graphql(`
  query PlanChoices { plans(first: 100) { nodes { id name amount repeat_every repeat_unit trial_days } } }
`);
export type PlanChoice = NonNullable<ResultOf<typeof PLAN_CHOICES>['plans']>['nodes'][number];

export const CREATE_LINK = graphql(`
  mutation NewPaymentLink($link: CreatePaymentLink!) { createPaymentLink(payment_link: $link) { id url } }
`);
export const SEND_LINK = graphql(`
  mutation SendPaymentLink($id: ID!, $email: SendPaymentLink!) {
    sendPaymentLink(payment_link_id: $id, email: $email) { email }
  }
`);
export const CANCEL_LINK = graphql(`
  mutation CancelPaymentLink($id: ID!) { cancelPaymentLink(payment_link_id: $id) { status } }
`);

export const FIND_CUSTOMERS = graphql(`
  query FindCustomers($text: String!) {
    search(text: $text, limit: 10) { record { __typename ... on Customer { name last_name email } } }
  }
`);
export const CUSTOMERS_BY_EMAIL = graphql(`
  query CustomersByEmail($email: String!) { customers(email: $email, first: 2) { nodes { id } } }
`);

/** Whether an event may be of the payment or subscription that a link makes. */
export const isUse = (type: string): boolean => /^(charge|transaction|subscription)\./.test(type);
