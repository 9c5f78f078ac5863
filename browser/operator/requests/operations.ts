import type { ResultOf } from '../../shared/api/graphql';
import { graphql } from '../graphql';

export const REQUEST = graphql(`
  query RequestOfOperators($id: ID!) {
    operatorLiveRequest(id: $id) {
      id merchant_id status reason creation_date submitted_at decided_at production_merchant_id keys_collected_at
      business {
        legal_name nit website expected_monthly_volume support_email support_phone
        representative { name document email phone }
        bank_account { bank type number }
      }
    }
  }
`);

export type LiveRequest = NonNullable<ResultOf<typeof REQUEST>['operatorLiveRequest']>;
