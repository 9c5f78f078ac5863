/**
 * Nothing is lost and nothing happens twice, whatever is killed: runs the stack of `npm start` under load while its
 * parts are killed with SIGKILL. Then the logs of the clients, the database and the acquirer's journal are compared
 * line by line, and a webhook must have received every event. `npm run torture:payments` is the long form; TORTURE_SEED sets the
 * seed.
 */
import type { JournalEntry } from '../src/local/simulator/state';
import { randomFrom } from '../torture/random';
import { sendRequest } from './harness/servers/api';
import { killParts, type LogLine, planKills, prepareClients } from './harness/torture/clients';
import { testStack, UNFINISHED } from './harness/torture/stack';
import { WebhookListener } from './harness/torture/webhookListener';
import { testReceiver } from './harness/webhooks/endpoint';

const isLong = process.env.TORTURE === 'long';
const {
  kills,
  operations,
  clients: clientCount,
} = isLong ? { kills: 60, operations: 3000, clients: 12 } : { kills: 14, operations: 400, clients: 8 };
const seed = Number(process.env.TORTURE_SEED ?? 20261115);

const startStack = testStack();
const receiver = testReceiver();

interface TransactionRow {
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
    const { installation, launcher, credentials, ...stack } = await startStack();
    const { clients, cards } = await prepareClients(credentials, clientCount, random);
    const plan = planKills(random, kills);
    process.stderr.write(`seed ${seed}: ${plan.map(({ part, delayMs }) => `${part}+${delayMs}`).join(' ')}\n`);

    // Some responses of the acquirer are lost, before or after the money moved.
    const { url, merchant_id, private_key: key } = credentials;
    for (const card of cards.slice(0, isLong ? cards.length : 2)) {
      const outcomes = ['approve', 'timeout_after_charge', 3001, 'timeout', 'slow'];
      await sendRequest(`${url}/v1/${merchant_id}/sandbox/cards/${card}/script`, 'POST', { key, body: { outcomes } });
    }

    const webhook = await WebhookListener.register(credentials, receiver, randomFrom(seed + 1));
    const killing = killParts(installation, plan);
    await Promise.all(clients.map(client => client.run(Math.ceil(operations / clientCount), () => undefined)));
    await killing;

    await stack.untilNone(UNFINISHED);
    await stack.expectAgreement();

    const rows = await stack.query<TransactionRow>(
      `select id, transaction_type, status, amount, order_id, parent_id, description, capture from transactions where description is distinct from 'First'`,
    );
    const log = clients.flatMap(client => client.log);
    expect(log.length).toBeGreaterThanOrEqual(operations);
    compare(log, rows, await stack.readJournal());
    await webhook.expectEverythingDelivered();
    expect(await launcher.stop()).toBe(0);
  },
  isLong ? 1_800_000 : 400_000,
);

/** The clients' logs, our rows and the acquirer's journal must agree line by line. */
function compare(log: LogLine[], rows: TransactionRow[], journal: JournalEntry[]): void {
  const byId = new Map(rows.map(row => [row.id, row]));
  const reversed = new Set(journal.filter(({ operation }) => operation === 'reverse').map(({ key }) => key));
  const approved = journal.filter(
    ({ operation, outcome, key }) => operation !== 'reverse' && outcome === 'approved' && !reversed.has(key),
  );
  const approvedEntries = (operation: string, key: string) =>
    approved.filter(entry => entry.operation === operation && entry.key.startsWith(key));
  const succeeded = (operation: LogLine['operation']) =>
    log.filter(line => line.operation === operation && line.status === 200);

  const rowOf = (id: string | undefined) => byId.get(id ?? '');
  for (const { id, key, amount } of succeeded('charge')) {
    expect([key, rowOf(id)?.status]).toEqual([key, expect.stringMatching(/^(completed|refunded)$/)]);
    expect([key, approvedEntries('charge', id ?? '').map(entry => entry.amount)]).toEqual([key, [amount * 100]]);
  }
  for (const { id, key, amount } of succeeded('payout')) {
    expect([key, rowOf(id)?.status, approvedEntries('payout', id ?? '').map(entry => entry.amount)]).toEqual([
      key,
      'completed',
      [amount * 100],
    ]);
  }
  for (const { parentId, key, amount } of succeeded('capture')) {
    expect([key, rowOf(parentId)?.status, Number(rowOf(parentId)?.amount)]).toEqual([key, 'completed', amount * 100]);
    expect([key, approvedEntries('capture', parentId ?? '').map(entry => entry.amount)]).toEqual([key, [amount * 100]]);
  }
  for (const { parentId, key } of succeeded('void')) {
    expect([key, rowOf(parentId)?.status, approvedEntries('authorize', parentId ?? '')]).toEqual([
      key,
      'cancelled',
      [],
    ]);
  }
  for (const { parentId, key, amount } of succeeded('pay')) {
    expect([
      key,
      rowOf(parentId)?.status,
      approvedEntries('voucher', `${parentId}-paid`).map(entry => entry.amount),
    ]).toEqual([key, 'completed', [amount * 100]]);
  }
  for (const { parentId, key, amount } of succeeded('page')) {
    expect([
      key,
      rowOf(parentId)?.status,
      approvedEntries('charge', parentId ?? '').map(entry => entry.amount),
    ]).toEqual([key, 'completed', [amount * 100]]);
  }
  for (const { id, parentId, key, amount } of succeeded('refund')) {
    expect([key, rowOf(id)?.status, rowOf(id)?.parent_id]).toEqual([key, 'completed', parentId]);
    expect([key, approvedEntries('refund', id ?? '').map(entry => entry.amount)]).toEqual([key, [amount * 100]]);
  }

  // And conversely: there is nothing that no client has in its log.
  const count = (...test: [type: string, status: RegExp, capture?: boolean]) =>
    rows.filter(
      row => row.transaction_type === test[0] && test[1].test(row.status) && (test[2] ?? row.capture) === row.capture,
    ).length;
  const paidLater = succeeded('pay').length + succeeded('page').length;
  expect(count('charge', /completed|refunded/, true)).toBe(succeeded('charge').length + paidLater);
  expect(count('charge', /completed|refunded/, false)).toBe(succeeded('capture').length);
  expect(count('charge', /cancelled/)).toBe(succeeded('void').length);
  expect(count('refund', /completed/)).toBe(succeeded('refund').length);
  const ordered = rows.filter(({ transaction_type, order_id }) => transaction_type === 'charge' && order_id !== null);
  const liveOrderIds = ordered.filter(({ status }) => status !== 'failed').map(({ order_id }) => order_id);
  expect(new Set(liveOrderIds).size).toBe(liveOrderIds.length);
  const firstCharge = 1;
  const charged = succeeded('charge').length + succeeded('page').length + firstCharge;
  expect(approved.filter(({ operation }) => operation === 'charge')).toHaveLength(charged);
  expect(approved.filter(({ operation }) => operation === 'capture')).toHaveLength(succeeded('capture').length);
  expect(approved.filter(({ operation }) => operation === 'refund')).toHaveLength(succeeded('refund').length);
  expect(approved.filter(({ operation }) => operation === 'payout')).toHaveLength(succeeded('payout').length);
}
