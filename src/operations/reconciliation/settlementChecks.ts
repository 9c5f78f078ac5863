/** The acquirer's settlements equal the ledger, and each movement is settled at most once. */
import { type Check, ISSUE_OPERATIONS } from './checks';

/** A chargeback does not conciliate: it is settled in addition to its charge. */
const CONCILIATES = `type in ('charge', 'refund', 'payout')`;
const ENDED = `status in ('matched', 'differs')`;

export const settlementChecks: Check[] = [
  {
    title: 'matched reports have the declared items and total',
    count: `select count(*) from settlement_reports where ${ENDED}`,
    differences: `select r.id || ' says ' || r.count || ' items of ' || r.total || ', has ' || i.count || ' of ' || i.total as difference
      from settlement_reports r, lateral (select count(*) as count, coalesce(sum(amount), 0) as total,
        count(*) filter (where result = 'matched') as matched, count(*) filter (where result <> 'matched') as differing
        from settlement_items where report_id = r.id) i
      where r.${ENDED} and (r.count, r.total, r.matched, r.differing) <> (i.count, i.total, i.matched, i.differing)`,
  },
  {
    title: 'settled amounts and costs equal the cleared amounts of the ledger',
    count: `select count(*) from settlement_items where result = 'matched'`,
    differences: `select i.report_id || ' settles ' || i.movement || ' with ' || i.amount || ', the ledger clears ' || coalesce(-e.cleared, 0) as difference
      from settlement_items i left join lateral (select sum(amount) filter (where account = 'clearing ' || i.merchant_id) as cleared,
        coalesce(sum(amount) filter (where account = 'costs ' || i.merchant_id), 0) as cost,
        coalesce(sum(amount) filter (where account = 'tax ' || i.merchant_id), 0) as cost_tax
        from entries where movement = i.movement) e on true
      where i.result = 'matched' and (e.cleared, e.cost, e.cost_tax) is distinct from (-i.amount, i.cost, i.cost_tax)`,
  },
  {
    title: 'no movement was settled twice',
    count: `select count(*) from settlement_items where result = 'matched'`,
    differences: `select movement || ' was settled ' || count(*) || ' times' as difference from settlement_items where result = 'matched'
      group by movement having count(*) > 1`,
  },
  {
    title: 'exactly the settled transactions are conciliated',
    count: `select count(*) from transactions where conciliated`,
    differences: `select coalesce(t.id, i.transaction_id) || case when t.id is null then ' was settled and is not conciliated'
        else ' is conciliated and was not settled' end as difference
      from (select id from transactions where conciliated) t
      full join (select distinct transaction_id from settlement_items where result = 'matched' and ${CONCILIATES}) i on i.transaction_id = t.id
      where t.id is null or i.transaction_id is null`,
  },
  {
    title: 'settlements equal the sums of their items and have an event',
    count: 'select count(*) from settlements',
    differences: `select s.id || ' says ' || s.count || ' items of ' || (s.charges + s.refunds + s.chargebacks + s.payouts) || ', has '
        || i.count || ' of ' || i.amount as difference
      from settlements s, lateral (select count(*) filter (where result = 'matched') as count,
        coalesce(sum(amount) filter (where result = 'matched'), 0) as amount, coalesce(sum(cost), 0) as cost, coalesce(sum(cost_tax), 0) as cost_tax
        from settlement_items where report_id = s.report_id and merchant_id = s.merchant_id) i
      where (s.count, s.charges + s.refunds + s.chargebacks + s.payouts, s.cost, s.cost_tax) <> (i.count, i.amount, i.cost, i.cost_tax)
      union all select i.report_id || ' settles for ' || i.merchant_id || ', which has no settlement'
      from settlement_items i join settlement_reports r on r.id = i.report_id and r.${ENDED}
      left join settlements s on s.report_id = i.report_id and s.merchant_id = i.merchant_id
      where i.result = 'matched' and s.id is null group by i.report_id, i.merchant_id
      union all select s.id || ' has no event' from settlements s
      where s.creation_date > now() - interval '12 months' and not exists (select from events where object_id = s.id)`,
  },
  {
    title: 'settled, open and cleared amounts sum to zero for each merchant',
    count: `select count(*) from merchants`,
    differences: `select substr(account, 10) || ' clears ' || cleared || ', settled: ' || settled || ', open: ' || open as difference from (
        select account, sum(e.amount) as cleared, sum(coalesce(i.amount, 0)) as settled, -coalesce(sum(e.amount) filter (where i.movement is null), 0) as open
        from entries e left join settlement_items i on i.movement = e.movement and i.result = 'matched'
        where account like 'clearing %' group by account) as accounts
      where cleared + settled + open <> 0`,
  },
  {
    title: "the acquirer's reports agree with the ledger",
    count: 'select count(*) from settlement_reports',
    differences: `select id || ' (' || reference || ') was refused: ' || reason as difference from settlement_reports where status = 'refused'
      union all select id || ' (' || reference || ') has been ' || status || ' since ' || received_at from settlement_reports
      where ended_at is null and received_at < now() - interval '1 day'
      union all select i.report_id || ' line ' || i.line || ': ' || i.type || ' ' || i.key || ' of ' || i.amount || ' is ' || i.result
        || coalesce(', expected ' || i.expected, '')
      from settlement_items i where i.result <> 'matched' and (i.result = 'repeated'
        or not exists (select from settlement_items later where later.movement = i.movement and later.result = 'matched'))`,
  },
];

/** Compare with the acquirer's journal (see journalChecks). The journal has no chargebacks, but their charges. */
export const settlementJournalChecks: Check[] = [
  {
    title: "items of reports are in the acquirer's journal",
    count: `select count(*) from settlement_items i join settlement_reports r on r.id = i.report_id where r.environment = 'sandbox'`,
    differences: `select i.report_id || ' names ' || i.type || ' ' || i.key || ' of ' || i.amount || ', which is not in the journal' as difference
      from settlement_items i join settlement_reports r on r.id = i.report_id
      where r.environment = 'sandbox' and i.result = 'matched' and not case i.type
        when 'chargeback' then exists (select from journal where outcome = 'approved' and split_part(journal.key, '-', 1) = i.transaction_id)
        else exists (select from journal where outcome = 'approved' and journal.key = i.key and journal.amount = abs(i.amount)
          and journal.operation = any (case i.type when 'refund' then array['refund'] when 'payout' then array['payout']
            else array['charge', 'capture', ${ISSUE_OPERATIONS}] end)) end`,
  },
];
