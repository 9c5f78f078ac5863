import { CircuitBreaker } from '../../../platform/traffic/circuitBreaker';
import type { PendingDelivery } from './attempt';

const INITIAL_SLOTS = 10;
/** Limit while the process is short of slots. */
const MIN_SLOTS = 2;
const MAX_SLOTS = 50;
const SLOTS_LOST_PER_FAILURE = 5;
/** Also limited to half of the slots. */
const MAX_RETRIES_AT_ONCE = 5;
/** Limits of deliveries waiting in memory; also limited to the deliveries sent per second. */
const MAX_PENDING_PER_ENDPOINT = 2000;
const MAX_PENDING_RETRIES = 2 * MAX_RETRIES_AT_ONCE;

/**
 * The deliveries of a leased webhook in this process. First attempts keep the order of each object; retries have a separate
 * lane that neither blocks an object nor is blocked by one.
 */
export class Endpoint {
  private readonly breaker = new CircuitBreaker();
  /** Set by the first read. */
  merchant_id = '';
  inFlight = 0;
  /** The end of the last attempt. */
  idleSince = Date.now();
  /** No delivery has succeeded for long, so attempts are made one at a time until one does. */
  isDead = false;
  /** First attempts that may be sent now. */
  private ready: PendingDelivery[] = [];
  /** The deliveries behind the ready or in-flight delivery of each object. */
  private readonly blockedByObject = new Map<string, PendingDelivery[]>();
  private waiting = 0;
  /** Retries that may be sent now. */
  private retries: PendingDelivery[] = [];
  private retriesInFlight = 0;
  /** Lanes alternate, so that neither starves if there is only one slot. */
  private wasRetry = false;
  /** Deliveries whose result is not yet written, with their size. */
  readonly firstAttempts = new HeldDeliveries();
  readonly laterAttempts = new HeldDeliveries();
  /** Whether no first attempt behind the first held one was returned to the queue. */
  private isContiguous = true;
  /** Grows with successes and shrinks with failures. */
  private slots = INITIAL_SLOTS;
  private readonly rate = new DeliveryRate();

  mayHaveMore(): void {
    this.firstAttempts.areAllRead = false;
    this.laterAttempts.areAllRead = false;
  }

  /** Number of first attempts that can be accepted now. */
  capacity(): number {
    if (this.firstAttempts.areAllRead || this.breaker.isOpen()) return 0;
    const window = Math.min(MAX_PENDING_PER_ENDPOINT, Math.max(2 * this.slots, this.rate.perSecond));
    return this.waiting > window / 2 ? 0 : window - this.waiting;
  }

  /** Number of retries that can be accepted now. */
  retryCapacity(): number {
    if (this.laterAttempts.areAllRead || this.breaker.isOpen()) return 0;
    return this.retries.length > MAX_PENDING_RETRIES / 2 ? 0 : MAX_PENDING_RETRIES - this.retries.length;
  }

  sequences = (): number[] => [...this.firstAttempts.sequences(), ...this.laterAttempts.sequences()];

  size = (): number => this.firstAttempts.size() + this.laterAttempts.size();

  bytes = (): number => this.firstAttempts.bytes + this.laterAttempts.bytes;

  hasRetries = (): boolean => this.retries.length > 0;

  /** Start of the next read of first attempts: earlier ones were sent, unless some were returned to the queue. */
  readFrom = (): number => (this.isContiguous ? (this.firstAttempts.sequences().next().value ?? 0) : 0);

  add(delivery: PendingDelivery): void {
    const { event, previousAttempts } = delivery;
    if (previousAttempts > 0) {
      this.laterAttempts.add(delivery);
      this.retries.push(delivery);
      return;
    }
    this.firstAttempts.add(delivery);
    this.waiting += 1;
    const blocked = this.blockedByObject.get(event.object_id);
    if (blocked) blocked.push(delivery);
    else {
      this.blockedByObject.set(event.object_id, []);
      this.ready.push(delivery);
    }
  }

  /** The next delivery to send. If the breaker is open, all waiting deliveries return to the queue. */
  next(isCrowded: boolean, mayRetry: boolean, now = Date.now()): PendingDelivery | undefined {
    const slots = Math.min(this.slots, this.isDead ? 1 : isCrowded ? MIN_SLOTS : MAX_SLOTS);
    if (this.inFlight >= slots) return;
    const canRetry =
      mayRetry && this.retries.length > 0 && this.retriesInFlight < Math.min(Math.ceil(slots / 2), MAX_RETRIES_AT_ONCE);
    if (!canRetry && this.ready.length === 0) return;
    if (!this.breaker.allowsRequest(now)) return void this.clear();
    this.inFlight += 1;
    this.wasRetry = canRetry && !(this.wasRetry && this.ready.length > 0);
    if (this.wasRetry) this.retriesInFlight += 1;
    else this.waiting -= 1;
    return (this.wasRetry ? this.retries : this.ready).shift();
  }

  finish({ event, previousAttempts }: PendingDelivery, isDelivered: boolean, now = Date.now()): void {
    this.inFlight -= 1;
    this.idleSince = now;
    this.rate.record();
    if (isDelivered) this.breaker.recordSuccess();
    else this.breaker.recordFailure(now);
    if (isDelivered) this.isDead = false;
    this.slots = isDelivered ? Math.min(this.slots + 1, MAX_SLOTS) : Math.max(this.slots - SLOTS_LOST_PER_FAILURE, 1);
    if (previousAttempts > 0) {
      this.retriesInFlight -= 1;
      return;
    }
    const unblocked = this.blockedByObject.get(event.object_id)?.shift();
    if (unblocked) this.ready.push(unblocked);
    else this.blockedByObject.delete(event.object_id);
  }

  forget({ sequence, previousAttempts }: PendingDelivery): void {
    (previousAttempts > 0 ? this.laterAttempts : this.firstAttempts).forget(sequence);
    this.isContiguous ||= this.firstAttempts.size() === 0;
  }

  /** Drops unsent deliveries; they are still in the queue for the next read of any process. */
  clear(): void {
    for (const delivery of [...this.ready, ...[...this.blockedByObject.values()].flat(), ...this.retries])
      this.forget(delivery);
    for (const { event } of this.ready) this.blockedByObject.delete(event.object_id);
    for (const blocked of this.blockedByObject.values()) blocked.length = 0;
    this.ready = [];
    this.retries = [];
    this.waiting = 0;
    this.isContiguous = this.firstAttempts.size() === 0;
  }
}

/** The deliveries of one lane until their results are written. */
class HeldDeliveries {
  private readonly bytesBySequence = new Map<number, number>();
  bytes = 0;
  /** Whether the queue is known to have no more of them. */
  areAllRead = false;

  sequences = (): MapIterator<number> => this.bytesBySequence.keys();

  size = (): number => this.bytesBySequence.size;

  add({ sequence, event }: PendingDelivery): void {
    this.bytesBySequence.set(sequence, event.object.length);
    this.bytes += event.object.length;
  }

  forget(sequence: number): void {
    this.bytes -= this.bytesBySequence.get(sequence) ?? 0;
    this.bytesBySequence.delete(sequence);
  }
}

/** Deliveries sent per second, measured over the last hundred. */
class DeliveryRate {
  perSecond = 0;
  private count = 0;
  private since = Date.now();

  record(): void {
    this.count += 1;
    if (this.count < 100) return;
    this.perSecond = Math.round(100_000 / Math.max(Date.now() - this.since, 1));
    this.count = 0;
    this.since = Date.now();
  }
}
