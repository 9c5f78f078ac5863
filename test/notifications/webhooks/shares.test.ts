/** The order and the number of simultaneous attempts: of one endpoint, of all together, first and later ones. */
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

/** An endpoint with so many first and later attempts that are due. */
function newEndpoint(firsts: number, retries: number, isDead = false): Endpoint {
  const endpoint = new Endpoint();
  endpoint.isDead = isDead;
  for (let i = 0; i < firsts; i++) endpoint.add(newDelivery(0));
  for (let i = 0; i < retries; i++) endpoint.add(newDelivery(1));
  return endpoint;
}

/** Everything that may be sent now. */
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
  it('gets five later attempts at once, and the next when one of them has ended', () => {
    const slots = new Slots();
    const endpoint = newEndpoint(0, 9);
    const taken = takeAll(slots, endpoint);
    expect(kinds(taken)).toEqual([0, 5]);
    taken[0]?.release(true);
    expect(kinds(takeAll(slots, endpoint))).toEqual([0, 1]);
  });

  it('gets first attempts in at least half of its slots, however many later ones wait', () => {
    const slots = new Slots();
    const endpoint = newEndpoint(100, 100);
    const taken = takeAll(slots, endpoint);
    expect(kinds(taken)).toEqual([5, 5]);
    // More slots are for first attempts.
    for (const slot of taken.filter(slot => !isRetry(slot))) slot.release(true);
    expect(kinds(takeAll(slots, endpoint))).toEqual([10, 0]);
  });

  it('gets later attempts, however many first ones wait', () => {
    const slots = new Slots();
    const endpoint = newEndpoint(1000, 3);
    expect(kinds(takeAll(slots, endpoint))).toEqual([7, 3]);
  });

  it('gets first and later attempts in turn while it has a single slot', () => {
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

  it('gets a later attempt while an earlier event of its object is under way, and the reverse', () => {
    const slots = new Slots();
    const endpoint = new Endpoint();
    const [first, second] = [newDelivery(0, 't-same'), newDelivery(0, 't-same')];
    for (const delivery of [newDelivery(3, 't-same'), first, second]) endpoint.add(delivery);
    const taken = takeAll(slots, endpoint);
    expect(taken.map(({ delivery }) => delivery.previousAttempts)).toEqual([3, 0]);
    // The end of the later attempt lets nothing of its object pass.
    taken[0]?.release(true);
    expect(takeAll(slots, endpoint)).toEqual([]);
    taken[1]?.release(true);
    expect(takeAll(slots, endpoint).map(({ delivery }) => delivery)).toEqual([second]);
  });

  it('that does not answer is probed with one attempt at a time, and with all again once it answers', () => {
    // The breaker is open for half a second, also for those who ask it without a time.
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
    // It earns its slots anew.
    expect([next(now + 600), next(now + 600), next(now + 600)].filter(Boolean)).toHaveLength(1);
  });

  it('takes more later attempts out of the queue only as it makes them', () => {
    const endpoint = newEndpoint(0, 10);
    expect(endpoint.retryCapacity()).toBe(0);
    const taken = takeAll(new Slots(), endpoint);
    expect([taken.length, endpoint.retryCapacity()]).toEqual([5, 5]);
    endpoint.laterAttempts.areAllRead = true;
    expect(endpoint.retryCapacity()).toBe(0);
  });

  it('reads first attempts on from the oldest that it holds, regardless of the later attempts it holds', () => {
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

  it('get so many attempts at once', () => {
    const slots = new Slots(limits);
    // From half of all slots on, each gets two.
    expect(kinds(takeAll(slots, ...endpointsWith(30, 50, 0)))).toEqual([40, 0]);
    const late = newEndpoint(5, 0);
    expect(takeAll(slots, late)).toEqual([]);
  });

  it('a slot that was refused to an endpoint is offered to all', () => {
    const slots = new Slots({ ...limits, all: 1 });
    const [one, other] = [newEndpoint(2, 0), newEndpoint(2, 0)];
    const [slot] = takeAll(slots, one, other);
    expect(slot?.release(true)).toBe(true);
    // Before the offer begins, no endpoint can take the slot.
    expect(takeAll(slots, one)).toEqual([]);
    slots.beginOffer();
    expect(takeAll(slots, other)).toHaveLength(1);
  });

  it('get only a part of them for later attempts, which leaves the rest to first ones', () => {
    const slots = new Slots(limits);
    const endpoints = endpointsWith(10, 0, 5);
    const retries = takeAll(slots, ...endpoints);
    expect(kinds(retries)).toEqual([0, 12]);
    expect(kinds(takeAll(slots, newEndpoint(5, 5)))).toEqual([5, 0]);
    expect(retries[0]?.release(true)).toBe(true);
    slots.beginOffer();
    expect(kinds(takeAll(slots, ...endpoints))).toEqual([0, 1]);
  });

  it('get only a part of them where no delivery has arrived for long, which leaves the rest to live endpoints', () => {
    const slots = new Slots(limits);
    const dead = endpointsWith(10, 5, 5, true);
    const atDead = takeAll(slots, ...dead);
    // One at each.
    expect(atDead).toHaveLength(6);
    expect(kinds(takeAll(slots, newEndpoint(20, 0)))).toEqual([10, 0]);
    expect(atDead[0]?.release(false)).toBe(true);
    slots.beginOffer();
    expect(takeAll(slots, ...dead)).toHaveLength(1);
  });

  it('those of one merchant get only a part of them, which leaves the rest to other merchants', () => {
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

  it('an endpoint at which something arrives is dead no more', () => {
    const slots = new Slots(limits);
    const endpoint = newEndpoint(20, 0, true);
    const [slot] = takeAll(slots, endpoint);
    slot?.release(true);
    expect(takeAll(slots, endpoint).length).toBeGreaterThan(1);
    // Its share is released though it is not dead any more.
    expect(takeAll(slots, ...endpointsWith(10, 1, 0, true))).toHaveLength(6);
  });
});
