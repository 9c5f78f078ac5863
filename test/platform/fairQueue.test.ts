import { mock } from 'node:test';
import { FairQueue } from '../../src/platform/traffic/fairQueue';
import { atTheEnd } from '../harness/flow/atTheEnd';

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A queue whose requests record their owner when admitted; `end` ends the oldest request of an owner. */
function recordingQueue(maxSlots: number, maxSlotsOf: () => number) {
  const queue = new FairQueue(() => maxSlots, maxSlotsOf);
  const admitted: string[] = [];
  const releases: Record<string, (() => void)[]> = {};
  const request = (owner: string, times = 1, signal?: AbortSignal): void => {
    for (let i = 0; i < times; i++)
      queue.take(owner, signal).then(
        release => {
          admitted.push(owner);
          releases[owner] = [...(releases[owner] ?? []), release];
        },
        () => admitted.push(`${owner} left`),
      );
  };
  const end = async (owner: string): Promise<string[]> => {
    releases[owner]?.shift()?.();
    return newlyAdmitted();
  };
  const newlyAdmitted = async (): Promise<string[]> => {
    await settle();
    return admitted.splice(0);
  };
  return { request, end, newlyAdmitted };
}

it('the queue admits every request while there is room', async () => {
  const { request, newlyAdmitted } = recordingQueue(3, () => 3);
  request('a', 2);
  request('b');
  expect(await newlyAdmitted()).toEqual(['a', 'a', 'b']);
});

it('the queue admits waiting owners in turn, however many requests each has queued', async () => {
  const { request, end, newlyAdmitted } = recordingQueue(2, () => 2);
  request('a', 5);
  request('b', 2);
  request('c', 2);
  expect(await newlyAdmitted()).toEqual(['a', 'a']);
  const order = [];
  for (const owner of ['a', 'a', 'a', 'b', 'c', 'a', 'b']) order.push(...(await end(owner)));
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
});

it('the queue limits each owner to its share, even if there is capacity', async () => {
  const { request, end, newlyAdmitted } = recordingQueue(10, () => 2);
  request('a', 4);
  request('b');
  expect(await newlyAdmitted()).toEqual(['a', 'a', 'b']);
  expect(await end('a')).toEqual(['a']);
  expect(await end('b')).toEqual([]);
});

it('the queue reuses a slot once, even if it is released twice', async () => {
  const queue = new FairQueue(
    () => 1,
    () => 1,
  );
  const release = await queue.take('a');
  release();
  release();
  const { request, newlyAdmitted } = { request: () => queue.take('b'), newlyAdmitted: settle };
  await request();
  let isSecondIn = false;
  void queue.take('c').then(() => {
    isSecondIn = true;
  });
  await newlyAdmitted();
  expect(isSecondIn).toBe(false);
});

it('the queue removes a waiting request whose signal aborts', async () => {
  const { request, end, newlyAdmitted } = recordingQueue(1, () => 1);
  const impatience = new AbortController();
  request('a');
  request('b', 1, impatience.signal);
  request('c');
  expect(await newlyAdmitted()).toEqual(['a']);
  impatience.abort();
  expect(await newlyAdmitted()).toEqual(['b left']);
  expect(await end('a')).toEqual(['c']);
});

it('the queue gives a slot back at once when its owner pauses, and to that owner only after the pause', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  atTheEnd(() => mock.timers.reset());
  const queue = new FairQueue(
    () => 1,
    () => 1,
  );
  const admitted: string[] = [];
  const first = await queue.take('a');
  void queue.take('a').then(() => admitted.push('a'));
  void queue.take('b').then(release => {
    admitted.push('b');
    release();
  });
  first(1000);
  await settle();
  expect(admitted).toEqual(['b']);
  mock.timers.tick(1000);
  await settle();
  expect(admitted).toEqual(['b', 'a']);
});

it('the queue follows a number of slots that changes', async () => {
  let slots = 1;
  const queue = new FairQueue(
    () => slots,
    () => 9,
  );
  const admitted: string[] = [];
  const releases = [await queue.take('a')];
  for (const owner of ['b', 'c', 'd'])
    void queue.take(owner).then(release => {
      admitted.push(owner);
      releases.push(release);
    });
  await settle();
  expect(admitted).toEqual([]);
  slots = 2;
  releases[0]?.();
  await settle();
  expect(admitted).toEqual(['b', 'c']);
});
