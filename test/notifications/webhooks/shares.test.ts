/** Limits of concurrent attempts: per endpoint, in total, and shared between first attempts and retries. */
import type { PendingDelivery } from '../../../src/notifications/webhooks/delivery/attempt';
import { Endpoint } from '../../../src/notifications/webhooks/delivery/endpoint';
import { type Slot, Slots } from '../../../src/notifications/webhooks/delivery/slots';
import { freezeClock } from '../../harness/flow/frozenClock';

const NOW = Date.now();
let sequence = 0;

function newDelivery(previousAttempts: number, object_id = `t${sequence}`): PendingDelivery {
  sequence += 1;
  const event = { id: `e${sequence}`, type: 'charge.succeeded', object_id, object: '{}', creation_date: new Date(NOW) };
  return { id: `d${sequence}`, webhook_id: 'w1', sequence, previousAttempts, event };
}

/** An endpoint with this number of first attempts and retries that are due. */
function newEndpoint(firsts: number, retries: number, isDead = false): Endpoint {
  const endpoint = new Endpoint();
  endpoint.isDead = isDead;
  for (let i = 0; i < firsts; i++) endpoint.add(newDelivery(0));
  for (let i = 0; i < retries; i++) endpoint.add(newDelivery(1));
  return endpoint;
}

/** Starts all attempts that the limits allow. */
function takeAll(slots: Slots, ...endpoints: Endpoint[]): Slot[] {
  const taken: Slot[] = [];
  for (const endpoint of endpoints)
    for (let slot = slots.take(endpoint); slot; slot = slots.take(endpoint)) taken.push(slot);
  return taken;
}
const isRetry = ({ delivery }: Slot): boolean => delivery.previousAttempts > 0;
const kinds = (taken: Slot[]) => [taken.filter(slot => !isRetry(slot)).length, taken.filter(isRetry).length];
const endpointsWith = (count: number, firsts: number, retries: number, isDead = false) =>
  Array.from({ length: count }, () => newEndpoint(firsts, retries, isDead));

describe('one endpoint', () => {
  it('makes five retries at a time, and the next when one of them has ended', () => {
    const slots = new Slots();
    const endpoint = newEndpoint(0, 9);
    const taken = takeAll(slots, endpoint);
    expect(kinds(taken)).toEqual([0, 5]);
    taken[0]?.release(true);
    expect(kinds(takeAll(slots, endpoint))).toEqual([0, 1]);
  });

  it('makes first attempts in at least half of its slots, however many retries wait', () => {
    const slots = new Slots();
    const endpoint = newEndpoint(100, 100);
    const taken = takeAll(slots, endpoint);
    expect(kinds(taken)).toEqual([5, 5]);
    // First attempts may use more slots.
    for (const slot of taken.filter(slot => !isRetry(slot))) slot.release(true);
    expect(kinds(takeAll(slots, endpoint))).toEqual([10, 0]);
  });

  it('makes retries, however many first attempts wait', () => {
    const slots = new Slots();
    const endpoint = newEndpoint(1000, 3);
    expect(kinds(takeAll(slots, endpoint))).toEqual([7, 3]);
  });

  it('alternates between first attempts and retries while it has a single slot', () => {
    const slots = new Slots();
    const endpoint = newEndpoint(10, 10, true);
    // A fifth failure would open the breaker.
    const order = Array.from({ length: 4 }, () => {
      const [slot, ...others] = takeAll(slots, endpoint);
      expect(others).toEqual([]);
      slot?.release(false);
      return slot && isRetry(slot);
    });
    expect(order).toEqual([true, false, true, false]);
  });

  it('makes a retry while an earlier event of its object is in flight, and the reverse', () => {
    const slots = new Slots();
    const endpoint = new Endpoint();
    const [first, second] = [newDelivery(0, 't-same'), newDelivery(0, 't-same')];
    for (const delivery of [newDelivery(3, 't-same'), first, second]) endpoint.add(delivery);
    const taken = takeAll(slots, endpoint);
    expect(taken.map(({ delivery }) => delivery.previousAttempts)).toEqual([3, 0]);
    // The end of the retry does not release the other event of its object.
    taken[0]?.release(true);
    expect(takeAll(slots, endpoint)).toEqual([]);
    taken[1]?.release(true);
    expect(takeAll(slots, endpoint).map(({ delivery }) => delivery)).toEqual([second]);
  });

  it('is probed with one attempt at a time while it does not respond, and uses all slots when it responds', () => {
    // The breaker is open for half a second, even for callers that pass no time.
    freezeClock();
    const now = Date.now();
    const endpoint = newEndpoint(0, 30);
    const next = (at: number) => endpoint.next(false, true, at);
    for (let i = 0; i < 5; i++) {
      const delivery = next(now);
      if (delivery) endpoint.finish(delivery, false, now);
    }
    const refill = () => Array.from({ length: 10 }, () => endpoint.add(newDelivery(1)));
    // Waiting deliveries return to the queue.
    expect([next(now), endpoint.hasRetries(), endpoint.retryCapacity()]).toEqual([undefined, false, 0]);
    refill();
    const probe = next(now + 600);
    expect([probe?.previousAttempts, next(now + 600)]).toEqual([1, undefined]);
    if (probe) endpoint.finish(probe, true, now + 600);
    refill();
    // It starts with its initial slots again.
    expect([next(now + 600), next(now + 600), next(now + 600)].filter(Boolean)).toHaveLength(1);
  });

  it('reads more retries from the queue only as it makes them', () => {
    const endpoint = newEndpoint(0, 10);
    expect(endpoint.retryCapacity()).toBe(0);
    const taken = takeAll(new Slots(), endpoint);
    expect([taken.length, endpoint.retryCapacity()]).toEqual([5, 5]);
    endpoint.laterAttempts.areAllRead = true;
    expect(endpoint.retryCapacity()).toBe(0);
  });

  it('reads first attempts from its oldest unfinished one on, regardless of its retries', () => {
    const endpoint = new Endpoint();
    const retry = newDelivery(1);
    const first = newDelivery(0);
    for (const delivery of [retry, first]) endpoint.add(delivery);
    expect(endpoint.readFrom()).toBe(first.sequence);
    expect(endpoint.sequences()).toEqual([first.sequence, retry.sequence]);
    endpoint.forget(first);
    expect([endpoint.readFrom(), endpoint.size(), endpoint.bytes()]).toEqual([0, 1, 2]);
  });
});

describe('all endpoints together', () => {
  const limits = { all: 40, ofMerchant: 40, retries: 12, atDeadEndpoints: 6 };

  it('share the total limit', () => {
    const slots = new Slots(limits);
    // When half of all slots are used, each endpoint gets two.
    expect(kinds(takeAll(slots, ...endpointsWith(30, 50, 0)))).toEqual([40, 0]);
    const late = newEndpoint(5, 0);
    expect(takeAll(slots, late)).toEqual([]);
  });

  it('are all offered a slot that one of them was refused', () => {
    const slots = new Slots({ ...limits, all: 1 });
    const [one, other] = [newEndpoint(2, 0), newEndpoint(2, 0)];
    const [slot] = takeAll(slots, one, other);
    expect(slot?.release(true)).toBe(true);
    // Before the offer begins, no endpoint can take the slot.
    expect(takeAll(slots, one)).toEqual([]);
    slots.beginOffer();
    expect(takeAll(slots, other)).toHaveLength(1);
  });

  it('share a limit for retries, which leaves the rest to first attempts', () => {
    const slots = new Slots(limits);
    const endpoints = endpointsWith(10, 0, 5);
    const retries = takeAll(slots, ...endpoints);
    expect(kinds(retries)).toEqual([0, 12]);
    expect(kinds(takeAll(slots, newEndpoint(5, 5)))).toEqual([5, 0]);
    expect(retries[0]?.release(true)).toBe(true);
    slots.beginOffer();
    expect(kinds(takeAll(slots, ...endpoints))).toEqual([0, 1]);
  });

  it('share a limit for dead endpoints, which leaves the rest to live endpoints', () => {
    const slots = new Slots(limits);
    const dead = endpointsWith(10, 5, 5, true);
    const atDead = takeAll(slots, ...dead);
    // One attempt at each endpoint.
    expect(atDead).toHaveLength(6);
    expect(kinds(takeAll(slots, newEndpoint(20, 0)))).toEqual([10, 0]);
    expect(atDead[0]?.release(false)).toBe(true);
    slots.beginOffer();
    expect(takeAll(slots, ...dead)).toHaveLength(1);
  });

  it('belonging to one merchant share a limit, which leaves the rest to other merchants', () => {
    const slots = new Slots({ ...limits, all: 80, ofMerchant: 15 });
    const own = (merchant_id: string) => Object.assign(newEndpoint(20, 0), { merchant_id });
    const busy = [own('busy'), own('busy'), own('busy')];
    const taken = takeAll(slots, ...busy);
    expect(taken).toHaveLength(15);
    expect(takeAll(slots, own('quiet'))).toHaveLength(10);
    expect(taken[0]?.release(true)).toBe(true);
    slots.beginOffer();
    expect(takeAll(slots, ...busy)).toHaveLength(1);
  });

  it('are no longer dead after a successful delivery', () => {
    const slots = new Slots(limits);
    const endpoint = newEndpoint(20, 0, true);
    const [slot] = takeAll(slots, endpoint);
    slot?.release(true);
    expect(takeAll(slots, endpoint).length).toBeGreaterThan(1);
    // Its slot of the limit for dead endpoints is released although the endpoint is no longer dead.
    expect(takeAll(slots, ...endpointsWith(10, 1, 0, true))).toHaveLength(6);
  });
});
