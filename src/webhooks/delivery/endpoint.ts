import { CircuitBreaker } from '../../platform/circuitBreaker';
import type { PendingDelivery } from './attempt';

const INITIAL_SLOTS = 10;
/** While the process as a whole is short of slots. */
const MIN_SLOTS = 2;
const MAX_SLOTS = 50;
const SLOTS_LOST_PER_FAILURE = 5;
/** At most this many deliveries wait in memory, and at most as many as are sent in a second. */
const MAX_PENDING_PER_ENDPOINT = 2000;

/** What this process holds for a leased webhook: waiting deliveries, in order per object, and how well it answers. */
export class Endpoint {
  readonly breaker = new CircuitBreaker();
  inFlight = 0;
  /** When the last attempt ended. */
  idleSince = Date.now();
  /** Deliveries that may be sent now. */
  private ready: PendingDelivery[] = [];
  /** For each object with a delivery that is ready or in flight, the deliveries behind it. */
  private readonly blockedByObject = new Map<string, PendingDelivery[]>();
  /** Every delivery held here until its result is written, with its length. */
  private readonly bytesBySequence = new Map<number, number>();
  bytes = 0;
  /** Whether none of the deliveries behind the first held one has been given back to the queue. */
  private isContiguous = true;
  private waiting = 0;
  /** Grows while the endpoint answers, shrinks when it fails. */
  private slots = INITIAL_SLOTS;
  private readonly rate = new DeliveryRate();

  /** Whether the queue holds nothing more for it, as far as is known. */
  isDrained = false;

  /** How many more deliveries it could take now. */
  capacity(): number {
    if (this.isDrained || this.breaker.isOpen()) return 0;
    const window = Math.min(MAX_PENDING_PER_ENDPOINT, Math.max(2 * this.slots, this.rate.perSecond));
    return this.waiting > window / 2 ? 0 : window - this.waiting;
  }

  sequences = (): Iterable<number> => this.bytesBySequence.keys();

  size = (): number => this.bytesBySequence.size;

  /** Where the next read starts: everything before it has been sent, unless some deliveries were given back. */
  readFrom = (): number => (this.isContiguous ? (this.bytesBySequence.keys().next().value ?? 0) : 0);

  add(delivery: PendingDelivery): void {
    const { event, sequence } = delivery;
    this.bytesBySequence.set(sequence, event.object.length);
    this.bytes += event.object.length;
    this.waiting += 1;
    const blocked = this.blockedByObject.get(event.object_id);
    if (blocked) blocked.push(delivery);
    else {
      this.blockedByObject.set(event.object_id, []);
      this.ready.push(delivery);
    }
  }

  /** The next delivery to send. If the breaker is open, everything that waits is given back to the queue. */
  next(isCrowded: boolean): PendingDelivery | undefined {
    const slots = isCrowded ? Math.min(this.slots, MIN_SLOTS) : this.slots;
    if (this.inFlight >= slots || this.ready.length === 0) return;
    if (!this.breaker.allowsRequest()) return void this.clear();
    this.inFlight += 1;
    this.waiting -= 1;
    return this.ready.shift();
  }

  finish({ event }: PendingDelivery, isDelivered: boolean): void {
    this.inFlight -= 1;
    this.idleSince = Date.now();
    this.rate.record();
    if (isDelivered) this.breaker.recordSuccess();
    else this.breaker.recordFailure();
    this.slots = isDelivered ? Math.min(this.slots + 1, MAX_SLOTS) : Math.max(this.slots - SLOTS_LOST_PER_FAILURE, 1);
    const unblocked = this.blockedByObject.get(event.object_id)?.shift();
    if (unblocked) this.ready.push(unblocked);
    else this.blockedByObject.delete(event.object_id);
  }

  forget(sequence: number): void {
    this.bytes -= this.bytesBySequence.get(sequence) ?? 0;
    this.bytesBySequence.delete(sequence);
    this.isContiguous ||= this.bytesBySequence.size === 0;
  }

  /** Gives back what has not been sent: it is still in the queue for the next read, by this process or another. */
  clear(): void {
    for (const { sequence } of [...this.ready, ...[...this.blockedByObject.values()].flat()]) this.forget(sequence);
    for (const { event } of this.ready) this.blockedByObject.delete(event.object_id);
    for (const blocked of this.blockedByObject.values()) blocked.length = 0;
    this.ready = [];
    this.waiting = 0;
    this.isContiguous = this.bytesBySequence.size === 0;
  }
}

/** How many deliveries are sent per second, measured over the last hundred. */
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
