/** Restarts the server, has some copies charged by their timers, and reports the cost. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryUntilAnswered } from '../../src/local/processes/managedProcess';
import type { ProductionTemporal } from '../../src/local/temporal/production';
import type { Database } from '../../src/platform/database/connection';
import { openTemporal } from '../../src/platform/temporal';
import { sweepIdOf, taskQueueOf } from '../../workflows/contract';
import { subscriptionWorkflowId } from '../../workflows/subscriptionContract';
import type { BenchEnvironment } from '../environment';
import { openMerchant, type Request } from '../fleet';
import { costOfEach, describeCost, processorTime } from '../processorTime';
import { startPrograms } from '../programs';
import type { Woken } from './copies';
import type { Databases } from './originals';
import { written } from './sizes';

const WAKE_DELAY_SECONDS = 40;
const IDLE_SECONDS = 30;
const SWEEP_SECONDS = 600;

export const say = (text: string): void =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
export async function withPrograms<T>(
  environment: BenchEnvironment,
  server: ProductionTemporal,
  work: (request: Request) => Promise<T>,
): Promise<T> {
  const programs = await startPrograms(environment, server.address);
  try {
    return await work((await openMerchant(environment, programs.origin)).request);
  } finally {
    await programs.down();
  }
}

const megabytes = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

/** Starts the server, waits until the timers have charged these copies, and stops it. */
export async function wake(
  environment: BenchEnvironment,
  server: ProductionTemporal,
  databases: Databases,
  woken: Woken[],
): Promise<{ perSecond: number; cost: Record<string, number> }> {
  const began = Date.now();
  const process = await environment.stack.start(server.newProcess());
  const temporal = openTemporal(server.address, 'default');
  const workflowId = subscriptionWorkflowId(woken[0]?.subscription ?? '');
  await retryUntilAnswered(() => temporal.workflow.getHandle(workflowId).describe());
  say(`the server started within ${Date.now() - began} ms`);
  const figures = await withPrograms(environment, server, async () => {
    await measureSweep(temporal);
    const [resting, restingWrites] = [processorTime(), await written(databases)];
    await sleep(IDLE_SECONDS * 1000);
    say(`at rest, processor ms per second: ${describeCost(costOfEach(resting, processorTime(), IDLE_SECONDS))}`);
    say(
      `at rest, written per second: ${describeCost(costOfEach(restingWrites, await written(databases), IDLE_SECONDS))}`,
    );
    return chargeAll(environment.db, databases, woken);
  });
  say(`the server has ${megabytes(process.pid ?? 0)} MB`);
  await temporal.connection.close();
  await process.down();
  return figures;
}

async function chargeAll(db: Database, databases: Databases, woken: Woken[]) {
  const ids = woken.map(({ subscription }) => subscription);
  const due = Date.now() + WAKE_DELAY_SECONDS * 1000;
  // Sealed cards are bound to their row, so copies are charged to the card of their original.
  await db.$executeRaw`
    with moved as (
      update subscriptions s set version = s.version + 1, card_id = w.card,
        due_at = now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset) + ${WAKE_DELAY_SECONDS})
      from customers c join merchants m on m.id = c.merchant_id,
        unnest(${ids}::varchar[], ${woken.map(({ card }) => card)}::varchar[]) as w (id, card)
      where c.id = s.customer_id and s.id = w.id
      returning s.id
    )
    insert into outbox (kind, object_id, environment) select 'nudge', id, 'sandbox' from moved`;
  await db.$executeRaw`notify deliveries`;
  await sleep(due - Date.now() - 1000);
  const paid = (): Promise<number> =>
    db.transaction.count({ where: { status: 'completed', subscription_id: { in: ids } } });
  const [before, writtenBefore] = [processorTime(), await written(databases)];
  while ((await paid()) < ids.length) await sleep(500);
  const seconds = (Date.now() - due) / 1000;
  const cost = costOfEach(before, processorTime(), ids.length);
  say(`${ids.length} were charged within ${seconds} s: ${describeCost(cost)}`);
  say(`written by each: ${describeCost(costOfEach(writtenBefore, await written(databases), ids.length))}`);
  return { perSecond: ids.length / seconds, cost };
}

/** Runs the sweep, which compares open workflows with their rows. */
async function measureSweep(temporal: ReturnType<typeof openTemporal>): Promise<void> {
  const sweep = temporal.schedule.getHandle(sweepIdOf(taskQueueOf('sandbox')));
  const { info } = await retryUntilAnswered(() => sweep.describe());
  await sweep.trigger();
  await retryUntilAnswered(async () => {
    const latest = (await sweep.describe()).info;
    const { action } = latest.recentActions.at(-1) ?? {};
    if (latest.numActionsTaken === info.numActionsTaken || !action) throw new Error('it has not begun');
    const { workflowId, firstExecutionRunId } = action.workflow;
    const { startTime, closeTime } = await temporal.workflow.getHandle(workflowId, firstExecutionRunId).describe();
    if (!closeTime) throw new Error('it is still running');
    say(`the sweep took ${closeTime.getTime() - startTime.getTime()} ms`);
  }, SWEEP_SECONDS);
}
