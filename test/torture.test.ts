/**
 * Nothing lost, nothing double, whatever dies: the stack of `npm start` under load while its parts are killed with SIGKILL, then the logs of
 * the clients, the database and the acquirer's journal are compared line by line, and a webhook must have heard of all of it. `npm run torture`
 * is the long form; TORTURE_SEED chooses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { retryUntilAnswered } from '../src/embedded/managedProcess';
import type { JournalEntry } from '../src/simulator/state';
import { ask } from './harness/servers/api';
import { inDatabase } from './harness/servers/database';
import { cleanUpAfterwards, Home } from './harness/servers/localInstallation';
import { getUntil, Program } from './harness/servers/program';
import { temporalAddress, testNamespace } from './harness/servers/temporal';
import { killOneAfterAnother, type Line, prepareClients, randomFrom, schedule } from './harness/torture/clients';
import { Listening } from './harness/torture/webhookListener';
import { testReceiver } from './harness/webhooks/endpoint';

const long = process.env.TORTURE === 'long';
const {
  kills,
  operations,
  clients: clientCount,
} = long ? { kills: 60, operations: 3000, clients: 12 } : { kills: 14, operations: 400, clients: 8 };
const seed = Number(process.env.TORTURE_SEED ?? 20261115);

cleanUpAfterwards();
const namespace = testNamespace();
const receiver = testReceiver();

interface Row {
  id: string;
  transaction_type: string;
  status: string;
  amount: string;
  order_id: string | null;
  parent_id: string | null;
  description: string;
  capture: boolean;
}

it(
  `${operations} operations and ${kills} kills (seed ${seed}): nothing lost, nothing double`,
  async () => {
    const random = randomFrom(seed);
    const home = await Home.make();
    const launcher = home.start({ TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: namespace.name });
    await launcher.says('recaudo is up');
    const credentials = await home.json();
    await getUntil(`${home.url}/health`, 200);
    const { clients, cards } = await prepareClients(credentials, clientCount, random);
    const plan = schedule(random, kills);
    process.stderr.write(`seed ${seed}: ${plan.map(({ part, after }) => `${part}+${after}`).join(' ')}\n`);

    // Some answers of the acquirer are lost on their way, before or after the money moved.
    const { url, merchant_id, private_key: key } = credentials;
    for (const card of cards.slice(0, long ? cards.length : 2)) {
      const outcomes = ['approve', 'timeout_after_charge', 3001, 'timeout', 'slow'];
      await ask(`${url}/v1/${merchant_id}/sandbox/cards/${card}/script`, 'POST', { key, body: { outcomes } });
    }

    const listening = await Listening.begin(credentials, receiver, randomFrom(seed + 1));
    const killing = killOneAfterAnother(home, plan);
    await Promise.all(clients.map(client => client.work(Math.ceil(operations / clientCount), () => undefined)));
    expect(await killing).toBeGreaterThanOrEqual(Math.floor(kills * 0.8));

    // Quiet: what nobody asked about again is finished by the recovery.
    await retryUntilAnswered(async () => {
      const { rows } = await inDatabase(credentials.database_url, client =>
        client.query(`select id from transactions where progress in ('prepared', 'capturing', 'voiding', 'paying')`),
      );
      if (rows.length > 0) {
        await sleep(1000);
        throw new Error(`${rows.length} are unfinished`);
      }
    }, 150);

    const audit = new Program('audit', { DATA_DIR: home.dataDir });
    expect([await audit.exited, audit.output]).toEqual([0, expect.stringContaining('Everything agrees.')]);

    const { rows } = await inDatabase(credentials.database_url, client =>
      client.query<Row>(
        `select id, transaction_type, status, amount, order_id, parent_id, description, capture from transactions where description is distinct from 'First'`,
      ),
    );
    const journal: JournalEntry[] = [];
    for (let page: JournalEntry[] = []; ; ) {
      page = (await (
        await fetch(`${credentials.acquirer_url}/journal?limit=1000&after=${journal.length}`)
      ).json()) as JournalEntry[];
      journal.push(...page);
      if (page.length < 1000) break;
    }
    const log = clients.flatMap(client => client.log);
    expect(log.length).toBeGreaterThanOrEqual(operations);
    compare(log, rows, journal);
    await listening.hasHeardEverything();
    expect(await launcher.stop()).toBe(0);
  },
  long ? 1_800_000 : 400_000,
);

/** What clients were told, what we have written, what the acquirer has done: the same, line by line. */
function compare(log: Line[], rows: Row[], journal: JournalEntry[]): void {
  const byId = new Map(rows.map(row => [row.id, row]));
  const undone = new Set(journal.filter(({ operation }) => operation === 'reverse').map(({ key }) => key));
  const standing = journal.filter(
    ({ operation, outcome, key }) => operation !== 'reverse' && outcome === 'approved' && !undone.has(key),
  );
  const at = (operation: string, key: string) =>
    standing.filter(entry => entry.operation === operation && entry.key.startsWith(key));
  const done = (operation: Line['operation']) =>
    log.filter(line => line.operation === operation && line.status === 200);

  const kept = (id: string | undefined) => byId.get(id ?? '');
  for (const { id, key, amount } of done('charge')) {
    expect([key, kept(id)?.status]).toEqual([key, expect.stringMatching(/^(completed|refunded)$/)]);
    expect([key, at('charge', id ?? '').map(entry => entry.amount)]).toEqual([key, [amount * 100]]);
  }
  for (const { of, key, amount } of done('capture')) {
    expect([key, kept(of)?.status, Number(kept(of)?.amount)]).toEqual([key, 'completed', amount * 100]);
    expect([key, at('capture', of ?? '').map(entry => entry.amount)]).toEqual([key, [amount * 100]]);
  }
  for (const { of, key } of done('void')) {
    expect([key, kept(of)?.status, at('authorize', of ?? '')]).toEqual([key, 'cancelled', []]);
  }
  for (const { of, key, amount } of done('pay')) {
    expect([key, kept(of)?.status, at('voucher', `${of}-paid`).map(entry => entry.amount)]).toEqual([
      key,
      'completed',
      [amount * 100],
    ]);
  }
  for (const { of, key, amount } of done('page')) {
    expect([key, kept(of)?.status, at('charge', of ?? '').map(entry => entry.amount)]).toEqual([
      key,
      'completed',
      [amount * 100],
    ]);
  }
  for (const { id, of, key, amount } of done('refund')) {
    expect([key, kept(id)?.status, kept(id)?.parent_id]).toEqual([key, 'completed', of]);
    expect([key, at('refund', id ?? '').map(entry => entry.amount)]).toEqual([key, [amount * 100]]);
  }

  // And the other way round: nothing is there that nobody was told of.
  const count = (...test: [type: string, status: RegExp, capture?: boolean]) =>
    rows.filter(
      row => row.transaction_type === test[0] && test[1].test(row.status) && (test[2] ?? row.capture) === row.capture,
    ).length;
  const paidLater = done('pay').length + done('page').length;
  expect(count('charge', /completed|refunded/, true)).toBe(done('charge').length + paidLater);
  expect(count('charge', /completed|refunded/, false)).toBe(done('capture').length);
  expect(count('charge', /cancelled/)).toBe(done('void').length);
  expect(count('refund', /completed/)).toBe(done('refund').length);
  const held = rows.filter(({ transaction_type, order_id }) => transaction_type === 'charge' && order_id !== null);
  const living = held.filter(({ status }) => status !== 'failed').map(({ order_id }) => order_id);
  expect(new Set(living).size).toBe(living.length);
  const firstCharge = 1;
  const charged = done('charge').length + done('page').length + firstCharge;
  expect(standing.filter(({ operation }) => operation === 'charge')).toHaveLength(charged);
  expect(standing.filter(({ operation }) => operation === 'capture')).toHaveLength(done('capture').length);
  expect(standing.filter(({ operation }) => operation === 'refund')).toHaveLength(done('refund').length);
}
