import { sealEntries } from '../../../src/accounts/auditLog/rows';
import { reconcile } from '../../../src/operations/reconciliation/reconcile';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import { deliveriesOfEachStatus, oneOfEachKind } from '../../harness/merchant/oneOfEachKind';
import { testSettlements } from '../../harness/merchant/settlements';
import { SHORT_TIMEOUT_MS, testApi } from '../../harness/servers/api';
import { differencesIn, testDamages, withDamage } from '../../harness/servers/damage';
import { Program } from '../../harness/servers/program';
import { inDatabase } from '../../harness/world/database';
import { secrets, vault } from '../../harness/world/secrets';

const api = testApi({ acquirerTimeoutMs: SHORT_TIMEOUT_MS, ownWorld: true });
const runAudit = async () => {
  const program = new Program('audit', {
    DATABASE_URL: api.database.url(),
    ACQUIRER_URL: api.acquirer.credentials().url,
    VAULT_FINGERPRINT_KEY: secrets.VAULT_FINGERPRINT_KEY,
  });
  return { code: await program.exited, output: program.output };
};
const ids = oneOfEachKind(api);
deliveriesOfEachStatus(api);
const { item, settle } = testSettlements(api);
beforeAll(async () => {
  const items = [item(ids.refund, -500, { type: 'refund' }), item(`${ids.bank}-paid`, 50_000)];
  expect(await settle(items)).toBe('matched 2 items, nothing differs');
});

describe('npm run audit', () => {
  it('prints the count of each check, and the absence of differences', async () => {
    await sealEntries(api.database.db(), BOTH_ENVIRONMENTS, vault.auditing);
    const { code, output } = await runAudit();
    expect([code, output]).toEqual([0, expect.stringContaining('No differences found.')]);
    const lines = output.trim().split('\n');
    expect(
      lines.slice(0, -1).filter(line => !/^ok +[1-9]\d* {2}/.test(line) && !/balance snapshots|checkpoints/.test(line)),
    ).toEqual([]);
    expect(output).toMatch(/ok +8 {2}collected charges are in the acquirer/);
    expect(output).toMatch(/ok +2 {2}collected payments without a card/);
  });

  it('does not report events as missing that were deleted after their retention', async () => {
    const old = `update transactions set creation_date = creation_date - interval '13 months' where id in ('${ids.charge}', '${ids.refund}');
      delete from events where object_id in ('${ids.charge}', '${ids.refund}')`;
    await withDamage(api.database.url(), old, async client =>
      expect((await differencesIn(client, api)).join()).not.toMatch(/has no event|was refunded \d+ times/),
    );
  });

  it('does not delay readers of events, because it writes no row during its snapshot', async () => {
    await inDatabase(api.database.url(), async client => {
      const ids: (string | null)[] = [];
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<{ rows: { id: string | null }[] }>;
      jest.spyOn(client, 'query').mockImplementation((async (...args: unknown[]) => {
        const result = await query(...args);
        if (args[0] !== 'rollback' && args[0] !== 'discard temp') {
          const [row] = (await query('select pg_current_xact_id_if_assigned()::text as id')).rows;
          ids.push(row?.id ?? null);
        }
        return result;
      }) as never);
      await reconcile(client, api.acquirer.credentials().url, { key: vault.auditing });
      expect(ids.length).toBeGreaterThan(50);
      expect(new Set(ids)).toEqual(new Set([null]));
    });
  });

  const transaction = (id: string, change: string) => `update transactions set ${change} where id = '${id}'`;
  testDamages(api, [
    [
      'a movement that does not sum to zero',
      () => `update entries set amount = amount + 1 where movement = 'charge ${ids.charge}' and account like 'costs%'`,
      /sums to 1/,
    ],
    [
      'a movement that was booked at different times',
      () =>
        `update entries set creation_date = creation_date - interval '1 day' where movement = 'charge ${ids.charge}' and account like 'costs%'`,
      /was booked at 2 times/,
    ],
    [
      'a balance that differs from its entries',
      () => `insert into balances values ('merchant x', 5, pg_current_xact_id())`,
      /merchant x is 5/,
    ],
    [
      'a charge without entries',
      () => `delete from entries where movement = 'charge ${ids.charge}'`,
      /its entries clear 0/,
    ],
    ['entries of a failed charge', () => transaction(ids.charge, `status = 'failed'`), /is failed, its entries clear/],
    [
      'a refund without entries',
      () => `delete from entries where movement = 'refund ${ids.refund}'`,
      /its entries clear 0 of 50000/,
    ],
    ['a fee without entries', () => `delete from entries where movement = 'fee ${ids.fee}'`, /moved 0, not 10000/],
    [
      'funds held without an open chargeback',
      () => transaction(ids.chargeback, `status = 'completed'`),
      /held amount: 10000000/,
    ],
    [
      'a won chargeback that was credited to another account',
      () =>
        `update entries set account = 'merchant x' where movement = 'chargeback rejected ${ids.wonBack}' and amount > 0`,
      /leaves -10000000 on customer/,
    ],
    [
      'an overdrawn account of a customer',
      () => `insert into entries (movement, account, amount, transaction_id)
        select 'chargeback 1', a, v, '${ids.chargeback}' from (values ('customer x', -5), ('merchant x', 5)) as e (a, v)`,
      /customer x is -5/,
    ],
    [
      'a refund above the charged amount',
      () => transaction(ids.refund, 'amount = 10000001'),
      /has refunds of 10000001/,
    ],
    ['a missing event', () => `delete from events where object_id = '${ids.charge}'`, /has no event/],
    ['a skipped period', () => transaction(ids.period, 'period = 2'), /in period 1, paid periods: 2/],
    [
      'an open attempt without a charge in progress',
      () => `update subscriptions set open = '{"transaction_id": "t1"}'`,
      /has open attempt t1, charge in progress none/,
    ],
    [
      'a movement without a transaction',
      () => `insert into entries (movement, account, amount, transaction_id)
        select 'gift 1', a, v, '${ids.charge}' from (values ('merchant x', 5), ('clearing x', -5)) as e (a, v)`,
      /gift 1 on merchant x is 5, not 0/,
    ],
    [
      'a cost that differs from its entries',
      () => transaction(ids.charge, 'fee_amount = fee_amount + 1'),
      /costs .*, not/,
    ],
    ['a refund without an event', () => `delete from events where type = 'charge.refunded'`, /was refunded 1 times/],
    [
      'a charge that the acquirer does not have',
      () => transaction(ids.charge, 'amount = amount + 1'),
      /not in the journal/,
    ],
    [
      'a payment page charge that the acquirer does not have',
      () => transaction(ids.page, 'attempts = 7'),
      /not in the journal/,
    ],
    ['a voucher that was never paid', () => transaction(ids.voucher, `amount = amount + 1`), /not paid in the journal/],
    [
      'a bank payment of the acquirer that is missing here',
      () => transaction(ids.bank, `status = 'cancelled'`),
      /bank .*-paid of 5000000 is cancelled and settled here/,
    ],
    [
      'a payout that the acquirer does not have',
      () => transaction(ids.payoutUnderWay, `status = 'completed', progress = 'settled'`),
      /is a completed payout and not in the journal/,
    ],
    [
      'a completed payout of the acquirer that failed here',
      () => transaction(ids.payout, `status = 'failed'`),
      /payout .* of 200000 is failed and settled here/,
    ],
    [
      'a payout without entries',
      () => `delete from entries where movement = 'payout paid ${ids.payout}'`,
      /payout paid .* on clearing .* is 0, not 200000/,
    ],
    [
      'a capture that the acquirer does not have',
      () => transaction(ids.captured, 'attempts = 7'),
      /not in the journal/,
    ],
    [
      'a refund that the acquirer does not have',
      () => transaction(ids.refund, 'amount = 1'),
      /is a completed refund and not in the journal/,
    ],
    [
      'a charge of the acquirer that is missing here',
      () => transaction(ids.charge, `status = 'failed'`),
      /charge .* is failed and settled here/,
    ],
    [
      'a refund of the acquirer that is missing here',
      () => transaction(ids.refund, `status = 'failed'`),
      /refund .* is failed and settled here/,
    ],
  ]);

  it('exits with 1 if there is a difference', () =>
    withDamage(api.database.url(), transaction(ids.charge, `status = 'failed'`), async () => {
      expect(await runAudit()).toEqual({ code: 1, output: expect.stringMatching(/is failed, its entries clear/) });
    }));

  it('reports no differences after the damage is repaired', async () => {
    expect((await runAudit()).code).toBe(0);
  });
});
