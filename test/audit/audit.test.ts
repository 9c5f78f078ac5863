import type { Client } from 'pg';
import { audit } from '../../src/audit/audit';
import { sealEntries } from '../../src/auditLog/seal';
import { BOTH_ENVIRONMENTS } from '../../src/database/environments';
import { deliveriesOfEachStatus, oneOfEachKind } from '../harness/merchant/oneOfEachKind';
import { SHORT_TIMEOUT_MS, testApi } from '../harness/servers/api';
import { inDatabase } from '../harness/servers/database';
import { Program } from '../harness/servers/program';

const api = testApi({ acquirerTimeoutMs: SHORT_TIMEOUT_MS });
const runAudit = async () => {
  const program = new Program('audit', {
    DATABASE_URL: api.database.url(),
    ACQUIRER_URL: api.acquirer.credentials().url,
  });
  return { code: await program.exited, output: program.output };
};
const ids = oneOfEachKind(api);
const deliveries = deliveriesOfEachStatus(api);

describe('npm run audit', () => {
  it('prints the count of each check, and that everything agrees', async () => {
    await sealEntries(api.database.db(), BOTH_ENVIRONMENTS);
    const { code, output } = await runAudit();
    expect([code, output]).toEqual([0, expect.stringContaining('Everything agrees.')]);
    const lines = output.trim().split('\n');
    expect(lines.slice(0, -1).filter(line => !/^ok +[1-9]\d* {2}/.test(line) && !line.includes('summed up'))).toEqual(
      [],
    );
    expect(output).toMatch(/ok +8 {2}charges that were taken are in the journal/);
    expect(output).toMatch(/ok +2 {2}payments in stores and at banks/);
  });

  const delivery = (id: string, change: string) => `update deliveries set ${change} where id = '${id}'`;
  const numberOf = (id: string) => `(select sequence from deliveries where id = '${id}')`;
  const transaction = (id: string, change: string) => `update transactions set ${change} where id = '${id}'`;
  it.each([
    [
      'a movement that does not sum to zero',
      () => `update entries set amount = amount + 1 where movement = 'charge ${ids.charge}' and account like 'costs%'`,
      /sums to 1/,
    ],
    [
      'a balance that is not its entries',
      () => `insert into balances values ('merchant x', 5, pg_current_xact_id())`,
      /merchant x is 5/,
    ],
    [
      'a charge without entries',
      () => `delete from entries where movement = 'charge ${ids.charge}'`,
      /its entries clear 0/,
    ],
    [
      'entries of a charge that failed',
      () => transaction(ids.charge, `status = 'failed'`),
      /is failed, its entries clear/,
    ],
    [
      'a refund without entries',
      () => `delete from entries where movement = 'refund ${ids.refund}'`,
      /its entries clear 0 of 50000/,
    ],
    ['a fee without entries', () => `delete from entries where movement = 'fee ${ids.fee}'`, /moved 0, not 10000/],
    [
      'money held without an open chargeback',
      () => transaction(ids.chargeback, `status = 'completed'`),
      /held are 10000000/,
    ],
    [
      'a chargeback that was won for another account',
      () =>
        `update entries set account = 'merchant x' where movement = 'chargeback rejected ${ids.wonBack}' and amount > 0`,
      /leaves -10000000 on customer/,
    ],
    [
      'a customer whose account is overdrawn',
      () => `insert into entries (movement, account, amount, transaction_id)
        select 'chargeback 1', a, v, '${ids.chargeback}' from (values ('customer x', -5), ('merchant x', 5)) as e (a, v)`,
      /customer x is -5/,
    ],
    ['a refund of more than was charged', () => transaction(ids.refund, 'amount = 10000001'), /gave back 10000001/],
    ['a missing event', () => `delete from events where object_id = '${ids.charge}'`, /nothing was told/],
    ['a skipped period', () => transaction(ids.period, 'period = 2'), /in period 1, paid are 2/],
    [
      'an open attempt without a charge in progress',
      () => `update subscriptions set open = '{"transaction_id": "t1"}'`,
      /has open t1, under way is nothing/,
    ],
    [
      'a movement without a transaction',
      () => `insert into entries (movement, account, amount, transaction_id)
        select 'gift 1', a, v, '${ids.charge}' from (values ('merchant x', 5), ('clearing x', -5)) as e (a, v)`,
      /gift 1 on merchant x is 5, not 0/,
    ],
    [
      'a cost that is not what was booked',
      () => transaction(ids.charge, 'fee_amount = fee_amount + 1'),
      /costs .*, not/,
    ],
    ['a refund without an event', () => `delete from events where type = 'charge.refunded'`, /was refunded 1 times/],
    [
      'a charge that the acquirer never saw',
      () => transaction(ids.charge, 'amount = amount + 1'),
      /the acquirer knows nothing of it/,
    ],
    [
      'a payment on a page that the acquirer never saw',
      () => transaction(ids.page, 'attempts = 7'),
      /the acquirer knows nothing of it/,
    ],
    [
      'a voucher that nobody paid',
      () => transaction(ids.voucher, `amount = amount + 1`),
      /the acquirer knows of no payment/,
    ],
    [
      'a payment at a bank that is not known here',
      () => transaction(ids.bank, `status = 'cancelled'`),
      /bank .*-paid of 5000000 is cancelled and settled here/,
    ],
    [
      'a capture that the acquirer never saw',
      () => transaction(ids.captured, 'attempts = 7'),
      /the acquirer knows nothing of it/,
    ],
    [
      'a refund that the acquirer never saw',
      () => transaction(ids.refund, 'amount = 1'),
      /was refunded and the acquirer knows nothing/,
    ],
    [
      'a charge of the acquirer that is not known here',
      () => transaction(ids.charge, `status = 'failed'`),
      /charge .* is failed and settled here/,
    ],
    [
      'a refund of the acquirer that is not known here',
      () => transaction(ids.refund, `status = 'failed'`),
      /refund .* is failed and settled here/,
    ],
    [
      'a delivery that is pending and not queued',
      () => `delete from delivery_queue where delivery_id = '${deliveries.pending}'`,
      /is pending, not queued for its first attempt/,
    ],
    [
      'a delivery that is queued for its first attempt and not pending',
      () => delivery(deliveries.pending, `status = 'failed'`),
      /is failed, queued for its first attempt/,
    ],
    [
      'a delivery that is pending with an attempt in the log',
      () => `insert into delivery_attempts (sequence, number, duration) values (${numberOf(deliveries.pending)}, 1, 1)`,
      /is pending, queued for its first attempt, with 1 logged/,
    ],
    [
      'a delivery that is delivered and has not arrived',
      () => delivery(deliveries.failed, `status = 'delivered'`),
      /is delivered, its last attempt got 500/,
    ],
    [
      'a delivery that has arrived and is not delivered',
      () => delivery(deliveries.delivered, `status = 'failed'`),
      /is failed, its last attempt got 200/,
    ],
    [
      'a delivery with more attempts than are logged',
      () => delivery(deliveries.retrying, 'attempts = 2'),
      /has had 2 attempts, logged are 1/,
    ],
    [
      'a delivery with an attempt that is missing in the log',
      () => `update delivery_attempts set number = 2 where sequence = ${numberOf(deliveries.retrying)}`,
      /has had 1 attempts, logged are 2/,
    ],
    [
      'a delivery under retry without a next attempt',
      () => delivery(deliveries.retrying, 'next_at = null'),
      /is retrying, its next attempt is never/,
    ],
    [
      'a delivery that was given up and has a next attempt',
      () => delivery(deliveries.failed, `next_at = '2030-01-01Z'`),
      /is failed, its next attempt is 2030/,
    ],
    [
      'a queued delivery that does not exist',
      () => `insert into delivery_queue (webhook_id, sequence, delivery_id, event_id) values ('w1', 1, 'd1', 'e1')`,
      /d1 is queued after 0 attempts, and is gone/,
    ],
    [
      'a delivery that is queued for another attempt than its next',
      () => `update delivery_queue set attempts = 7 where delivery_id = '${deliveries.queuedAgain}'`,
      /is queued after 7 attempts, and is retrying after 1/,
    ],
    [
      'a delivery that is queued though it was given up',
      () => delivery(deliveries.queuedAgain, `status = 'failed', next_at = null`),
      /is queued after 1 attempts, and is failed after 1/,
    ],
    [
      'an attempt without a delivery',
      () => `insert into delivery_attempts (sequence, number, duration) values (0, 1, 1)`,
      /attempt 1 of 0 belongs to no delivery/,
    ],
  ])('reports %s', (_, damage, message) =>
    withDamage(damage(), async client => {
      const findings = await audit(client, api.acquirer.credentials().url);
      const differences = findings.flatMap(finding => finding.differences);
      expect(differences).toContainEqual(expect.stringMatching(message));
    }),
  );

  it('exits 1 when there is a difference', () =>
    withDamage(transaction(ids.charge, `status = 'failed'`), async () => {
      expect(await runAudit()).toEqual({ code: 1, output: expect.stringMatching(/is failed, its entries clear/) });
    }));

  async function withDamage(damage: string, check: (client: Client) => Promise<void>): Promise<void> {
    // In an order in which they can be filled again.
    const tables = ['transactions', 'entries', 'events', 'deliveries', 'delivery_queue', 'delivery_attempts'];
    await inDatabase(api.database.url(), async client => {
      for (const table of tables) {
        await client.query(`create table saved_${table} as table ${table}`);
        // Those of events let whatever is deleted with them go.
        if (table !== 'events') await client.query(`alter table ${table} disable trigger all`);
      }
      await client.query(damage);
      await check(client);
      for (const table of tables.toReversed()) await client.query(`delete from ${table}`);
      for (const table of tables) {
        await client.query(`insert into ${table} table saved_${table}`);
        await client.query(`drop table saved_${table}`);
        await client.query(`alter table ${table} enable trigger all`);
      }
      await client.query('delete from balances');
      await client.query('update subscriptions set open = null');
    });
  }

  it('agrees again once the damage is repaired', async () => {
    expect((await runAudit()).code).toBe(0);
  });
});
