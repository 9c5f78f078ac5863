/**
 * First attempts, straight from the database: as soon as an event is committed, many endpoints at once, in order for one object.
 * Each endpoint has its own slots and its own breaker, so one that is slow or dead costs the others nothing. Reading, sending and writing
 * down go on beside each other.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from '../../database/connection';
import type { SentEvent } from '../../events/list';
import type { Log } from '../../platform/log';
import type { Outgoing } from '../../sending/sender';
import type { VaultKeys } from '../../vault/keys';
import { shareOut } from './allocateReads';
import { attempt, type Senders, type Waiting } from './attempt';
import { Writing } from './attemptWriter';
import { Endpoint } from './endpoint';
import { type Found, findWaiting, LEASE_MS, readQueue, serve, serveNoMore, serveOn } from './leases';
import { listen } from './listener';
import { writerTo } from './message';
import { isDelivered } from './recordAttempts';

/** Of all endpoints together. */
const MOST_IN_FLIGHT = 4000;
const PULSE_MS = 500;
const FLIGHT_MS = 10;
const RENEW_MS = 4000;
/** Nothing is begun any more with so little left of the lease. */
const MARGIN_MS = 3000;
/** Longer than any pause of a breaker, so that none is forgotten between two looks. */
const REMEMBERED_MS = 60_000;

interface Served {
  endpoint: Endpoint;
  environment: Environment;
  write: (event: SentEvent) => Outgoing;
}

export class Engine {
  private readonly me = randomUUID();
  private readonly served = new Map<string, Partial<Served> & { endpoint: Endpoint }>();
  private readonly writing: Writing;
  private wake: () => void = () => undefined;
  private stopping = false;
  private inFlight = 0;
  /** Whether somebody waits for a place among all. */
  private crowded = false;
  private renewed = 0;
  /** That there is something new. */
  private isTold = false;
  /** When it was last looked for without being told. */
  private looked = 0;

  constructor(
    private readonly db: Database,
    private readonly databaseUrl: string,
    private readonly vault: VaultKeys,
    private readonly senders: Senders,
    private readonly log: Log,
  ) {
    this.writing = new Writing(db, log);
  }

  async run(stop: AbortSignal): Promise<void> {
    const hear = (): void => {
      this.isTold = true;
      this.wake();
    };
    const listening = listen(this.databaseUrl, hear, stop);
    stop.addEventListener('abort', () => {
      this.stopping = true;
      this.wake();
    });
    for (let failed = false; !stop.aborted; ) {
      const woken = new Promise<void>(resolve => {
        this.wake = resolve;
      });
      const isMore = await this.turn().catch(error => {
        if (!failed) this.log.warn(`deliveries wait: ${error.message}`);
      });
      failed = isMore === undefined;
      if (!isMore) await Promise.race([woken, sleep(PULSE_MS)]);
    }
    await listening;
    while (this.inFlight > 0) await sleep(FLIGHT_MS);
    await this.writing.end();
    await serveNoMore(this.db, this.me, [...this.served.keys()]).catch(() => undefined);
  }

  /** Whether there may be more at once. */
  private async turn(): Promise<boolean> {
    await this.renew();
    const isPulse = Date.now() - this.looked >= PULSE_MS;
    const isNew = isPulse || this.isTold;
    this.isTold = false;
    const strangers: string[] = [];
    for (const id of isNew ? await findWaiting(this.db) : []) {
      const served = this.served.get(id);
      if (served) served.endpoint.isDry = false;
      else strangers.push(id);
    }
    const wanted = shareOut(this.served, isPulse, isNew);
    const here = wanted.flatMap(({ id }) => [...(this.served.get(id)?.endpoint.known() ?? [])]);
    const [found, more] = await Promise.all([
      wanted.length > 0 ? readQueue(this.db, this.me, wanted, here) : [],
      strangers.length > 0 ? serve(this.db, this.me, strangers) : [],
    ]);
    if (isPulse) this.looked = Date.now();
    const byId = new Map(found.map(one => [one.id, one]));
    for (const { id, count } of wanted) {
      const one = byId.get(id);
      if (one) this.receive(one, one.deliveries.length === 0 && count > 0 && !this.isTold);
      else this.drop(id);
    }
    for (const id of more) this.served.set(id, { endpoint: new Endpoint() });
    return more.length > 0 || this.isTold;
  }

  /** Says that we are still here, and lets go of those that nothing has come for. */
  private async renew(): Promise<void> {
    const now = Date.now();
    if (now - this.renewed < RENEW_MS) return;
    const idle = [...this.served].filter(([, { endpoint }]) => isLongIdle(endpoint, now)).map(([id]) => id);
    if (idle.length > 0) await serveNoMore(this.db, this.me, idle);
    for (const id of idle) this.served.delete(id);
    const held = [...this.served.keys()];
    const ours = new Set(held.length > 0 ? await serveOn(this.db, this.me, held) : []);
    for (const id of held) if (!ours.has(id)) this.drop(id);
    this.renewed = now;
  }

  /** Somebody else's now, or nobody's. */
  private drop(id: string): void {
    this.served.get(id)?.endpoint.clear();
    this.served.delete(id);
  }

  private receive({ deliveries, environment, ...to }: Found, isAll: boolean): void {
    const served = this.served.get(to.id);
    if (!served) return;
    Object.assign(served, { environment, write: writerTo(this.vault, to) });
    served.endpoint.isDry = isAll;
    for (const delivery of deliveries) served.endpoint.add(delivery);
    this.go(served as Served);
  }

  /** As much of it as there is place for. */
  private go(served: Served): void {
    if (this.stopping || Date.now() > this.renewed + LEASE_MS - MARGIN_MS) return void served.endpoint.clear();
    for (;;) {
      this.crowded ||= this.inFlight >= MOST_IN_FLIGHT;
      const next = this.crowded ? undefined : served.endpoint.next(this.inFlight >= MOST_IN_FLIGHT / 2);
      if (!next) return;
      this.inFlight += 1;
      void this.deliver(served, next);
    }
  }

  /** Where many wait for a place, those go first that have the fewest. */
  private goAll(): void {
    this.crowded = false;
    const all = [...this.served.values()].filter((one): one is Served => one.write !== undefined);
    for (const one of all.sort((a, b) => a.endpoint.inFlight - b.endpoint.inFlight)) this.go(one);
  }

  private async deliver(served: Served, waiting: Waiting): Promise<void> {
    const { endpoint, environment, write } = served;
    const fault = ({ message }: Error): void => this.log.error(`delivery ${waiting.id} could not be made: ${message}`);
    const attempted = await attempt(this.senders[environment], write, waiting, fault);
    this.inFlight -= 1;
    endpoint.over(waiting, isDelivered(attempted));
    this.writing.add(attempted, () => endpoint.written(waiting.sequence));
    if (this.crowded) this.goAll();
    else this.go(served);
    if (endpoint.wants() > 0) this.wake();
  }
}

/** Not as soon as one has nothing to do: a breaker knows more than the attempt that just failed. */
const isLongIdle = (endpoint: Endpoint, now: number): boolean =>
  endpoint.size() === 0 && endpoint.idleSince < now - REMEMBERED_MS;
