/** What must be true of the books. Each check counts what it looked at and finds what differs. */
export interface Check {
  about: string;
  /** How many were looked at. */
  count: string;
  /** One row, with a text `what`, for each difference. */
  differences: string;
}

const TAKEN = `('completed', 'refunded', 'chargeback_pending', 'chargeback_accepted', 'chargeback_adjustment')`;
const CARD_CHARGE = `transaction_type = 'charge' and method = 'card'`;

export const books: Check[] = [
  {
    about: 'movements sum to zero',
    count: 'select count(distinct movement) from entries',
    differences: `select movement || ' sums to ' || sum(amount) as what from entries group by movement having sum(amount) <> 0`,
  },
  {
    about: 'balances that were summed up equal their entries',
    count: 'select count(*) from balances',
    differences: `select account || ' is ' || balance || ', its entries sum to ' || summed as what from (
        select account, balance, coalesce((select sum(amount) from entries where entries.account = balances.account and xact < horizon), 0) as summed
        from balances) as b where balance <> summed`,
  },
  {
    about: 'charges that were taken have their entries, and no others have',
    count: `select count(*) from transactions where transaction_type = 'charge' and status in ${TAKEN}`,
    differences: `select t.id || ' is ' || t.status || ', its entries clear ' || coalesce(-e.amount, 0) || ' of ' || t.amount as what
      from transactions t left join entries e on e.movement = 'charge ' || t.id and e.account = 'clearing ' || t.merchant_id
      where t.transaction_type = 'charge'
        and (case when t.status in ${TAKEN} then -t.amount else 0 end) <> coalesce(e.amount, 0)`,
  },
  {
    about: 'refunds have their entries, and failed ones have them undone',
    count: `select count(*) from transactions where transaction_type = 'refund' and method = 'card'`,
    differences: `select t.id || ' is ' || t.status || ', its entries clear ' || e.cleared || ' of ' || t.amount as what
      from transactions t, lateral (select coalesce(sum(amount), 0) as cleared from entries
        where movement in ('refund ' || t.id, 'unrefund ' || t.id) and account = 'clearing ' || t.merchant_id) e
      where t.transaction_type = 'refund' and t.method = 'card' and (case when t.status = 'failed' then 0 else t.amount end) <> e.cleared`,
  },
  {
    about: 'fees and their refunds have their entries',
    count: `select count(*) from transactions where method = 'customer'`,
    differences: `select t.id || ' moved ' || coalesce(e.amount, 0) || ', not ' || t.amount as what
      from transactions t left join entries e on e.account = 'merchant ' || t.merchant_id
        and e.movement = case t.transaction_type when 'fee' then 'fee ' else 'fee refund ' end || t.id
      where t.method = 'customer' and coalesce(e.amount, 0) <> case t.transaction_type when 'fee' then t.amount else -t.amount end`,
  },
  {
    about: 'what is held for chargebacks is what is not decided',
    count: `select count(*) from transactions where status like 'chargeback%'`,
    differences: `select t.id || ' is ' || t.status || ', held are ' || e.held as what
      from transactions t, lateral (select coalesce(sum(amount), 0) as held from entries
        where transaction_id = t.id and account = 'chargebacks ' || t.merchant_id) e
      where t.transaction_type = 'charge' and (t.status = 'chargeback_pending') <> (e.held > 0)`,
  },
  {
    about: 'refunds never exceed what was charged',
    count: `select count(distinct parent_id) from transactions where transaction_type = 'refund'`,
    differences: `select p.id || ' of ' || p.amount || ' gave back ' || sum(r.amount) as what
      from transactions p join transactions r on r.parent_id = p.id and r.status <> 'failed'
      group by p.id having sum(r.amount) > p.amount or (sum(r.amount) filter (where r.status = 'completed') = p.amount) <> (p.status = 'refunded')`,
  },
  {
    about: 'transactions have the event of what became of them',
    count: 'select count(*) from events',
    differences: `select id || ' is ' || status || ' and nothing was told' as what from transactions t
      where transaction_type <> 'refund' and progress = 'settled' and not exists (select from events where object_id = t.id)`,
  },
];

const UNDONE = `exists (select from journal undone where undone.operation = 'reverse' and undone.key = journal.key)`;
const APPROVED = `outcome = 'approved' and not ${UNDONE}`;
const inJournal = (operation: string, key: string, amount: string): string =>
  `exists (select from journal where operation = '${operation}' and key = ${key} and amount = ${amount} and ${APPROVED})`;

/** Against the acquirer's own journal, in the table `journal`; what came there after our look began is in `later`. */
export const witness: Check[] = [
  {
    about: 'charges that were taken are in the journal of the acquirer',
    count: `select count(*) from transactions where ${CARD_CHARGE} and status in ${TAKEN}`,
    differences: `select id || ' is ' || status || ' and the acquirer knows nothing of it' as what from transactions t
      where ${CARD_CHARGE} and status in ${TAKEN} and not (case when capture then ${inJournal('charge', 't.id', 't.amount')}
        else ${inJournal('capture', `t.id || '-capture-' || t.attempts`, 't.amount')} end)`,
  },
  {
    about: 'refunds that were made are in the journal of the acquirer',
    count: `select count(*) from transactions where transaction_type = 'refund' and method = 'card' and status = 'completed'`,
    differences: `select id || ' was refunded and the acquirer knows nothing of it' as what from transactions t
      where transaction_type = 'refund' and method = 'card' and status = 'completed' and not ${inJournal('refund', 't.id', 't.amount')}`,
  },
  {
    about: 'what the acquirer took, kept or gave back is known here',
    count: `select count(*) from journal where operation <> 'verify' and ${APPROVED} and not later`,
    differences: `select operation || ' ' || key || ' of ' || journal.amount || ' is ' || coalesce(t.status || ' and ' || t.progress, 'unknown') || ' here' as what
      from journal left join transactions t on t.id = split_part(key, '-capture-', 1)
      where operation not in ('verify', 'reverse') and ${APPROVED} and not later and not coalesce(case operation
        when 'charge' then t.status in ${TAKEN} or t.progress = 'prepared'
        when 'authorize' then t.status in ${TAKEN} or t.progress in ('prepared', 'authorized', 'capturing', 'voiding')
        when 'capture' then t.status in ${TAKEN} or t.progress = 'capturing'
        when 'refund' then t.status = 'completed' or t.progress = 'prepared' end, false)`,
  },
];
