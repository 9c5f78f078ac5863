import { FairQueue } from '../../src/platform/traffic/fairQueue';

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A queue whose requests record their owner when admitted; `end` ends the oldest request of an owner. */
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

it('the queue admits every request while there is room', async () => {
  const { ask, seen } = lettingIn(3, () => 3);
  ask('a', 2);
  ask('b');
  expect(await seen()).toEqual(['a', 'a', 'b']);
});

it('the queue admits waiting owners in turn, however many requests each has queued', async () => {
  const { ask, end, seen } = lettingIn(2, () => 2);
  ask('a', 5);
  ask('b', 2);
  ask('c', 2);
  expect(await seen()).toEqual(['a', 'a']);
  const order = [];
  for (const owner of ['a', 'a', 'a', 'b', 'c', 'a', 'b']) order.push(...(await end(owner)));
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
});

it('the queue limits each owner to its share, even if there is capacity', async () => {
  const { ask, end, seen } = lettingIn(10, () => 2);
  ask('a', 4);
  ask('b');
  expect(await seen()).toEqual(['a', 'a', 'b']);
  expect(await end('a')).toEqual(['a']);
  expect(await end('b')).toEqual([]);
});

it('the queue reuses a slot once, even if it is released twice', async () => {
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

it('the queue removes a waiting request whose signal aborts', async () => {
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
