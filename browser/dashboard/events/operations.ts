import { graphql, type ResultOf } from '../../shared/api/graphql';

export const EVENTS = graphql(`
  query Events(
    $first: Int, $after: String, $last: Int, $before: String, $type: EventType, $object_id: ID, $creation_gte: Day,
    $creation_lte: Day
  ) {
    events(
      first: $first, after: $after, last: $last, before: $before, type: $type, object_id: $object_id, creation_gte: $creation_gte,
      creation_lte: $creation_lte
    ) {
      edges { node { id name object_id event_date } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);
export type EventRow = NonNullable<ResultOf<typeof EVENTS>['events']>['edges'][number]['node'];

/** The object is queried under its name in webhook messages. */
export const EVENT = graphql(`
  query Event($id: ID!) {
    event(event_id: $id) {
      id type: name object_id event_date alert merchant webhook
      transaction: object {
        ... on Transaction {
          id amount currency status transaction_type operation_type method order_id description creation_date
          operation_date authorization conciliated customer_id subscription_id error_code error_message iva due_date
          metadata fraud_rules fee { amount tax } card { card_number brand holder_name }
          payer { name last_name email phone_number } refund { id amount status }
        }
      }
      subscription: object {
        ... on CustomerSubscription {
          id status customer_id plan_id current_period_number period_end_date charge_date trial_end_date retries_left
          next_retry_date waiting_for cancel_at_period_end transaction_id error_code error_message creation_date metadata iva
        }
      }
      payout: object {
        ... on Payout {
          id amount currency status order_id description creation_date operation_date error_code error_message
          bank_account { bank type number }
        }
      }
      settlement: object {
        ... on Settlement {
          id day status count differences charges refunds chargebacks payouts amount cost cost_tax net creation_date
        }
      }
    }
    webhooks(first: 50) { nodes { id url } }
  }
`);

export const DELIVERIES = graphql(`
  query DeliveriesToWebhook($id: ID!, $event_id: ID) {
    deliveries(webhook_id: $id, event_id: $event_id, first: 5) {
      nodes {
        id status creation_date attempts { number date status answer error duration }
      }
    }
  }
`);
