import type { ResultOf } from '../../shared/api/graphql';
import { graphql } from '../graphql';

export const MERCHANT = graphql(`
  query MerchantOfOperators($id: ID!) {
    merchantAccount(id: $id) {
      id name email phone environment status suspension_reason cost_rate cost_fixed linked_merchant_id creation_date
      balance available reserve customers_balance counts { customers cards transactions subscriptions webhooks }
    }
    merchantActivity(id: $id) {
      charges { id method status amount creation_date }
      payouts { id method status amount creation_date }
      subscriptions { id plan status creation_date }
      webhooks { id host status }
    }
    holds(merchant_id: $id) { nodes { id scope object_id reason actor actor_id held_at until } }
    operatorAuditLog(merchant_id: $id, first: 20) {
      nodes {
        id name description actor actor_id object_id creation_date after
      }
    }
  }
`);

export type MerchantResult = ResultOf<typeof MERCHANT>;
