/**
 * Subscriptions are created and renewed while API, worker, acquirer and PostgreSQL are killed again and again.
 * TORTURE_SEED chooses when.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../../../torture/random';
import { visa } from '../../harness/cards/testCards';
import { type ApiResponse, sendRequest } from '../../harness/servers/api';
import { killParts, planKills } from '../../harness/torture/clients';
import { testStack } from '../../harness/torture/stack';

const [kills, count, weeks] = [6, 30, 6];
const seed = Number(process.env.TORTURE_SEED ?? 20261115);

const startStack = testStack();

it(`${count} subscriptions and ${2 * kills} kills (seed ${seed}): every period is charged once`, async () => {
  const random = randomFrom(seed);
  const { installation: home, launcher, credentials, ...stack } = await startStack();
  const { merchant_id, private_key: key } = credentials;

  /** Asked again under the same key until there is a last word. */
  const insist = async (path: string, body: object, name?: string): Promise<ApiResponse> => {
    for (const deadline = Date.now() + 600_000; Date.now() < deadline; await sleep(200)) {
      const headers: Record<string, string> = name ? { 'idempotency-key': name } : {};
      const answer = await sendRequest(`${home.url}/v1/${merchant_id}${path}`, 'POST', { key, body, headers }).catch(
        () => undefined,
      );
      if (answer && answer.status < 500 && answer.status !== 202) return answer;
    }
    throw new Error(`no last word on ${path} within ten minutes`);
  };
  const { id: customer } = (await insist('/customers', { name: 'María', email: 'maria@example.com' })).body;
  const { id: source_id } = (await insist(`/customers/${customer}/cards`, visa)).body;
  const plan = {
    name: 'W',
    amount: 1000,
    repeat_every: 1,
    repeat_unit: 'week',
    status_after_retry: 'unpaid',
    retry_times: 20,
  };
  const plans: string[] = [];
  for (const trial_days of [0, 2]) plans.push((await insist('/plans', { ...plan, trial_days })).body.id);
  const outcomes = [
    'approve',
    'timeout_after_charge',
    'timeout',
    'slow',
    3001,
    'approve',
    'timeout_after_charge',
    3003,
  ];
  await insist(`/sandbox/cards/${source_id}/script`, { outcomes });

  const killing = killParts(home, planKills(random, kills));
  const made = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      await sleep(i * 100);
      return insist(`/customers/${customer}/subscriptions`, { plan_id: plans[i % 2], source_id }, `make ${i}`);
    }),
  );
  await killing;
  expect(made.map(({ status }) => status)).toEqual(Array(count).fill(201));
  const ids = made.map(({ body }) => body.id);
  expect(new Set(ids).size).toBe(count);

  const to = new Date(Date.now() + (weeks * 7 + 3) * 86_400_000).toISOString().slice(0, 10);
  const again = killParts(home, planKills(random, kills));
  expect((await insist('/sandbox/clock', { to })).status).toBe(200);
  await again;
  // What was begun by a request that died is finished by the recovery.
  await stack.untilNone(
    `select id from transactions where progress = 'prepared' union all select id from subscriptions where status = 'new'`,
  );
  await stack.expectAgreement();
  const rows = await stack.query<{ id: string; status: string; period: number; paid: number; total: number }>(
    `select s.id, s.status, current_period_number as period, (select count(*)::int from subscriptions) as total,
       (select count(*)::int from transactions where subscription_id = s.id and status = 'completed') as paid from subscriptions s`,
  );
  expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const row of rows) {
    expect(row).toMatchObject({ status: 'active', period: row.paid });
    expect(row.paid).toBeGreaterThanOrEqual(weeks);
  }
  const journal = await stack.readJournal();
  const undone = new Set(journal.filter(({ operation }) => operation === 'reverse').map(({ key }) => key));
  const standing = journal.filter(
    ({ operation, outcome, key }) => operation === 'charge' && outcome === 'approved' && !undone.has(key),
  );
  expect(standing).toHaveLength(rows.reduce((sum, { paid }) => sum + paid, 0));
  expect(await launcher.stop()).toBe(0);
}, 1_800_000);
