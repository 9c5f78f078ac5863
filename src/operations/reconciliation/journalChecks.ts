import { ISSUED_METHODS } from '../../payments/methods/methods';
import { type Check, COLLECTED_STATUSES, IS_CARD_CHARGE, ISSUE_OPERATIONS } from './checks';

const IS_REVERSED = `exists (select from journal reversal where reversal.operation = 'reverse' and reversal.key = journal.key)`;
const IS_APPROVED = `outcome = 'approved' and not ${IS_REVERSED}`;
const MOVES_MONEY = `operation not in ('verify', 'reverse') and (operation not in (${ISSUE_OPERATIONS}) or key like '%-paid')`;
const inJournal = (operation: string, key: string, amount: string): string =>
  `exists (select from journal where operation = '${operation}' and key = ${key} and amount = ${amount} and ${IS_APPROVED})`;
const IS_ISSUED_CHARGE = `transaction_type = 'charge' and method in (${ISSUED_METHODS.map(({ method }) => `'${method}'`).join(', ')})`;
const IS_PAID_IN_JOURNAL = ISSUED_METHODS.map(
  ({ method, operation }) => `method = '${method}' and ${inJournal(operation, `t.id || '-paid'`, 't.amount')}`,
).join(' or ');

/**
 * Compare the sandbox with the journal of its acquirer, in the view `journal`. Entries written after the database snapshot
 * have `after_snapshot`. The view `sandbox_transactions` has the transactions of the sandbox.
 */
export const journalChecks: Check[] = [
  {
    title: "collected charges are in the acquirer's journal",
    count: `select count(*) from sandbox_transactions where ${IS_CARD_CHARGE} and status in ${COLLECTED_STATUSES}`,
    differences: `select id || ' is ' || status || ' and not in the journal' as difference from sandbox_transactions t
      where ${IS_CARD_CHARGE} and status in ${COLLECTED_STATUSES} and not (case when page_key is not null then ${inJournal('charge', `t.id || '-pay-' || t.attempts`, 't.amount')}
        when capture then ${inJournal('charge', 't.id', 't.amount')}
        else ${inJournal('capture', `t.id || '-capture-' || t.attempts`, 't.amount')} end)`,
  },
  {
    title: "collected payments without a card are in the acquirer's journal",
    count: `select count(*) from sandbox_transactions where ${IS_ISSUED_CHARGE} and status in ${COLLECTED_STATUSES}`,
    differences: `select id || ' is ' || status || ' and not paid in the journal' as difference from sandbox_transactions t
      where ${IS_ISSUED_CHARGE} and status in ${COLLECTED_STATUSES} and not (${IS_PAID_IN_JOURNAL})`,
  },
  {
    title: "completed refunds are in the acquirer's journal",
    count: `select count(*) from sandbox_transactions where transaction_type = 'refund' and method <> 'customer' and status = 'completed'`,
    differences: `select id || ' is a completed refund and not in the journal' as difference from sandbox_transactions t
      where transaction_type = 'refund' and method <> 'customer' and status = 'completed' and not ${inJournal('refund', 't.id', 't.amount')}`,
  },
  {
    title: "completed payouts are in the acquirer's journal",
    count: `select count(*) from sandbox_transactions where transaction_type = 'payout' and status = 'completed'`,
    differences: `select id || ' is a completed payout and not in the journal' as difference from sandbox_transactions t
      where transaction_type = 'payout' and status = 'completed' and not ${inJournal('payout', 't.id', 't.amount')}`,
  },
  {
    title: "all operations in the acquirer's journal are known here",
    count: `select count(*) from journal where ${MOVES_MONEY} and ${IS_APPROVED} and not after_snapshot`,
    differences: `select operation || ' ' || key || ' of ' || journal.amount || ' is ' || coalesce(t.status || ' and ' || t.progress, 'unknown') || ' here' as difference
      from journal left join transactions t on t.id = split_part(key, '-', 1)
      where ${MOVES_MONEY} and ${IS_APPROVED} and not after_snapshot and not coalesce(case operation
        when 'charge' then case when key = t.id then t.status in ${COLLECTED_STATUSES} or t.progress = 'prepared'
          else key = t.id || '-pay-' || t.attempts and (t.status in ${COLLECTED_STATUSES} or t.progress = 'paying') end
        when 'authorize' then t.status in ${COLLECTED_STATUSES} or t.progress in ('prepared', 'authorized', 'capturing', 'voiding')
        when 'capture' then t.status in ${COLLECTED_STATUSES} or t.progress = 'capturing'
        when 'refund' then t.status = 'completed' or t.progress = 'prepared'
        when 'payout' then t.status = 'completed' or t.progress = 'sending'
        else t.status in ${COLLECTED_STATUSES} or t.progress in ('pending', 'voiding') end, false)`,
  },
];
