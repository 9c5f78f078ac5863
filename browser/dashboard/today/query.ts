import { graphql, type ResultOf } from '../../shared/api/graphql';

/** Maximum number of subscriptions checked for expiring cards, and of renewals in progress. */
export const MAX_CHECKED = 200;

const WHOLE = graphql(`
  fragment Whole on Query {
    stats(from: $from) {
      to
      mrr
      new_subscriptions
      lost_subscriptions
      renewals_today { paid declined first_charges }
      subscriptions { trial active past_due unpaid }
      renewals {
        declined
        recovered
        recovery_rate
        recovered_amount
        median_hours
        average_hours
        ways { way recovered recovered_amount recovery_rate median_hours }
      }
      days { day paid volume failed }
      declines { error_code description failed }
      upcoming { day charges amount }
      plans { plan_id name amount repeat_every repeat_unit mrr active past_due }
    }
    merchant { balance available status suspension_reason bank_account { bank type number } }
    nextPayouts: payouts(status: in_progress, first: 100) { nodes { id amount } }
    webhooks(first: 50) { nodes { id url status failing_since } }
    underWay: charges(status: in_progress, transaction_type: charge, first: 200) { nodes { subscription_id creation_date } }
    chargebacks: charges(status: chargeback_pending, first: 1) {
      totalCount
      edges { node { id amount } }
    }
    soon: subscriptions(status: [trial, active, past_due], charge_date_lte: $soon, first: 200) {
      nodes {
        id
        status
        charge_date
        cancel_at_period_end
        pause { resume_date }
        customer { name last_name }
        card { brand card_number expiration_month expiration_year }
      }
    }
    owed: subscriptions(status: cancelled, has_credit: true, first: 200) {
      nodes { id credit_balance customer { name last_name } }
    }
    settlements(first: 10) { nodes { id day differences } }
    failedPayouts: payouts(status: failed, first: 1) { nodes { id amount creation_date } }
    liveRequest @include(if: $isSandbox) { status reason keys_collected_at }
  }
`);

export const TODAY = graphql(
  `
  query Today($from: Day!, $soon: Day!, $isSandbox: Boolean!) {
    ...Whole
    keys(first: 100) { nodes { id name masked expires_at } }
  }
`,
  [WHOLE],
);

/** For read-only sessions: the API rejects any document that queries keys. */
export const TODAY_TO_READ = graphql(`query Today($from: Day!, $soon: Day!, $isSandbox: Boolean!) { ...Whole }`, [
  WHOLE,
]);

export type TodayData = ResultOf<typeof TODAY_TO_READ> & Partial<Pick<ResultOf<typeof TODAY>, 'keys'>>;
export type Stats = NonNullable<TodayData['stats']>;
