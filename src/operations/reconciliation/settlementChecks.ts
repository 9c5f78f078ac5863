/** Whether what the acquirer settled is what the books hold, and each of it once. */
import type { Check } from './checks';

/** As the program writes them: a chargeback is settled beside its charge. */
const CONCILIATES = `type in ('charge', 'refund', 'payout')`;
const ENDED = `status in ('matched', 'differs')`;

export const settlementChecks: Check[] = [
  {
    title: 'reports that were matched have the items and the total that they say',
    count: `select count(*) from settlement_reports where ${ENDED}`,
    differences: `select r.id || ' says ' || r.count || ' items of ' || r.total || ', has ' || i.count || ' of ' || i.total as difference
      from settlement_reports r, lateral (select count(*) as count, coalesce(sum(amount), 0) as total,
        count(*) filter (where result = 'matched') as matched, count(*) filter (where result <> 'matched') as differing
        from settlement_items where report_id = r.id) i
      where r.${ENDED} and (r.count, r.total, r.matched, r.differing) <> (i.count, i.total, i.matched, i.differing)`,
  },
  {
    title: 'what was settled is what the books clear, with its costs',
    count: `select count(*) from settlement_items where result = 'matched'`,
    differences: `select i.report_id || ' settles ' || i.movement || ' with ' || i.amount || ', the books clear ' || coalesce(-e.cleared, 0) as difference
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
    title: 'transactions are conciliated where they were settled, and only there',
    count: `select count(*) from transactions where conciliated`,
    differences: `select coalesce(t.id, i.transaction_id) || case when t.id is null then ' was settled and is not conciliated'
        else ' is conciliated and was not settled' end as difference
      from (select id from transactions where conciliated) t
      full join (select distinct transaction_id from settlement_items where result = 'matched' and ${CONCILIATES}) i on i.transaction_id = t.id
      where t.id is null or i.transaction_id is null`,
  },
  {
    title: 'settlements are the sums of their items, and were told of',
    count: 'select count(*) from settlements',
    differences: `select s.id || ' says ' || s.count || ' items of ' || (s.charges + s.refunds + s.chargebacks + s.payouts) || ', has '
        || i.count || ' of ' || i.amount as difference
      from settlements s, lateral (select count(*) filter (where result = 'matched') as count,
        coalesce(sum(amount) filter (where result = 'matched'), 0) as amount, coalesce(sum(cost), 0) as cost, coalesce(sum(cost_tax), 0) as cost_tax
        from settlement_items where report_id = s.report_id and merchant_id = s.merchant_id) i
      where (s.count, s.charges + s.refunds + s.chargebacks + s.payouts, s.cost, s.cost_tax) <> (i.count, i.amount, i.cost, i.cost_tax)
      union all select i.report_id || ' settles for ' || i.merchant_id || ', who has no settlement of it'
      from settlement_items i join settlement_reports r on r.id = i.report_id and r.${ENDED}
      left join settlements s on s.report_id = i.report_id and s.merchant_id = i.merchant_id
      where i.result = 'matched' and s.id is null group by i.report_id, i.merchant_id
      union all select s.id || ' was never told of' from settlements s
      where s.creation_date > now() - interval '12 months' and not exists (select from events where object_id = s.id)`,
  },
  {
    title: 'what is settled, what is not yet and what the books clear sum up to zero for each merchant',
    count: `select count(*) from merchants`,
    differences: `select substr(account, 10) || ' clears ' || cleared || ', settled are ' || settled || ', open are ' || open as difference from (
        select account, sum(e.amount) as cleared, sum(coalesce(i.amount, 0)) as settled, -coalesce(sum(e.amount) filter (where i.movement is null), 0) as open
        from entries e left join settlement_items i on i.movement = e.movement and i.result = 'matched'
        where account like 'clearing %' group by account) as accounts
      where cleared + settled + open <> 0`,
  },
  {
    title: 'reports of the acquirer agree with the books',
    count: 'select count(*) from settlement_reports',
    differences: `select id || ' (' || reference || ') was refused: ' || reason as difference from settlement_reports where status = 'refused'
      union all select id || ' (' || reference || ') is ' || status || ' since ' || received_at from settlement_reports
      where ended_at is null and received_at < now() - interval '1 day'
      union all select i.report_id || ' line ' || i.line || ': ' || i.type || ' ' || i.key || ' of ' || i.amount || ' is ' || i.result
        || coalesce(', the books say ' || i.expected, '')
      from settlement_items i where i.result <> 'matched' and (i.result = 'repeated'
        or not exists (select from settlement_items later where later.movement = i.movement and later.result = 'matched'))`,
  },
];

/** Beside the journal of the acquirer (see journalChecks). A chargeback is not in it, but its charge is. */
export const settlementJournalChecks: Check[] = [
  {
    title: 'what reports name is in the journal of the acquirer',
    count: `select count(*) from settlement_items i join settlement_reports r on r.id = i.report_id where r.environment = 'sandbox'`,
    differences: `select i.report_id || ' names ' || i.type || ' ' || i.key || ' of ' || i.amount || ', of which the journal knows nothing' as difference
      from settlement_items i join settlement_reports r on r.id = i.report_id
      where r.environment = 'sandbox' and i.result = 'matched' and not case i.type
        when 'chargeback' then exists (select from journal where outcome = 'approved' and split_part(journal.key, '-', 1) = i.transaction_id)
        else exists (select from journal where outcome = 'approved' and journal.key = i.key and journal.amount = abs(i.amount)
          and journal.operation = any (case i.type when 'refund' then array['refund'] when 'payout' then array['payout']
            else array['charge', 'capture', 'voucher', 'bank'] end)) end`,
  },
];
