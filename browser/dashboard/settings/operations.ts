import { graphql, type ResultOf } from '../../shared/api/graphql';

export const PROFILE = graphql(`
  query Profile {
    merchant {
      id name email phone website support_email support_phone logo colour payer_emails payer_actions max_installments
      status
      suspension_reason balance available reserve customers_balance
      bank_account { bank type number } pending_bank_account { bank type number effective_date }
    }
  }
`);
export type Profile = NonNullable<ResultOf<typeof PROFILE>['merchant']>;
