/** Attempts after the first: how many run at once, and when rejected ones come back. */
import { RetryLimiter, type RetrySlot } from '../../src/webhooks/delivery/retryLimiter';

const NOW = 1_000_000;
const waitOf = (slot: RetrySlot): number => ('waitMs' in slot ? slot.waitMs : 0);
const releaseOf = (slot: RetrySlot): ((isDelivered: boolean, now?: number) => void) => {
  if ('waitMs' in slot) throw new Error(`rejected for ${slot.waitMs} ms`);
  return slot.release;
};

it('allows five attempts at once per endpoint, and the next when one of them has ended', () => {
  const limiter = new RetryLimiter();
  const [releaseFirst] = Array.from({ length: 5 }, () => releaseOf(limiter.acquire('w1', false, NOW)));
  expect(waitOf(limiter.acquire('w1', false, NOW))).toBe(1000);
  expect(waitOf(limiter.acquire('w2', false, NOW))).toBe(0);
  releaseFirst?.(true);
  expect(waitOf(limiter.acquire('w1', false, NOW))).toBe(0);
});

it('spaces rejected attempts out, none by more than five minutes', () => {
  const limiter = new RetryLimiter();
  for (let i = 0; i < 5; i++) releaseOf(limiter.acquire('w1', false, NOW));
  const waits = Array.from({ length: 5000 }, () => waitOf(limiter.acquire('w1', false, NOW)));
  expect(waits.slice(0, 3)).toEqual([1000, 1100, 1200]);
  expect(waits.at(-1)).toBe(5 * 60_000);
});

it('probes an endpoint that does not answer with one attempt at a time', () => {
  const limiter = new RetryLimiter();
  for (let i = 0; i < 5; i++) releaseOf(limiter.acquire('w1', false, NOW))(false, NOW);
  expect(waitOf(limiter.acquire('w1', false, NOW))).toBeGreaterThan(0);
  const release = releaseOf(limiter.acquire('w1', false, NOW + 600));
  expect(waitOf(limiter.acquire('w1', false, NOW + 600))).toBeGreaterThan(0);
  release(true);
  expect(waitOf(limiter.acquire('w1', false, NOW + 600))).toBe(0);
});

it('allows fifty attempts at once in all, which leaves half of the activities to others', () => {
  const limiter = new RetryLimiter();
  let acquired = 0;
  for (let i = 0; i < 100; i++) if (waitOf(limiter.acquire(`w${i}`, false, NOW)) === 0) acquired += 1;
  expect(acquired).toBe(50);
});

it('reserves most slots for endpoints that have not failed for long', () => {
  const limiter = new RetryLimiter();
  const countAcquired = (isDead: boolean, name: string) =>
    Array.from({ length: 100 }, (_, i) => waitOf(limiter.acquire(`${name}${i}`, isDead, NOW))).filter(
      wait => wait === 0,
    ).length;
  expect([countAcquired(true, 'dead'), countAcquired(false, 'alive')]).toEqual([15, 35]);
});
