import { Breaker } from '../../platform/circuitBreaker';
import type { Waiting } from './attempt';

const FIRST_SLOTS = 10;
/** Where there is little place left for all. */
const FEWEST_SLOTS = 2;
const MOST_SLOTS = 50;
const LOST_BY_FAILURE = 5;
/** No more than these wait here, and no more than go out in a second. */
const MOST_WAITING = 2000;

/** What a process knows of one webhook that it serves: what waits for it, in order for one object, and how well it answers. */
export class Endpoint {
  readonly breaker = new Breaker();
  inFlight = 0;
  /** When the last attempt was over. */
  idleSince = Date.now();
  /** Those that may go now; and for each object with one that may or does, those behind it. */
  private ready: Waiting[] = [];
  private readonly behind = new Map<string, Waiting[]>();
  /** All that are here, until what became of them is written down; and how long each is. */
  private readonly here = new Map<number, number>();
  bytes = 0;
  private isWhole = true;
  private waiting = 0;
  /** One that answers gets more and more at once; one that does not, ever less. */
  private slots = FIRST_SLOTS;
  private readonly pace = new Pace();

  /** Whether nothing more waits for it, as far as is known. */
  isDry = false;

  /** How many more it could do with now. */
  wants(): number {
    if (this.isDry || this.breaker.isOpen()) return 0;
    const window = Math.min(MOST_WAITING, Math.max(2 * this.slots, this.pace.perSecond));
    return this.waiting > window / 2 ? 0 : window - this.waiting;
  }

  /** By their sequence. */
  known = (): Iterable<number> => this.here.keys();

  size = (): number => this.here.size;

  /** From where on there may be more: before it all has gone out, unless something was given back. */
  from = (): number => (this.isWhole ? (this.here.keys().next().value ?? 0) : 0);

  add(delivery: Waiting): void {
    const { event, sequence } = delivery;
    this.here.set(sequence, event.object.length);
    this.bytes += event.object.length;
    this.waiting += 1;
    const others = this.behind.get(event.object_id);
    if (others) others.push(delivery);
    else {
      this.behind.set(event.object_id, []);
      this.ready.push(delivery);
    }
  }

  /** The one that may go now. An endpoint that does not answer is left alone, with all that waits for it. */
  next(isCrowded: boolean): Waiting | undefined {
    const slots = isCrowded ? Math.min(this.slots, FEWEST_SLOTS) : this.slots;
    if (this.inFlight >= slots || this.ready.length === 0) return;
    if (!this.breaker.admits()) return void this.clear();
    this.inFlight += 1;
    this.waiting -= 1;
    return this.ready.shift();
  }

  over({ event }: Waiting, delivered: boolean): void {
    this.inFlight -= 1;
    this.idleSince = Date.now();
    this.pace.done();
    if (delivered) this.breaker.answered();
    else this.breaker.failed();
    this.slots = delivered ? Math.min(this.slots + 1, MOST_SLOTS) : Math.max(this.slots - LOST_BY_FAILURE, 1);
    const following = this.behind.get(event.object_id)?.shift();
    if (following) this.ready.push(following);
    else this.behind.delete(event.object_id);
  }

  written(sequence: number): void {
    this.bytes -= this.here.get(sequence) ?? 0;
    this.here.delete(sequence);
    this.isWhole ||= this.here.size === 0;
  }

  /** What has not gone out stays in the queue for whoever reads it next. */
  clear(): void {
    for (const { sequence } of [...this.ready, ...[...this.behind.values()].flat()]) this.written(sequence);
    for (const { event } of this.ready) this.behind.delete(event.object_id);
    for (const others of this.behind.values()) others.length = 0;
    this.ready = [];
    this.waiting = 0;
    this.isWhole = this.here.size === 0;
  }
}

/** How many go out in a second, by the last hundred. */
class Pace {
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
