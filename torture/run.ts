/**
 * `npm run torture -- --minutes 5 --seed 1`: payments, and subscriptions under a moving clock, with faults on a schedule
 * that depends on the seed. Afterwards compares the witnesses. Exits with 1 if they differ, or if a scheduled fault did not
 * happen.
 */
import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { reconcile } from '../src/operations/reconciliation/reconcile';
import { auditingKey } from '../src/platform/vault/keys';
import { DAY_MS } from '../workflows/calendar';
import { answers } from './client';
import { cause } from './faults';
import { Listener } from './listener';
import { TorturedMerchant } from './merchant';
import { PaidMerchant } from './payments';
import { randomFrom } from './random';
import { describeFault, type Fault, planFaults } from './schedule';
import { startTortureStack, type TortureStack } from './stack';
import { Witnesses } from './witnesses';

const DEFAULT_MINUTES = '5';
const MERCHANTS = 3;
const ACTORS_PER_MERCHANT = 2;
const PAYMENT_ACTORS = 4;
const PROGRESS_INTERVAL_MS = 30_000;
/** Covers webhook retries and acquirer lookups, whose delays grow to minutes. */
const QUIET_PATIENCE_MS = 900_000;

/** Counts of unfinished work by kind. */
const UNFINISHED = `
  select 'transactions' as what, count(*)::integer as left from transactions
    where progress in ('prepared', 'capturing', 'voiding', 'paying', 'sending')
  union all select 'subscriptions', count(*)::integer from subscriptions s
    join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
    where s.status = 'new' or open is not null or clock_to is not null or (s.status <> 'cancelled' and (try_now
      or due_at < now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset))))
  union all select 'outbox', count(*)::integer from outbox where kind <> 'settlement'
  union all select 'deliveries', count(*)::integer from deliveries where status in ('pending', 'retrying')
  union all select 'reports', count(*)::integer from settlement_reports where ended_at is null`;
/** Payments that should be settled: a day is settled on the next morning. */
const UNSETTLED = `${UNFINISHED}
  union all select 'payments to settle', count(*)::integer from transactions t join merchants m on m.id = t.merchant_id
    where not conciliated and t.status in ('completed', 'refunded')
      and operation_date < now() + make_interval(secs => m.clock_offset) - interval '2 days'`;

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? DEFAULT_MINUTES);
const seed = Number(values.seed ?? randomInt(1_000_000_000));
if (!(minutes > 0 && Number.isInteger(seed))) {
  console.error('npm run torture -- --minutes 5 --seed 1');
  process.exit(2);
}

interface Merchants {
  merchants: TorturedMerchant[];
  payments: PaidMerchant;
}

const started = Date.now();
const say = (text: string): void =>
  console.info(`${((Date.now() - started) / 1000).toFixed(1).padStart(7)} s  ${text}`);

async function main(): Promise<void> {
  console.info(`seed ${seed}, ${minutes} minutes`);
  const stack = await startTortureStack();
  let isStopping = false;
  const stop = (): void => {
    if (!isStopping) stack.down().finally(() => process.exit(1));
    isStopping = true;
  };
  // Handles repeated signals, because a second signal must not leave the servers running.
  process.on('SIGINT', stop).on('SIGTERM', stop);
  let problems: string[] = [];
  try {
    problems = await torture(stack);
  } catch (error) {
    problems = [`${(error as Error).stack}`];
  }
  for (const problem of problems) console.error(`VIOLATION  ${problem}`);
  if (problems.length > 0 && process.env.TORTURE_KEEP) await sleep(Number(process.env.TORTURE_KEEP) * 1000);
  await stack.down();
  console.info(problems.length === 0 ? 'No violations found.' : `${problems.length} violations (seed ${seed}).`);
  process.exit(problems.length === 0 ? 0 : 1);
}

async function torture(stack: TortureStack): Promise<string[]> {
  const random = randomFrom(seed);
  const faults = planFaults(random, minutes * 60, { fillDisk: !!stack.disk, setClock: !!stack.clock });
  if (!stack.disk) console.info('skipped: full disk (no permission to mount)');
  if (!stack.clock) console.info('skipped: wrong clock (libfaketime is not installed)');
  console.info(`schedule:\n${faults.map(fault => `  ${describeFault(fault)}`).join('\n')}`);

  const listener = await Listener.open(randomFrom(seed + 1));
  const merchants: TorturedMerchant[] = [];
  for (let i = 0; i < MERCHANTS; i++) merchants.push(await TorturedMerchant.create(stack, listener, seed + 2 + i));
  const payments = await PaidMerchant.create(stack, listener, seed + 2 + MERCHANTS);
  const happened = await disturb(stack, { merchants, payments }, faults);
  await quieten(stack, { merchants, payments }, listener);
  return report(stack, { merchants, payments }, listener, { faults, happened });
}

/** Returns the faults that happened. */
async function disturb(stack: TortureStack, { merchants, payments }: Merchants, faults: Fault[]): Promise<Fault[]> {
  const over = new AbortController();
  const failed = new AbortController();
  setMaxListeners(0, over.signal, failed.signal);
  const begun = Date.now();
  const work = Promise.all([
    ...Array.from({ length: PAYMENT_ACTORS }, () => payments.act(over.signal)),
    ...merchants.flatMap(merchant => [
      ...Array.from({ length: ACTORS_PER_MERCHANT }, () => merchant.act(over.signal)),
      merchant.moveClockOn(over.signal),
      merchant.suspendNowAndThen(over.signal),
    ]),
  ]);
  work.catch(() => failed.abort());
  const progress = setInterval(() => {
    const subscriptions = merchants.reduce((sum, merchant) => sum + merchant.subscriptions.length, 0);
    const requests = [...answers.values()].reduce((sum, count) => sum + count, 0);
    say(
      `${subscriptions} subscriptions, ${payments.log.length} payments, ${requests} requests, ${happened.length} of ${faults.length} faults`,
    );
  }, PROGRESS_INTERVAL_MS);
  const happened: Fault[] = [];
  const cure = faults.map(async fault => {
    await sleep(begun + fault.at * 1000 - Date.now(), undefined, { signal: failed.signal });
    const shown = await cause(fault, stack);
    happened.push(fault);
    say(`${describeFault(fault)}: ${shown}`);
  });
  const results = await Promise.allSettled(cure);
  for (const result of results) if (result.status === 'rejected') say(`${result.reason.message}`);
  await sleep(begun + minutes * 60_000 - Date.now(), undefined, { signal: failed.signal }).catch(() => undefined);
  clearInterval(progress);
  over.abort();
  await work;
  return happened;
}

/** Without faults, moves all clocks to one day and waits until no work is left. */
async function quieten(stack: TortureStack, { merchants, payments }: Merchants, listener: Listener): Promise<void> {
  say('quiet');
  listener.isMoody = false;
  await stack.untilReady();
  // All payments that payers have begun are over then.
  const day = Math.max(...merchants.map(({ clock }) => clock)) + 4 * DAY_MS;
  const moveClocks = (to: number) => Promise.all([...merchants, payments].map(merchant => merchant.moveClock(to)));
  await moveClocks(day);
  await untilNone(stack, UNFINISHED);
  // A payment whose outcome was resolved late is settled after the next move.
  await moveClocks(day + 2 * DAY_MS);
  await untilNone(stack, UNSETTLED);
  say('nothing is left to do');
}

async function untilNone(stack: TortureStack, unfinished: string): Promise<void> {
  const deadline = Date.now() + QUIET_PATIENCE_MS;
  for (let printedAt = 0; ; await sleep(1000)) {
    const rows = await stack.db.$queryRawUnsafe<{ what: string; left: number }[]>(unfinished);
    const left = rows.filter(row => row.left > 0).map(row => `${row.left} ${row.what}`);
    if (left.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(`after ${QUIET_PATIENCE_MS / 60_000} minutes there are left: ${left.join(', ')}`);
    if (Date.now() < printedAt + PROGRESS_INTERVAL_MS) continue;
    say(`left: ${left.join(', ')}`);
    printedAt = Date.now();
  }
}

async function report(
  stack: TortureStack,
  { merchants, payments }: Merchants,
  listener: Listener,
  { faults, happened }: { faults: Fault[]; happened: Fault[] },
): Promise<string[]> {
  const client = new Client({ connectionString: stack.databaseUrl });
  await client.connect();
  const key = auditingKey(Buffer.from(stack.fingerprintKey, 'base64'));
  const findings = await reconcile(client, stack.acquirerUrl, { key });
  const witnesses = new Witnesses(client, stack.acquirerUrl, merchants, payments, listener);
  await witnesses.hear();
  await client.end();
  listener.close();

  const sum = (of: (merchant: TorturedMerchant) => number): number =>
    merchants.reduce((total, merchant) => total + of(merchant), 0);
  const ofKind = (list: Fault[], kind: string): number => list.filter(fault => fault.kind === kind).length;
  console.table(
    Object.fromEntries(
      [...answers]
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([outcome, requests]) => [outcome, { requests }]),
    ),
  );
  console.table(
    Object.fromEntries(
      [...new Set(faults.map(({ kind }) => kind))].map(kind => [
        kind,
        { scheduled: ofKind(faults, kind), happened: ofKind(happened, kind) },
      ]),
    ),
  );
  const received = [...listener.accepted.values()].reduce((total, { size }) => total + size, 0);
  console.table({
    subscriptions: sum(({ subscriptions }) => subscriptions.length),
    renewals: witnesses.renewals,
    payments: payments.log.length,
    'moves of clocks': sum(({ moves }) => moves),
    suspensions: sum(({ suspensions }) => suspensions),
    'events accepted': received,
    'accepted twice': listener.doubles,
    'refused at first': listener.refused,
  });
  for (const { title, count, differences } of findings)
    console.info(`${differences.length === 0 ? 'ok  ' : 'DIFF'} ${String(count).padStart(8)}  ${title}`);
  return [
    ...faults.filter(fault => !happened.includes(fault)).map(fault => `never happened: ${describeFault(fault)}`),
    ...findings.flatMap(({ title, differences }) => differences.map(difference => `${title}: ${difference}`)),
    ...witnesses.problems,
  ];
}

main();
