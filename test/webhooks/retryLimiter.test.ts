/** Attempts after the first: how many at once, and when those come back that are turned away. */
import { RetryLimiter, type RetrySlot } from '../../src/webhooks/delivery/retryLimiter';

const NOW = 1_000_000;
const waitOf = (turn: RetrySlot): number => ('waitMs' in turn ? turn.waitMs : 0);
const begin = (turn: RetrySlot): ((delivered: boolean, now?: number) => void) => {
  if ('waitMs' in turn) throw new Error(`turned away for ${turn.waitMs} ms`);
  return turn.release;
};

it('lets five at once to an endpoint, and the next when one of them is over', () => {
  const turns = new RetryLimiter();
  const [first] = Array.from({ length: 5 }, () => begin(turns.acquire('w1', false, NOW)));
  expect(waitOf(turns.acquire('w1', false, NOW))).toBe(1000);
  expect(waitOf(turns.acquire('w2', false, NOW))).toBe(0);
  first?.(true);
  expect(waitOf(turns.acquire('w1', false, NOW))).toBe(0);
});

it('turns away one after the other, none for longer than five minutes', () => {
  const turns = new RetryLimiter();
  for (let i = 0; i < 5; i++) begin(turns.acquire('w1', false, NOW));
  const waits = Array.from({ length: 5000 }, () => waitOf(turns.acquire('w1', false, NOW)));
  expect(waits.slice(0, 3)).toEqual([1000, 1100, 1200]);
  expect(waits.at(-1)).toBe(5 * 60_000);
});

it('looks at an endpoint that does not answer with one at a time', () => {
  const turns = new RetryLimiter();
  for (let i = 0; i < 5; i++) begin(turns.acquire('w1', false, NOW))(false, NOW);
  expect(waitOf(turns.acquire('w1', false, NOW))).toBeGreaterThan(0);
  const over = begin(turns.acquire('w1', false, NOW + 600));
  expect(waitOf(turns.acquire('w1', false, NOW + 600))).toBeGreaterThan(0);
  over(true);
  expect(waitOf(turns.acquire('w1', false, NOW + 600))).toBe(0);
});

it('leaves half of the activities to others, however many endpoints are dead', () => {
  const turns = new RetryLimiter();
  let under = 0;
  for (let i = 0; i < 100; i++) if (waitOf(turns.acquire(`w${i}`, false, NOW)) === 0) under += 1;
  expect(under).toBe(50);
});

it('leaves most turns to those that have not failed for long', () => {
  const turns = new RetryLimiter();
  const begun = (isDead: boolean, name: string) =>
    Array.from({ length: 100 }, (_, i) => waitOf(turns.acquire(`${name}${i}`, isDead, NOW))).filter(wait => wait === 0)
      .length;
  expect([begun(true, 'dead'), begun(false, 'living')]).toEqual([15, 35]);
});
