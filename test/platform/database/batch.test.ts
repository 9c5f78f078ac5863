import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import { batched, batchedWrites, setBatchDelay } from '../../../src/platform/database/batch';
import type { Database } from '../../../src/platform/database/connection';

const db = {} as Database;

interface Change {
  id: string;
  value: number;
}

/** Saves the changes with an even value, and records the batches. */
function evenValues() {
  const batches: number[][] = [];
  const write = async (_: Database, changes: readonly Change[]) => {
    batches.push(changes.map(({ value }) => value));
    return changes.filter(({ value }) => value % 2 === 0).map(({ id, value }) => ({ key: id, value }));
  };
  const save = batchedWrites(
    write,
    ({ id }: Change) => id,
    ({ key }) => key,
  );
  return { batches, save };
}

describe('batchedWrites', () => {
  it('combines the writes of one turn of the event loop into a batch, and returns each caller its own result', async () => {
    const { batches, save } = evenValues();
    const saved = await Promise.all([1, 2, 3, 4].map(value => save(db, { id: `row ${value}`, value })));
    expect(batches).toEqual([[1, 2, 3, 4]]);
    expect(saved).toEqual([undefined, { key: 'row 2', value: 2 }, undefined, { key: 'row 4', value: 4 }]);
  });

  it('writes in the order of the ids, so that rows are always locked in the same order', async () => {
    const { batches, save } = evenValues();
    const saved = await Promise.all([4, 1, 3, 2].map(value => save(db, { id: `row ${value}`, value })));
    expect(batches).toEqual([[1, 2, 3, 4]]);
    expect(saved.map(row => row?.value)).toEqual([4, undefined, undefined, 2]);
  });

  it('writes only the first of several changes of one row; the remaining changes return undefined', async () => {
    const { batches, save } = evenValues();
    const saved = await Promise.all([2, 4, 6].map(value => save(db, { id: 'row', value })));
    expect(batches).toEqual([[2]]);
    expect(saved).toEqual([{ key: 'row', value: 2 }, undefined, undefined]);
  });
});

/** The globals of the program, which Jest does not replace. */
const program = runInThisContext('globalThis') as typeof globalThis;
const { setTimeout: start } = program;
/** The timers of batches, held until a test fires them. All other timers of this process run normally. */
let timers: (() => void)[] = [];
const fireTimers = (): void => {
  for (const fire of timers.splice(0)) fire();
};
beforeEach(() => {
  timers = [];
  mock.method(program, 'setTimeout', (callback: () => void, ms?: number, ...rest: []) =>
    /database\/batch\.[jt]s/.test(new Error().stack ?? '') ? void timers.push(callback) : start(callback, ms, ...rest),
  );
});
afterEach(() => mock.restoreAll());

describe('setBatchDelay', () => {
  it('combines writes of several turns into a batch while the process has set a delay', async () => {
    let pauseMs = 100;
    const busy = { ...db };
    setBatchDelay(busy, () => pauseMs);
    const { batches, save } = evenValues();
    const first = save(busy, { id: 'a', value: 2 });
    await nextTurn();
    const second = save(busy, { id: 'b', value: 4 });
    await nextTurn();
    expect(batches).toEqual([]);
    fireTimers();
    expect([await first, await second]).toMatchObject([{ key: 'a' }, { key: 'b' }]);
    expect(batches).toEqual([[2, 4]]);

    pauseMs = 0;
    expect(await save(busy, { id: 'c', value: 6 })).toMatchObject({ key: 'c' });
    expect(batches).toEqual([[2, 4], [6]]);
  });
});

describe('batched', () => {
  it('returns the row to every caller of the same ID', async () => {
    const load = batched(
      async (_, ids: readonly string[]) => ids.map(id => ({ id })),
      id => id,
    );
    expect(await Promise.all(['a', 'a'].map(id => load(db, id)))).toEqual([{ id: 'a' }, { id: 'a' }]);
  });

  it('loads each key separately when a batch fails, so that only the invalid key fails', async () => {
    const load = batched(
      async (_, ids: readonly string[]) => {
        if (ids.includes('bad')) throw new Error('bad key');
        return ids.map(id => ({ id }));
      },
      id => id,
    );
    const results = await Promise.allSettled(['good', 'bad'].map(id => load(db, id)));
    expect(results).toMatchObject([
      { status: 'fulfilled', value: { id: 'good' } },
      { status: 'rejected', reason: { message: 'bad key' } },
    ]);
  });

  /** Loads that end on command. */
  function slowLoads() {
    const batches: string[][] = [];
    const endings: (() => void)[] = [];
    const load = batched(
      async (_, ids: readonly string[]) => {
        batches.push([...ids]);
        await new Promise<void>(resolve => endings.push(resolve));
        return ids.map(id => ({ id }));
      },
      id => id,
    );
    return { batches, endings, load };
  }

  it('collects requests while two batches are in progress, and sends them when one of the batches ends', async () => {
    const { batches, endings, load } = slowLoads();
    const loaded = [];
    for (const id of ['a', 'b', 'c', 'd']) {
      loaded.push(load(db, id));
      await nextTurn();
    }
    expect(batches).toEqual([['a'], ['b']]);
    endings[0]?.();
    await loaded[0];
    expect(batches).toEqual([['a'], ['b'], ['c', 'd']]);
    for (const end of endings) end();
    expect(await Promise.all(loaded)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }]);
  });

  it('does not wait for batches that do not end', async () => {
    const { batches, endings, load } = slowLoads();
    const loaded = [];
    for (const id of ['a', 'b', 'c']) {
      loaded.push(load(db, id));
      await nextTurn();
    }
    expect(batches).toEqual([['a'], ['b']]);
    fireTimers();
    expect(batches).toEqual([['a'], ['b'], ['c']]);
    for (const end of endings) end();
    await Promise.all(loaded);
  });
});
