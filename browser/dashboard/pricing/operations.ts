import { ask } from '../../shared/api/ask';
import { graphql, type ResultOf, type VariablesOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';

export const INVOICE = graphql(`
  fragment Invoice on ChargeInvoice {
    quantity full_amount discount coupon_id credit extras { id description amount }
  }
`);
export type Invoice = ResultOf<typeof INVOICE>;

const PREVIEW = graphql(
  `
  query PreviewPrice($id: ID!, $change: PreviewedChange!) {
    previewSubscriptionChange(subscription_id: $id, change: $change) {
      charge_now credit credit_balance charges { charge_date amount invoice { ...Invoice } }
    }
  }
`,
  [INVOICE],
);
export type PricePreview = NonNullable<ResultOf<typeof PREVIEW>['previewSubscriptionChange']>;

export const previewPrice = async (
  id: string,
  change: VariablesOf<typeof PREVIEW>['change'],
  signal: AbortSignal,
): Promise<PricePreview> => required((await ask(PREVIEW, { id, change }, { signal })).previewSubscriptionChange);

export const CHANGE = graphql(`
  mutation ChangeSubscription($id: ID!, $change: ChangeSubscription!) {
    changeSubscription(subscription_id: $id, change: $change) { id }
  }
`);
export type RequestedChange = VariablesOf<typeof CHANGE>['change'];
export const WITHDRAW_CHANGE = graphql(`
  mutation WithdrawChange($id: ID!) { withdrawSubscriptionChange(subscription_id: $id) { id } }
`);
export const APPLY_COUPON = graphql(`
  mutation ApplyCoupon($id: ID!, $coupon: ApplyCoupon!) { applyCoupon(subscription_id: $id, coupon: $coupon) { id } }
`);
export const REMOVE_COUPON = graphql(`mutation RemoveCoupon($id: ID!) { removeCoupon(subscription_id: $id) { id } }`);
export const ADD_EXTRA = graphql(`
  mutation AddExtra($id: ID!, $extra: CreateExtra!) { createExtra(subscription_id: $id, extra: $extra) { id } }
`);
export const REMOVE_EXTRA = graphql(`
  mutation RemoveExtra($id: ID!, $extra: ID!) { deleteExtra(subscription_id: $id, extra_id: $extra) { id } }
`);
export const RETURN_CREDIT = graphql(`mutation ReturnCredit($id: ID!) { returnCredit(subscription_id: $id) { id } }`);
