import { graphql, type ResultOf } from '../../shared/api/graphql';
import { CHARGE_ROW } from '../charges/operations';
import { LINK } from '../links/operations';
import { SUBSCRIPTION_ROW } from '../subscriptions/listColumns';

const CUSTOMER_ROW = graphql(`
  fragment CustomerRow on Customer {
    id name last_name email email_status phone_number external_id balance requires_account creation_date
  }
`);
export type CustomerRow = ResultOf<typeof CUSTOMER_ROW>;

export const CUSTOMERS = graphql(
  `
  query Customers(
    $first: Int, $last: Int, $after: String, $before: String, $name: String, $email: String, $external: String,
    $metadata: Metadata, $from: Day, $to: Day
  ) {
    customers(
      first: $first, last: $last, after: $after, before: $before, name: $name, email: $email, external_id: $external,
      metadata: $metadata, creation_gte: $from, creation_lte: $to
    ) {
      edges { node { ...CustomerRow } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount totalCountIsExact
    }
  }
`,
  [CUSTOMER_ROW],
);

export const CUSTOMER = graphql(
  `
  query Customer($id: ID!) {
    customer(customer_id: $id) {
      ...CustomerRow
      metadata
      customer_address { department city additional line1 line2 line3 postal_code state country_code }
      cards(first: 50) {
        edges { node { id brand card_number holder_name expiration_month expiration_year bank_name type } }
      }
      subscriptions(first: 10, status: [trial, active, past_due, unpaid, cancelled]) {
        edges { node { ...SubscriptionRow } }
      }
      charges(first: 10) { edges { node { ...ChargeRow } } }
    }
    paymentLinks(customer_id: $id, first: 5) { nodes { ...Link } }
    plans(first: 100) { nodes { id name amount repeat_every repeat_unit trial_days } }
  }
`,
  [CUSTOMER_ROW, SUBSCRIPTION_ROW, CHARGE_ROW, LINK],
);
export type CustomerDetails = NonNullable<ResultOf<typeof CUSTOMER>['customer']>;
export type CardRow = CustomerDetails['cards']['edges'][number]['node'];
export const cardsOf = ({ cards }: CustomerDetails): CardRow[] => cards.edges.map(({ node }) => node);

export const CREATE_CUSTOMER = graphql(`
  mutation NewCustomer($customer: CreateCustomer!) { createCustomer(customer: $customer) { id } }
`);
export const UPDATE_CUSTOMER = graphql(`
  mutation ChangeCustomer($id: ID!, $customer: UpdateCustomer!) {
    updateCustomer(customer_id: $id, customer: $customer) { id }
  }
`);
export const RESUME_EMAILS = graphql(`
  mutation ResumeEmails($id: ID!) { resumeCustomerEmails(customer_id: $id) { id email_status } }
`);
export const DELETE_CUSTOMER = graphql(`
  mutation DeleteCustomer($id: ID!) { deleteCustomer(customer_id: $id) { id status } }
`);
export const UPDATE_CARD = graphql(`
  mutation ChangeCard($customer: ID!, $id: ID!, $card: UpdateCard!) {
    updateCard(customer_id: $customer, card_id: $id, card: $card) { id }
  }
`);
export const DELETE_CARD = graphql(`
  mutation DeleteCard($customer: ID!, $id: ID!) { deleteCard(customer_id: $customer, card_id: $id) { id } }
`);
export const SUBSCRIBE = graphql(`
  mutation Subscribe($customer_id: ID!, $subscription: CreateSubscription!) {
    createSubscription(customer_id: $customer_id, subscription: $subscription) { id }
  }
`);
export const TAKE_FEE = graphql(`mutation TakeFee($fee: CreateFee!) { createFee(fee: $fee) { id } }`);
export const SCRIPT_CARD = graphql(`
  mutation ScriptCard($id: ID!, $outcomes: [ScriptedOutcome!]!) {
    scriptCard(saved_card_id: $id, script: { outcomes: $outcomes }) { outcomes }
  }
`);
