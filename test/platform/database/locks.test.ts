import { retryOnDeadlock } from '../../../src/platform/database/locks';
import { testDatabase } from '../../harness/servers/database';

const database = testDatabase();
const [FIRST, SECOND] = ['first', 'second'];

beforeAll(async () => {
  await database.db().$executeRaw`create table places (name text primary key, moves integer not null)`;
});
beforeEach(async () => {
  await database.db().$executeRaw`delete from places`;
  await database.db().$executeRaw`insert into places values (${FIRST}, 0), (${SECOND}, 0)`;
});

const movesOf = async (): Promise<number[]> =>
  (await database.db().$queryRaw<{ moves: number }[]>`select moves from places order by name`).map(
    ({ moves }) => moves,
  );

describe('two transactions that change the same two rows in opposite order', () => {
  /** Each transaction locks its first row before either locks its second row. */
  function barrier(): () => Promise<void> {
    let arrived = 0;
    let release: () => void = () => undefined;
    const both = new Promise<void>(resolve => {
      release = resolve;
    });
    return async () => {
      arrived += 1;
      if (arrived >= 2) release();
      await both;
    };
  }

  const change = (names: string[], meet: () => Promise<void>): Promise<void> =>
    database.db().$transaction(async tx => {
      for (const name of names) {
        await tx.$executeRaw`update places set moves = moves + 1 where name = ${name}`;
        await meet();
      }
    });

  it('both succeed, once each, if the transaction that PostgreSQL aborts is repeated', async () => {
    const meet = barrier();
    await Promise.all([
      retryOnDeadlock(() => change([FIRST, SECOND], meet)),
      retryOnDeadlock(() => change([SECOND, FIRST], meet)),
    ]);
    expect(await movesOf()).toEqual([2, 2]);
  });

  it('leave only one successful without a repetition', async () => {
    const meet = barrier();
    const results = await Promise.allSettled([change([FIRST, SECOND], meet), change([SECOND, FIRST], meet)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await movesOf()).toEqual([1, 1]);
  });
});

it('another error is thrown at once', async () => {
  let tries = 0;
  const work = async (): Promise<void> => {
    tries += 1;
    throw new Error('no such table');
  };
  await expect(retryOnDeadlock(work)).rejects.toThrow('no such table');
  expect(tries).toBe(1);
});
