import { graphql, type ResultOf } from '../../shared/api/graphql';

export const WEBHOOKS = graphql(`
  query Webhooks($first: Int, $after: String, $last: Int, $before: String) {
    webhooks(first: $first, after: $after, last: $last, before: $before) {
      edges { node { id url status disabled_reason event_types user creation_date } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);
export type WebhookRow = NonNullable<ResultOf<typeof WEBHOOKS>['webhooks']>['edges'][number]['node'];

export const WEBHOOK = graphql(`
  query Webhook($id: ID!, $latest: Int) {
    webhook(webhook_id: $id) { id url status disabled_reason event_types user creation_date }
    deliveries(webhook_id: $id, first: $latest) {
      nodes {
        id event_id event_type status creation_date next_attempt_date
        attempts { number date status answer error duration }
      }
    }
  }
`);

export const DELIVERIES = graphql(`
  query Deliveries(
    $id: ID!, $first: Int, $after: String, $last: Int, $before: String, $status: DeliveryStatus,
    $event_id: ID, $creation_gte: Day, $creation_lte: Day
  ) {
    deliveries(
      webhook_id: $id, first: $first, after: $after, last: $last, before: $before, status: $status,
      event_id: $event_id, creation_gte: $creation_gte, creation_lte: $creation_lte
    ) {
      edges {
        node {
          id event_id event_type status creation_date next_attempt_date
          attempts { number date status answer error duration }
        }
      }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);
export type DeliveryRow = NonNullable<ResultOf<typeof DELIVERIES>['deliveries']>['edges'][number]['node'];

export const DELIVERIES_OF_EVENT = graphql(`
  query DeliveriesOfEvent($id: ID!, $event_id: ID) {
    deliveries(webhook_id: $id, event_id: $event_id, first: 20) {
      nodes {
        id event_id event_type status creation_date next_attempt_date
        attempts { number date status answer error duration }
        request { url body }
      }
    }
  }
`);

export const CREATE = graphql(`
  mutation CreateWebhook($webhook: CreateWebhook!) { createWebhook(webhook: $webhook) { id secret } }
`);
export const UPDATE = graphql(`
  mutation UpdateWebhook($id: ID!, $webhook: UpdateWebhook!) { updateWebhook(webhook_id: $id, webhook: $webhook) { id } }
`);
export const ROTATE = graphql(`
  mutation RotateWebhookSecret($id: ID!) { rotateWebhookSecret(webhook_id: $id) { secret } }
`);
export const TEST = graphql(`mutation TestWebhook($id: ID!) { testWebhook(webhook_id: $id) { id } }`);
export const VERIFY = graphql(`
  mutation VerifyWebhook($id: ID!, $code: ID!) { verifyWebhook(webhook_id: $id, verification_code: $code) }
`);
export const DELETE = graphql(`mutation DeleteWebhook($id: ID!) { deleteWebhook(webhook_id: $id) { id } }`);
export const REDELIVER = graphql(`
  mutation Redeliver($id: ID!, $delivery: ID!) { redeliver(webhook_id: $id, delivery_id: $delivery) { id } }
`);
export const REDELIVER_RANGE = graphql(`
  mutation RedeliverRange($id: ID!, $range: Redeliver!) { redeliverRange(webhook_id: $id, range: $range) { count } }
`);
