import { Wakeups } from '../../../src/operations/background/wakeups';

const FOREVER_MS = 600_000;

describe('a loop that waits for work', () => {
  it('continues when work is announced', async () => {
    const wakeups = new Wakeups();
    const waiting = wakeups.watch()(FOREVER_MS);
    wakeups.wake();
    await waiting;
  });

  it('does not miss work that is announced while it checks', async () => {
    const wakeups = new Wakeups();
    const wait = wakeups.watch();
    wakeups.wake();
    await wait(FOREVER_MS);
  });

  it('checks by itself after a while', async () => {
    await new Wakeups().watch()(1);
  });

  it('wakes together with the other loops, and waits again', async () => {
    const wakeups = new Wakeups();
    const waits = [1, 2, 3].map(() => wakeups.watch()(FOREVER_MS));
    wakeups.wake();
    await Promise.all(waits);
    const again = wakeups.watch()(FOREVER_MS);
    const first = await Promise.race([again.then(() => 'woken'), Promise.resolve('waiting')]);
    expect(first).toBe('waiting');
    wakeups.wake();
    await again;
  });
});
