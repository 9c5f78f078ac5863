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
import type { OutgoingRequest } from '../../sending/sender';
import type { VaultKeys } from '../../vault/keys';
import { allocateReads } from './allocateReads';
import { attemptDelivery, type PendingDelivery, type Senders } from './attempt';
import { AttemptWriter } from './attemptWriter';
import { Endpoint } from './endpoint';
import {
  acquireLeases,
  findQueuedWebhooks,
  LEASE_MS,
  type LeasedWebhook,
  readQueue,
  releaseLeases,
  renewLeases,
} from './leases';
import { listen } from './listener';
import { messageWriter } from './message';
import { isDelivered } from './recordAttempts';

/** Of all endpoints together. */
const MAX_IN_FLIGHT = 4000;
const POLL_MS = 500;
const DRAIN_POLL_MS = 10;
const RENEW_MS = 4000;
/** Nothing is begun any more with so little left of the lease. */
const MIN_LEASE_LEFT_MS = 3000;
/** Longer than any pause of a breaker, so that none is forgotten between two looks. */
const IDLE_RELEASE_MS = 60_000;

interface LeasedEndpoint {
  endpoint: Endpoint;
  environment: Environment;
  write: (event: SentEvent) => OutgoingRequest;
}

export class DeliveryEngine {
  private readonly workerId = randomUUID();
  private readonly leased = new Map<string, Partial<LeasedEndpoint> & { endpoint: Endpoint }>();
  private readonly attemptWriter: AttemptWriter;
  private wake: () => void = () => undefined;
  private stopping = false;
  private inFlight = 0;
  /** Whether somebody waits for a place among all. */
  private crowded = false;
  private renewedAt = 0;
  /** That there is something new. */
  private isNotified = false;
  /** When it was last looked for without being told. */
  private lastPollAt = 0;

  constructor(
    private readonly db: Database,
    private readonly databaseUrl: string,
    private readonly vault: VaultKeys,
    private readonly senders: Senders,
    private readonly log: Log,
  ) {
    this.attemptWriter = new AttemptWriter(db, log);
  }

  async run(stop: AbortSignal): Promise<void> {
    const hear = (): void => {
      this.isNotified = true;
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
      const isMore = await this.poll().catch(error => {
        if (!failed) this.log.warn(`deliveries wait: ${error.message}`);
      });
      failed = isMore === undefined;
      if (!isMore) await Promise.race([woken, sleep(POLL_MS)]);
    }
    await listening;
    while (this.inFlight > 0) await sleep(DRAIN_POLL_MS);
    await this.attemptWriter.end();
    await releaseLeases(this.db, this.workerId, [...this.leased.keys()]).catch(() => undefined);
  }

  /** Whether there may be more at once. */
  private async poll(): Promise<boolean> {
    await this.renew();
    const isPulse = Date.now() - this.lastPollAt >= POLL_MS;
    const isNew = isPulse || this.isNotified;
    this.isNotified = false;
    const strangers: string[] = [];
    for (const id of isNew ? await findQueuedWebhooks(this.db) : []) {
      const served = this.leased.get(id);
      if (served) served.endpoint.isDrained = false;
      else strangers.push(id);
    }
    const wanted = allocateReads(this.leased, isPulse, isNew);
    const here = wanted.flatMap(({ id }) => [...(this.leased.get(id)?.endpoint.sequences() ?? [])]);
    const [found, more] = await Promise.all([
      wanted.length > 0 ? readQueue(this.db, this.workerId, wanted, here) : [],
      strangers.length > 0 ? acquireLeases(this.db, this.workerId, strangers) : [],
    ]);
    if (isPulse) this.lastPollAt = Date.now();
    const byId = new Map(found.map(one => [one.id, one]));
    for (const { id, count } of wanted) {
      const one = byId.get(id);
      if (one) this.receive(one, one.deliveries.length === 0 && count > 0 && !this.isNotified);
      else this.drop(id);
    }
    for (const id of more) this.leased.set(id, { endpoint: new Endpoint() });
    return more.length > 0 || this.isNotified;
  }

  /** Says that we are still here, and lets go of those that nothing has come for. */
  private async renew(): Promise<void> {
    const now = Date.now();
    if (now - this.renewedAt < RENEW_MS) return;
    const idle = [...this.leased].filter(([, { endpoint }]) => isLongIdle(endpoint, now)).map(([id]) => id);
    if (idle.length > 0) await releaseLeases(this.db, this.workerId, idle);
    for (const id of idle) this.leased.delete(id);
    const held = [...this.leased.keys()];
    const ours = new Set(held.length > 0 ? await renewLeases(this.db, this.workerId, held) : []);
    for (const id of held) if (!ours.has(id)) this.drop(id);
    this.renewedAt = now;
  }

  /** Somebody else's now, or nobody's. */
  private drop(id: string): void {
    this.leased.get(id)?.endpoint.clear();
    this.leased.delete(id);
  }

  private receive({ deliveries, environment, ...to }: LeasedWebhook, isAll: boolean): void {
    const served = this.leased.get(to.id);
    if (!served) return;
    Object.assign(served, { environment, write: messageWriter(this.vault, to) });
    served.endpoint.isDrained = isAll;
    for (const delivery of deliveries) served.endpoint.add(delivery);
    this.sendReady(served as LeasedEndpoint);
  }

  /** As much of it as there is place for. */
  private sendReady(served: LeasedEndpoint): void {
    if (this.stopping || Date.now() > this.renewedAt + LEASE_MS - MIN_LEASE_LEFT_MS)
      return void served.endpoint.clear();
    for (;;) {
      this.crowded ||= this.inFlight >= MAX_IN_FLIGHT;
      const next = this.crowded ? undefined : served.endpoint.next(this.inFlight >= MAX_IN_FLIGHT / 2);
      if (!next) return;
      this.inFlight += 1;
      void this.deliver(served, next);
    }
  }

  /** Where many wait for a place, those go first that have the fewest. */
  private sendAllReady(): void {
    this.crowded = false;
    const all = [...this.leased.values()].filter((one): one is LeasedEndpoint => one.write !== undefined);
    for (const one of all.sort((a, b) => a.endpoint.inFlight - b.endpoint.inFlight)) this.sendReady(one);
  }

  private async deliver(served: LeasedEndpoint, waiting: PendingDelivery): Promise<void> {
    const { endpoint, environment, write } = served;
    const fault = ({ message }: Error): void => this.log.error(`delivery ${waiting.id} could not be made: ${message}`);
    const attempted = await attemptDelivery(this.senders[environment], write, waiting, fault);
    this.inFlight -= 1;
    endpoint.finish(waiting, isDelivered(attempted));
    this.attemptWriter.add(attempted, () => endpoint.forget(waiting.sequence));
    if (this.crowded) this.sendAllReady();
    else this.sendReady(served);
    if (endpoint.capacity() > 0) this.wake();
  }
}

/** Not as soon as one has nothing to do: a breaker knows more than the attempt that just failed. */
const isLongIdle = (endpoint: Endpoint, now: number): boolean =>
  endpoint.size() === 0 && endpoint.idleSince < now - IDLE_RELEASE_MS;
