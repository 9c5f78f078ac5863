/** Token buckets that several processes share. Refills take days in these tests, so that no test depends on time. */
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { Buckets, type Limit } from '../../../src/platform/limits/buckets';
import { takePortion } from '../../../src/platform/limits/rows';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { PATIENCE, testDatabase } from '../../harness/servers/database';

const database = testDatabase();
const SLOW = 1e-6;
let scopes = 0;
const newScope = (): string => `test ${scopes++}`;
const process = (): Buckets => {
  const buckets = new Buckets(database.db());
  atTheEnd(() => buckets.close());
  return buckets;
};
const takeAll = async (buckets: Buckets, scope: string, limit: Limit, times: number): Promise<number> =>
  (await Promise.all(Array.from({ length: times }, () => buckets.take(scope, limit)))).filter(
    ({ isAllowed }) => isAllowed,
  ).length;

it('several processes share the tokens of a bucket without exceeding them', async () => {
  const [scope, limit] = [newScope(), { perSecond: SLOW, burst: 1000 }];
  const taken = await Promise.all([process(), process(), process()].map(each => takeAll(each, scope, limit, 600)));
  const total = taken.reduce((sum, count) => sum + count);
  // Each process may have admitted some requests before the database responded for the first time.
  expect(total).toBeGreaterThanOrEqual(950);
  expect(total).toBeLessThanOrEqual(1000 + 3 * 20);
});

it('two processes that create a bucket at the same moment both take tokens from it', async () => {
  const [db, scope] = [database.db(), newScope()];
  const isWaiting = async (): Promise<boolean> => {
    const [row] = await db.$queryRaw<{ waiting: bigint }[]>`
      select count(*) as waiting from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and exists (
        select from pg_locks waited where waited.pid = pg_locks.pid and waited.locktype = 'transactionid' and not waited.granted)`;
    return (row?.waiting ?? 0n) > 0n;
  };
  const portion = { scope, requested: 20, perSecond: SLOW, burst: 100, coolDownSeconds: 0 };
  const second = await db.$transaction(async tx => {
    await tx.rateBucket.create({ data: { scope, tokens: 80, granted: 20, refilled_at: new Date() } });
    const running = takePortion(db, portion);
    await until(isWaiting);
    return { running };
  }, PATIENCE);
  expect(await second.running).toMatchObject({ granted: 20, tokens: 60 });
});

it('admitted requests need no statement each', async () => {
  const query = jest.spyOn(Client.prototype, 'query');
  atTheEnd(() => query.mockRestore());
  const [buckets, scope, limit] = [process(), newScope(), { perSecond: 1000, burst: 2000 }];
  for (let i = 0; i < 500; i++) expect((await buckets.take(scope, limit)).isAllowed).toBe(true);
  const statements = query.mock.calls.filter(call => JSON.stringify(call).includes(scope));
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.length).toBeLessThanOrEqual(500 / 50);
});

it('two concurrent credits both count', async () => {
  const [buckets, scope] = [process(), newScope()];
  const limit = { perSecond: SLOW, burst: 100, coolDownSeconds: 900, localAllowance: 0 };
  expect(await takeAll(buckets, scope, limit, 60)).toBe(60);
  buckets.credit(scope, limit, 20);
  buckets.credit(scope, limit, 20);
  await buckets.close();
  await until(async () => {
    const { tokens } = await database.db().rateBucket.findUniqueOrThrow({ where: { scope } });
    return Math.round(tokens) === 80;
  });
});

it('an empty bucket returns the time of the next attempt, and sends no statement before it', async () => {
  const buckets = process();
  const [scope, limit] = [newScope(), { perSecond: 1 / 60, burst: 5 }];
  expect(await takeAll(buckets, scope, limit, 20)).toBe(5);
  await database.db().rateBucket.update({ where: { scope }, data: { tokens: 5 } });
  const refused = await buckets.take(scope, limit);
  expect(refused.isAllowed).toBe(false);
  expect(refused.waitSeconds).toBeGreaterThan(30);
});

it('a bucket refills with time, which another process sees', async () => {
  const [scope, limit] = [newScope(), { perSecond: 1, burst: 50 }];
  expect(await takeAll(process(), scope, limit, 200)).toBeGreaterThanOrEqual(50);
  const twentySecondsAgo = new Date(Date.now() - 20_000);
  await database.db().rateBucket.update({ where: { scope }, data: { tokens: 0, refilled_at: twentySecondsAgo } });
  expect(await takeAll(process(), scope, limit, 40)).toBeGreaterThanOrEqual(20);
});

it('an empty bucket begins a cool-down on request, despite credits, and one process reports it', async () => {
  const [one, other, scope] = [process(), process(), newScope()];
  const limit = { perSecond: SLOW, burst: 30, coolDownSeconds: 900, localAllowance: 0 };
  expect(await one.coolDownIfEmpty(scope, limit)).toBe(false);
  expect(await takeAll(one, scope, limit, 40)).toBe(30);
  const reports: boolean[] = [];
  for (const each of [one, other, one, other]) reports.push(await each.coolDownIfEmpty(scope, limit));
  expect(reports.filter(Boolean)).toHaveLength(1);
  for (const each of [one, other]) each.credit(scope, limit, 5);
  for (const each of [one, other, process()]) {
    const { isAllowed, waitSeconds } = await each.take(scope, limit);
    expect([isAllowed, waitSeconds > 600]).toEqual([false, true]);
  }
  await database.db().rateBucket.update({ where: { scope }, data: { tokens: 30, blocked_until: new Date(0) } });
  expect((await process().take(scope, limit)).isAllowed).toBe(true);
});

it('concurrent cool-down requests on a nearly empty bucket do not use up its remaining tokens', async () => {
  const [buckets, scope, limit] = [
    process(),
    newScope(),
    { perSecond: SLOW, burst: 20, coolDownSeconds: 900, localAllowance: 2 },
  ];
  expect(await takeAll(buckets, scope, limit, 18)).toBe(18);
  const begun: Promise<boolean>[] = [];
  await database.db().$transaction(async tx => {
    await tx.$executeRaw`select from rate_buckets where scope = ${scope} for update`;
    for (let i = 0; i < 5; i++) {
      begun.push(buckets.coolDownIfEmpty(scope, limit));
      // Longer than the batch delay: each call sends its own statement and sees the effect of earlier calls.
      await setTimeout(20);
    }
  }, PATIENCE);
  expect(await Promise.all(begun)).not.toContain(true);
  expect(await takeAll(buckets, scope, limit, 10)).toBe(2);
});

it('tokens that are in use and can be returned prevent a cool-down', async () => {
  const [buckets, scope] = [process(), newScope()];
  const limit = { perSecond: SLOW, burst: 5, coolDownSeconds: 900, localAllowance: 0 };
  expect(await takeAll(buckets, scope, limit, 20)).toBe(5);
  buckets.credit(scope, limit, 5);
  expect((await buckets.take(scope, limit)).isAllowed).toBe(true);
});

it('tokens from the local allowance of a process are deducted when the process ends', async () => {
  const [scope, limit] = [newScope(), { perSecond: SLOW, burst: 100, coolDownSeconds: 900 }];
  const first = process();
  expect(await takeAll(first, scope, limit, 8)).toBe(8);
  expect(await database.db().rateBucket.count({ where: { scope } })).toBe(0);
  await first.close();
  expect(await takeAll(process(), scope, limit, 200)).toBe(92);
});

it('unused tokens of a process return to the bucket when it ends', async () => {
  const [scope, limit] = [newScope(), { perSecond: SLOW, burst: 100 }];
  const first = process();
  expect(await takeAll(first, scope, limit, 15)).toBe(15);
  await first.close();
  expect(await takeAll(process(), scope, limit, 200)).toBe(85);
});

it('requests are admitted while there is no database, because they fail without it anyway', async () => {
  const buckets = new Buckets({ $queryRaw: () => Promise.reject(new Error('down')) } as never);
  expect(await takeAll(buckets, newScope(), { perSecond: 10, burst: 20 }, 100)).toBe(100);
  await buckets.close();
});
