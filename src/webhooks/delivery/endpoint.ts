import { CircuitBreaker } from '../../platform/circuitBreaker';
import type { PendingDelivery } from './attempt';

const INITIAL_SLOTS = 10;
/** Where there is little place left for all. */
const MIN_SLOTS = 2;
const MAX_SLOTS = 50;
const SLOTS_LOST_PER_FAILURE = 5;
/** No more than these wait here, and no more than go out in a second. */
const MAX_PENDING = 2000;

/** What a process knows of one webhook that it serves: what waits for it, in order for one object, and how well it answers. */
export class Endpoint {
  readonly breaker = new CircuitBreaker();
  inFlight = 0;
  /** When the last attempt was over. */
  idleSince = Date.now();
  /** Those that may go now; and for each object with one that may or does, those behind it. */
  private ready: PendingDelivery[] = [];
  private readonly blockedByObject = new Map<string, PendingDelivery[]>();
  /** All that are here, until what became of them is written down; and how long each is. */
  private readonly bytesBySequence = new Map<number, number>();
  bytes = 0;
  private isWhole = true;
  private waiting = 0;
  /** One that answers gets more and more at once; one that does not, ever less. */
  private slots = INITIAL_SLOTS;
  private readonly pace = new DeliveryRate();

  /** Whether nothing more waits for it, as far as is known. */
  isDrained = false;

  /** How many more it could do with now. */
  capacity(): number {
    if (this.isDrained || this.breaker.isOpen()) return 0;
    const window = Math.min(MAX_PENDING, Math.max(2 * this.slots, this.pace.perSecond));
    return this.waiting > window / 2 ? 0 : window - this.waiting;
  }

  /** By their sequence. */
  sequences = (): Iterable<number> => this.bytesBySequence.keys();

  size = (): number => this.bytesBySequence.size;

  /** From where on there may be more: before it all has gone out, unless something was given back. */
  readFrom = (): number => (this.isWhole ? (this.bytesBySequence.keys().next().value ?? 0) : 0);

  add(delivery: PendingDelivery): void {
    const { event, sequence } = delivery;
    this.bytesBySequence.set(sequence, event.object.length);
    this.bytes += event.object.length;
    this.waiting += 1;
    const others = this.blockedByObject.get(event.object_id);
    if (others) others.push(delivery);
    else {
      this.blockedByObject.set(event.object_id, []);
      this.ready.push(delivery);
    }
  }

  /** The one that may go now. An endpoint that does not answer is left alone, with all that waits for it. */
  next(isCrowded: boolean): PendingDelivery | undefined {
    const slots = isCrowded ? Math.min(this.slots, MIN_SLOTS) : this.slots;
    if (this.inFlight >= slots || this.ready.length === 0) return;
    if (!this.breaker.allowsRequest()) return void this.clear();
    this.inFlight += 1;
    this.waiting -= 1;
    return this.ready.shift();
  }

  finish({ event }: PendingDelivery, delivered: boolean): void {
    this.inFlight -= 1;
    this.idleSince = Date.now();
    this.pace.done();
    if (delivered) this.breaker.recordSuccess();
    else this.breaker.recordFailure();
    this.slots = delivered ? Math.min(this.slots + 1, MAX_SLOTS) : Math.max(this.slots - SLOTS_LOST_PER_FAILURE, 1);
    const following = this.blockedByObject.get(event.object_id)?.shift();
    if (following) this.ready.push(following);
    else this.blockedByObject.delete(event.object_id);
  }

  forget(sequence: number): void {
    this.bytes -= this.bytesBySequence.get(sequence) ?? 0;
    this.bytesBySequence.delete(sequence);
    this.isWhole ||= this.bytesBySequence.size === 0;
  }

  /** What has not gone out stays in the queue for whoever reads it next. */
  clear(): void {
    for (const { sequence } of [...this.ready, ...[...this.blockedByObject.values()].flat()]) this.forget(sequence);
    for (const { event } of this.ready) this.blockedByObject.delete(event.object_id);
    for (const others of this.blockedByObject.values()) others.length = 0;
    this.ready = [];
    this.waiting = 0;
    this.isWhole = this.bytesBySequence.size === 0;
  }
}

/** How many go out in a second, by the last hundred. */
class DeliveryRate {
  perSecond = 0;
  private count = 0;
  private since = Date.now();

  done(): void {
    this.count += 1;
    if (this.count < 100) return;
    this.perSecond = Math.round(100_000 / Math.max(Date.now() - this.since, 1));
    this.count = 0;
    this.since = Date.now();
  }
}
