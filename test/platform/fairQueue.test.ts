import { FairQueue } from '../../src/platform/traffic/fairQueue';

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A queue whose requests write down who was let in; `end` ends the oldest of an owner. */
function lettingIn(maxSlots: number, maxSlotsOf: () => number) {
  const queue = new FairQueue(maxSlots, maxSlotsOf);
  const letIn: string[] = [];
  const releases: Record<string, (() => void)[]> = {};
  const ask = (owner: string, times = 1, signal?: AbortSignal): void => {
    for (let i = 0; i < times; i++)
      queue.take(owner, signal).then(
        release => {
          letIn.push(owner);
          releases[owner] = [...(releases[owner] ?? []), release];
        },
        () => letIn.push(`${owner} left`),
      );
  };
  const end = async (owner: string): Promise<string[]> => {
    releases[owner]?.shift()?.();
    return seen();
  };
  const seen = async (): Promise<string[]> => {
    await settle();
    return letIn.splice(0);
  };
  return { ask, end, seen };
}

it('admits every request while there is room', async () => {
  const { ask, seen } = lettingIn(3, () => 3);
  ask('a', 2);
  ask('b');
  expect(await seen()).toEqual(['a', 'a', 'b']);
});

it('lets those who wait take turns, however many requests each has lined up', async () => {
  const { ask, end, seen } = lettingIn(2, () => 2);
  ask('a', 5);
  ask('b', 2);
  ask('c', 2);
  expect(await seen()).toEqual(['a', 'a']);
  const order = [];
  for (const owner of ['a', 'a', 'a', 'b', 'c', 'a', 'b']) order.push(...(await end(owner)));
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
});

it('limits each owner to its share, even if there is room', async () => {
  const { ask, end, seen } = lettingIn(10, () => 2);
  ask('a', 4);
  ask('b');
  expect(await seen()).toEqual(['a', 'a', 'b']);
  expect(await end('a')).toEqual(['a']);
  expect(await end('b')).toEqual([]);
});

it('a slot that is released twice is reused once', async () => {
  const queue = new FairQueue(1, () => 1);
  const release = await queue.take('a');
  release();
  release();
  const { ask, seen } = { ask: () => queue.take('b'), seen: settle };
  await ask();
  let isSecondIn = false;
  void queue.take('c').then(() => {
    isSecondIn = true;
  });
  await seen();
  expect(isSecondIn).toBe(false);
});

it('forgets a request whose signal aborts while it waits', async () => {
  const { ask, end, seen } = lettingIn(1, () => 1);
  const impatience = new AbortController();
  ask('a');
  ask('b', 1, impatience.signal);
  ask('c');
  expect(await seen()).toEqual(['a']);
  impatience.abort();
  expect(await seen()).toEqual(['b left']);
  expect(await end('a')).toEqual(['c']);
});
