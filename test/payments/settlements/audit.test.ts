/** Differences that the audit finds in settlements. */
import { testCharges } from '../../harness/merchant/charges';
import { testSettlements } from '../../harness/merchant/settlements';
import { differencesIn, testDamages } from '../../harness/servers/damage';
import { inDatabase } from '../../harness/world/database';

const { api, newCharge, refund } = testCharges({ ownWorld: true });
const { item, settle } = testSettlements(api);
const ids = { charge: '', refund: '', other: '' };
beforeAll(async () => {
  [ids.charge, ids.other] = [await newCharge(), await newCharge()];
  ids.refund = (await refund(ids.charge, { amount: 500 })).body.refund.id;
  await settle([item(ids.charge, 100_000), item(ids.refund, -500, { type: 'refund' })]);
});

const settledItem = (change: string) => `update settlement_items set ${change} where transaction_id = '${ids.charge}'`;
const transaction = (id: string, change: string) => `update transactions set ${change} where id = '${id}'`;
const report = (change: string) => `update settlement_reports set ${change}`;

it('the audit reports no differences for correct settlements', () =>
  inDatabase(api.database.url(), async client => expect(await differencesIn(client, api)).toEqual([])));

testDamages(api, [
  [
    'a settlement whose amount differs from the ledger',
    () => settledItem('amount = amount + 1'),
    /settles charge .* with 10000001, the ledger clears 10000000/,
  ],
  ['a settlement without its costs', () => settledItem('cost = 0'), /settles charge/],
  ['an unbalanced settlement', () => settledItem('amount = amount + 1'), / clears -\d+, settled: 9950001, open: \d+/],
  ['a report whose total exceeds its items', () => report('total = 5'), /says 2 items of 5, has 2 of 9950000/],
  [
    'a settlement that differs from its items',
    () => 'update settlements set refunds = 0',
    /says 2 items of 10000000, has 2 of 9950000/,
  ],
  ['a missing settlement of a merchant', () => 'delete from settlements', /which has no settlement/],
  ['a settlement without an event', () => `delete from events where type = 'settlement.created'`, /has no event/],
  [
    'a movement that was settled twice',
    () => `drop index settlement_items_matched_once; insert into settlement_items
      select report_id, line + 10, merchant_id, type, key, amount, date, transaction_id, movement, result, expected, cost, cost_tax
      from settlement_items where line = 1`,
    /was settled 2 times/,
  ],
  [
    'a reconciled charge that was not settled',
    () => transaction(ids.other, 'conciliated = true'),
    /is conciliated and was not settled/,
  ],
  [
    'a settled charge that is not reconciled',
    () => transaction(ids.charge, 'conciliated = false'),
    /was settled and is not conciliated/,
  ],
  [
    'a refused report',
    () => report(`status = 'refused', reason = 'Its sum is wrong.'`),
    /was refused: Its sum is wrong/,
  ],
  [
    'an incomplete report',
    () => report(`status = 'receiving', ended_at = null, received_at = now() - interval '2 days'`),
    /has been receiving since/,
  ],
  [
    'an item with a difference',
    () => settledItem(`result = 'wrong_amount', expected = 1`),
    /is wrong_amount, expected 1/,
  ],
  [
    'a report with an item that is missing in the journal',
    () => settledItem(`key = 'tx'`),
    /names charge tx of 10000000, which is not in the journal/,
  ],
]);
