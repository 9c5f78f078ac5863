/** A fleet whose subscriptions sleep on their own timers until they are due together, one wave after another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openTemporal } from '../src/platform/temporal';
import { subscriptionWorkflowId } from '../workflows/subscriptionContract';
import type { BenchEnvironment } from './environment';
import { type Fleet, forEach } from './fleet';
import type { TemporalServer } from './temporal';

/** The clock moves this much before a wave, which no sweep should notice. */
const HEAD_START_MS = 2000;

/** The first wave comes after this many seconds. */
export async function startWaves(environment: BenchEnvironment, server: TemporalServer, fleet: Fleet, seconds: number) {
  let wave = await startAsleep(environment, server, fleet, seconds);
  return {
    /** Sleeps until this much before the next wave. */
    sleepUntilBefore: (ms: number): Promise<void> => sleep(wave - ms - HEAD_START_MS - Date.now()),
    /** Waits for the next wave, whose successor comes after this many seconds. `work` ends when all have paid. */
    next: async (secondsUntilNext: number, measure: (work: () => Promise<void>) => Promise<void>): Promise<void> => {
      if (Date.now() > wave - HEAD_START_MS) throw new Error('The subscriptions were due before they were measured');
      const next = wave + secondsUntilNext * 1000;
      await sleep(wave - HEAD_START_MS - Date.now());
      await moveClock(environment, fleet, next);
      const before = await fleet.paid();
      await sleep(wave - Date.now());
      await measure(async () => {
        while ((await fleet.paid()) < before + fleet.count) await sleep(50);
      });
      wave = next;
    },
  };
}

/** Starts the workflows again, asleep until the first wave, because they were started with another clock. */
async function startAsleep(
  { db }: BenchEnvironment,
  server: TemporalServer,
  fleet: Fleet,
  seconds: number,
): Promise<number> {
  const temporal = openTemporal(server.address, 'default');
  const rows = await db.subscription.findMany({ where: { customer_id: { in: fleet.customerIds } } });
  await forEach(rows.length, i =>
    temporal.workflow.getHandle(subscriptionWorkflowId(rows[i]?.id ?? '')).terminate('measured later'),
  );
  const wave = Date.now() + seconds * 1000;
  await db.$executeRaw`
    with moved as (
      update subscriptions set version = version + 1,
        clock_offset = ceil(extract(epoch from due_at) - ${wave / 1000}::float)
      where customer_id = any(${fleet.customerIds}::varchar[]) returning id
    )
    insert into outbox (kind, object_id, environment) select 'subscription', id, 'sandbox' from moved`;
  await db.$executeRaw`notify deliveries`;
  await temporal.connection.close();
  return wave;
}

/** Sets their clocks: the charge after the next one is then due at `next` in real time. */
const moveClock = ({ db }: BenchEnvironment, { customerIds }: Fleet, next: number) => db.$executeRaw`
  update subscriptions set version = version + 1,
    clock_offset = ceil(extract(epoch from (due_at at time zone 'America/Bogota' + interval '1 month') at time zone 'America/Bogota')
      - ${next / 1000}::float)
  where customer_id = any(${customerIds}::varchar[])`;
