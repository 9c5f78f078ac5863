/** Invariants of the ledger. Each check counts the rows it covers and lists those that differ. */
import { ISSUED_METHODS } from '../../payments/methods/methods';

export interface Check {
  title: string;
  count: string;
  /** Returns one row, with a text `difference`, for each difference. */
  differences: string;
}

export interface Finding {
  title: string;
  count: number;
  differences: string[];
}

export const COLLECTED_STATUSES = `('completed', 'refunded', 'chargeback_pending', 'chargeback_accepted', 'chargeback_adjustment')`;
/** SQL list. */
export const ISSUE_OPERATIONS = ISSUED_METHODS.map(({ operation }) => `'${operation}'`).join(', ');
export const IS_CARD_CHARGE = `transaction_type = 'charge' and method = 'card'`;

/** Real creation time of a transaction, without the offset of a test clock. */
const REAL_DATE = 'creation_date - make_interval(secs => clock_offset)';
/** Events are kept for thirteen months, so later ones must exist. */
const EVENTS_SINCE = `now() - interval '12 months'`;

/** Progress of a charge for which its subscription waits. */
const OPEN_PROGRESS = `('prepared', 'pending', 'paying', 'voiding')`;
/** False while the outcome of a payment by the payer is not applied to its subscription `s` yet. */
const IS_APPLIED = `not exists (
  select from outbox where kind = 'period_payment' and object_id = s.open ->> 'transaction_id')`;

/** Subscriptions that match a condition on `s` and whose periods were not paid or covered exactly once each, in order. */
export const unpaidPeriods = (condition: string): string => `
  select s.id || ' is ' || s.status || ' in period ' || current_period_number || ', paid periods: ' || coalesce(t.paid, 'none') as difference
  from subscriptions s, lateral (select string_agg(period::text, ' ' order by period) as paid, count(*) as charges,
    count(distinct period) as periods, coalesce(max(period), 0) as latest
    from (select period from transactions where subscription_id = s.id and period is not null and status in ${COLLECTED_STATUSES}
      union all select period from subscription_lines where subscription_id = s.id and event = 'covered') as opened) t
  where ${condition} and ${IS_APPLIED} and (t.charges <> t.periods or t.periods <> t.latest or current_period_number - t.latest not between
    case when s.status in ('past_due', 'unpaid') then 1 else 0 end and case when s.status in ('past_due', 'unpaid', 'cancelled') then 1 else 0 end)`;

export const ledgerChecks: Check[] = [
  {
    title: 'movements sum to zero',
    count: 'select count(distinct movement) from entries',
    differences: `select movement || ' sums to ' || sum(amount) as difference from entries group by movement having sum(amount) <> 0`,
  },
  {
    title: 'entries of a movement have the same time',
    count: 'select count(distinct movement) from entries',
    differences: `select movement || ' was booked at ' || count(distinct (creation_date, xact)) || ' times' as difference
      from entries group by movement having count(distinct (creation_date, xact)) > 1`,
  },
  {
    title: 'balance snapshots equal the sums of their entries',
    count: 'select count(*) from balances',
    differences: `select account || ' is ' || balance || ', its entries sum to ' || summed as difference from (
        select account, balance, coalesce((select sum(amount) from entries where entries.account = balances.account and xact < horizon), 0) as summed
        from balances) as summed_balances where balance <> summed`,
  },
  {
    title: 'exactly the collected charges have ledger entries',
    count: `select count(*) from transactions where transaction_type = 'charge' and status in ${COLLECTED_STATUSES}`,
    differences: `select t.id || ' is ' || t.status || ', its entries clear ' || coalesce(-e.amount, 0) || ' of ' || t.amount as difference
      from transactions t left join entries e on e.movement = 'charge ' || t.id and e.account = 'clearing ' || t.merchant_id
      where t.transaction_type = 'charge'
        and (case when t.status in ${COLLECTED_STATUSES} then -t.amount else 0 end) <> coalesce(e.amount, 0)`,
  },
  {
    title: 'refunds have ledger entries; those of failed refunds are reversed',
    count: `select count(*) from transactions where transaction_type = 'refund' and method <> 'customer'`,
    differences: `select t.id || ' is ' || t.status || ', its entries clear ' || e.cleared || ' of ' || t.amount as difference
      from transactions t, lateral (select coalesce(sum(amount), 0) as cleared from entries
        where movement in ('refund ' || t.id, 'unrefund ' || t.id) and account = 'clearing ' || t.merchant_id) e
      where t.transaction_type = 'refund' and t.method <> 'customer' and (case when t.status = 'failed' then 0 else t.amount end) <> e.cleared`,
  },
  {
    title: 'fees and their refunds have ledger entries',
    count: `select count(*) from transactions where method = 'customer'`,
    differences: `select t.id || ' moved ' || coalesce(e.amount, 0) || ', not ' || t.amount as difference
      from transactions t left join entries e on e.account = 'merchant ' || t.merchant_id
        and e.movement = case t.transaction_type when 'fee' then 'fee ' else 'fee refund ' end || t.id
      where t.method = 'customer' and coalesce(e.amount, 0) <> case t.transaction_type when 'fee' then t.amount else -t.amount end`,
  },
  {
    title: 'amounts held for chargebacks belong to open chargebacks',
    count: `select count(*) from transactions where status like 'chargeback%'`,
    differences: `select t.id || ' is ' || t.status || ', held amount: ' || e.held as difference
      from transactions t, lateral (select coalesce(sum(amount), 0) as held from entries
        where transaction_id in (select id from transactions related where related.id = t.id or related.parent_id = t.id)
          and account = 'chargebacks ' || t.merchant_id) e
      where t.transaction_type = 'charge' and case t.status when 'chargeback_pending' then e.held <= 0 else e.held <> 0 end`,
  },
  {
    title: 'chargebacks that the merchant won restore each account',
    count: `select count(distinct movement) from entries where movement like 'chargeback rejected %'`,
    differences: `select won.transaction_id || ' leaves ' || sum(e.amount) || ' on ' || e.account as difference
      from (select distinct transaction_id from entries where movement like 'chargeback rejected %') won
        join transactions t on t.id = won.transaction_id or t.parent_id = won.transaction_id
        join entries e on e.transaction_id = t.id and e.movement like 'chargeback %'
      group by won.transaction_id, e.account having sum(e.amount) <> 0`,
  },
  {
    title: 'all entries equal those implied by their transactions',
    count: 'select count(*) from entries',
    differences: `with card_movements as (
        select 'charge ' || id as movement, merchant_id, account, amount, fee_amount, fee_tax from transactions
        where transaction_type = 'charge' and status in ${COLLECTED_STATUSES}
        union all select 'refund ' || id, merchant_id, account, -amount, -fee_amount, -fee_tax from transactions
        where transaction_type = 'refund' and method <> 'customer'
        union all select 'unrefund ' || id, merchant_id, account, amount, fee_amount, fee_tax from transactions
        where transaction_type = 'refund' and method <> 'customer' and status = 'failed'
      ), expected as (
        select movement, e.account, sum(e.amount) as amount from card_movements moved, lateral (values ('clearing ' || merchant_id, -moved.amount),
          (moved.account, moved.amount), ('merchant ' || merchant_id, -fee_amount - fee_tax), ('costs ' || merchant_id, fee_amount),
          ('tax ' || merchant_id, fee_tax)) as e (account, amount) group by movement, e.account having sum(e.amount) <> 0
        union all select case transaction_type when 'fee' then 'fee ' else 'fee refund ' end || id, e.account,
          case transaction_type when 'fee' then e.amount else -e.amount end
        from transactions t, lateral (values ('merchant ' || merchant_id, t.amount), (t.account, -t.amount)) as e (account, amount)
        where method = 'customer'
        union all select step.movement || id, e.account, e.amount
        from transactions t, lateral (values ('payout ', true, 'merchant ', 'payouts '), ('payout paid ', status = 'completed', 'payouts ', 'clearing '),
            ('payout returned ', status = 'failed', 'payouts ', 'merchant ')) as step (movement, is_done, source, target),
          lateral (values (step.source || merchant_id, -t.amount), (step.target || merchant_id, t.amount)) as e (account, amount)
        where transaction_type = 'payout' and is_done
      )
      select coalesce(x.movement, e.movement) || ' on ' || coalesce(x.account, e.account) || ' is ' || coalesce(e.amount, 0)
        || ', not ' || coalesce(x.amount, 0) as difference
      from expected x full join entries e on e.movement = x.movement and e.account = x.account
      where coalesce(e.movement, '') not like 'chargeback %' and x.amount is distinct from e.amount`,
  },
  {
    title: 'no customer account is overdrawn',
    count: `select count(distinct account) from entries where account like 'customer %'`,
    differences: `select account || ' is ' || sum(amount) as difference from entries where account like 'customer %' group by account
      having sum(amount) < 0`,
  },
  {
    title: 'every refund has an event',
    count: `select count(*) from events where type in ('charge.refunded', 'fee.refund.succeeded')`,
    differences: `select parent_id || ' was refunded ' || count(*) || ' times' as difference from transactions where transaction_type = 'refund'
      and status = 'completed' group by parent_id having min(${REAL_DATE}) > ${EVENTS_SINCE} and count(*) <> (select count(*) from events
        where object_id = parent_id and type in ('charge.refunded', 'fee.refund.succeeded'))`,
  },
  {
    title: 'refunds never exceed the charged amount',
    count: `select count(distinct parent_id) from transactions where transaction_type = 'refund'`,
    differences: `select p.id || ' of ' || p.amount || ' has refunds of ' || sum(r.amount) as difference
      from transactions p join transactions r on r.parent_id = p.id and r.status <> 'failed'
      group by p.id having sum(r.amount) > p.amount or (sum(r.amount) filter (where r.status = 'completed') = p.amount) <> (p.status = 'refunded')`,
  },
  {
    title: 'subscription periods were paid once, in order and without gaps',
    count: `select count(*) from subscriptions where status <> 'new'`,
    differences: unpaidPeriods('true'),
  },
  {
    title: 'open attempts of subscriptions match charges in progress',
    count: 'select count(*) from transactions where subscription_id is not null',
    differences: `select coalesce(s.id, t.subscription_id) || ' has open attempt ' || coalesce(s.open ->> 'transaction_id', 'none') || ', charge in progress '
        || coalesce(t.id, 'none') as difference
      from (select id, open from subscriptions s where open is not null and ${IS_APPLIED}) s
      full join (select id, subscription_id from transactions where subscription_id is not null and progress in ${OPEN_PROGRESS}) t
        on t.subscription_id = s.id and t.id = s.open ->> 'transaction_id'
      where s.id is null or t.id is null`,
  },
  {
    title: 'settled transactions have the event of their outcome',
    count: 'select count(*) from events',
    differences: `select id || ' is ' || status || ' and has no event' as difference from transactions t
      where transaction_type <> 'refund' and progress = 'settled' and ${REAL_DATE} > ${EVENTS_SINCE} and not exists (select from events where object_id = t.id
        and type = any (case when transaction_type = 'fee' then array['fee.succeeded']
          when transaction_type = 'payout' then array[case status when 'failed' then 'payout.failed' else 'payout.succeeded' end] when status = 'failed' then array['charge.failed', 'subscription.charge.failed']
          when status = 'cancelled' then array['charge.cancelled', 'transaction.expired'] else array['charge.succeeded'] end))`,
  },
];
