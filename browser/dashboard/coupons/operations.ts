import { graphql, type ResultOf } from '../../shared/api/graphql';

const COUPON_FACTS = graphql(`
  fragment CouponFacts on Coupon {
    id code percent_off amount_off duration periods max_redemptions redemptions redeem_by plan_ids status creation_date
    metadata
  }
`);
export type CouponFacts = ResultOf<typeof COUPON_FACTS>;

export const COUPONS = graphql(
  `
  query Coupons(
    $first: Int, $last: Int, $after: String, $before: String, $code: String, $metadata: Metadata, $from: Day, $to: Day
  ) {
    coupons(
      first: $first, last: $last, after: $after, before: $before, code: $code, metadata: $metadata,
      creation_gte: $from, creation_lte: $to
    ) {
      edges { node { ...CouponFacts } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount totalCountIsExact
    }
  }
`,
  [COUPON_FACTS],
);

export const COUPON = graphql(
  `
  query Coupon($id: ID!) {
    coupon(coupon_id: $id) { ...CouponFacts }
    plans(first: 100) { nodes { id name amount repeat_every repeat_unit } }
  }
`,
  [COUPON_FACTS],
);

/** The coupons to choose from. */
const COUPON_CODES = graphql(
  `query CouponCodes($code: String) { coupons(first: 100, code: $code) { nodes { ...CouponFacts } } }`,
  [COUPON_FACTS],
);

export { COUPON_CODES };

export const CREATE_COUPON = graphql(`
  mutation NewCoupon($coupon: CreateCoupon!) { createCoupon(coupon: $coupon) { id } }
`);
export const DELETE_COUPON = graphql(`mutation DeleteCoupon($id: ID!) { deleteCoupon(coupon_id: $id) { id status } }`);
