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

it('finds nothing where all is well', () =>
  inDatabase(api.database.url(), async client => expect(await differencesIn(client, api)).toEqual([])));

testDamages(api, [
  [
    'a settlement of another amount than the books have',
    () => settledItem('amount = amount + 1'),
    /settles charge .* with 10000001, the ledger clears 10000000/,
  ],
  ['a settlement without its costs', () => settledItem('cost = 0'), /settles charge/],
  [
    'what does not sum up to zero',
    () => settledItem('amount = amount + 1'),
    / clears -\d+, settled: 9950001, open: \d+/,
  ],
  ['a report that says more than it has', () => report('total = 5'), /says 2 items of 5, has 2 of 9950000/],
  [
    'a settlement that is not its items',
    () => 'update settlements set refunds = 0',
    /says 2 items of 10000000, has 2 of 9950000/,
  ],
  ['a merchant without its settlement', () => 'delete from settlements', /which has no settlement/],
  ['a settlement without an event', () => `delete from events where type = 'settlement.created'`, /has no event/],
  [
    'a movement that was settled twice',
    () => `drop index settlement_items_matched_once; insert into settlement_items
      select report_id, line + 10, merchant_id, type, key, amount, date, transaction_id, movement, result, expected, cost, cost_tax
      from settlement_items where line = 1`,
    /was settled 2 times/,
  ],
  [
    'a charge that is conciliated and was not settled',
    () => transaction(ids.other, 'conciliated = true'),
    /is conciliated and was not settled/,
  ],
  [
    'a charge that was settled and is not conciliated',
    () => transaction(ids.charge, 'conciliated = false'),
    /was settled and is not conciliated/,
  ],
  [
    'a report that was refused',
    () => report(`status = 'refused', reason = 'Its sum is wrong.'`),
    /was refused: Its sum is wrong/,
  ],
  [
    'a report that was never completed',
    () => report(`status = 'receiving', ended_at = null, received_at = now() - interval '2 days'`),
    /has been receiving since/,
  ],
  ['an item that differs', () => settledItem(`result = 'wrong_amount', expected = 1`), /is wrong_amount, expected 1/],
  [
    'a report of what the journal does not know',
    () => settledItem(`key = 'tx'`),
    /names charge tx of 10000000, which is not in the journal/,
  ],
]);
