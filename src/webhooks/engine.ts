/**
 * First attempts, straight from the database: as soon as an event is committed, many endpoints at once, in order for one object.
 * Each endpoint has its own slots and its own breaker, so one that is slow or dead costs the others nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Prisma } from '../../prisma/generated/client';
import type { Database } from '../database';
import type { Log } from '../log';
import type { VaultKeys } from '../vault/keys';
import { type Endpoint, newEndpoint } from './endpoint';
import { type Attempted, isDelivered, recordAttempt } from './outcomes';
import { attempt, readWaiting, type Senders, WAITING, type Waiting } from './waiting';

/** How many are taken for an endpoint at once, and for one that has shown to be fast. */
const PER_ENDPOINT = 100;
const PER_FAST_ENDPOINT = 1000;
const IN_FLIGHT = 50;
const BATCH = 2000;
/** Longer than an attempt takes; whoever dies leaves it to others after that. What has waited here for longer is theirs already. */
const LEASE_SECONDS = 60;
const STALE_MS = 45_000;
const PULSE_MS = 500;
/** Longer than any pause of a breaker, so that none is forgotten between two looks. */
const REMEMBERED_MS = 60_000;

export class Engine {
  private readonly endpoints = new Map<string, Endpoint>();
  private wake: () => void = () => undefined;
  private readonly working = new Set<Promise<void>>();
  private stopping = false;
  private readonly attempted: Attempted[] = [];
  private writing = false;

  constructor(
    private readonly db: Database,
    private readonly databaseUrl: string,
    private readonly vault: VaultKeys,
    private readonly senders: Senders,
    private readonly log: Log,
  ) {}

  async run(stop: AbortSignal): Promise<void> {
    const listening = this.listen(stop);
    stop.addEventListener('abort', () => {
      this.stopping = true;
      this.wake();
    });
    while (!stop.aborted) {
      const woken = new Promise<void>(resolve => {
        this.wake = resolve;
      });
      const taken = await this.take().catch(error => {
        this.log.warn(`deliveries wait: ${error.message}`);
        return 0;
      });
      if (taken === 0) await Promise.race([woken, sleep(PULSE_MS)]);
    }
    await listening;
    while (this.working.size > 0) await Promise.all(this.working);
  }

  /** How many it took. The first of an object is said by `min`, one look into the index; `not exists` becomes a join of all with all. */
  private async take(): Promise<number> {
    this.forgetIdle();
    const known = [...this.endpoints];
    const fast = known.filter(([, { pace }]) => pace.isFast()).map(([id]) => id);
    const resting = known.filter(([, endpoint]) => this.isResting(endpoint)).map(([id]) => id);
    const hungry = fast.filter(id => !resting.includes(id));
    const [some, more] = await Promise.all([
      this.claim(Prisma.sql`w.id <> all(${[...resting, ...fast]}::varchar[])`, PER_ENDPOINT),
      hungry.length > 0 ? this.claim(Prisma.sql`w.id = any(${hungry}::varchar[])`, PER_FAST_ENDPOINT) : 0,
    ]);
    return some + more;
  }

  /** The first of an object is said by `min`, one look into the index; `not exists` becomes a join of all with all. */
  private async claim(whose: Prisma.Sql, each: number): Promise<number> {
    const taken = Date.now();
    const rows = await this.db.$queryRaw<Waiting[]>`
      with ready as (
        select id from webhooks w where w.status <> 'disabled' and ${whose} and exists (
          select from deliveries d where d.webhook_id = w.id and d.status = 'new' and d.next_at <= now())
      ), due as (
        select d.id from ready, lateral (
          select id from deliveries d where d.webhook_id = ready.id and d.status = 'new' and d.next_at <= now()
            and sequence = (select min(sequence) from deliveries e
              where e.webhook_id = d.webhook_id and e.object_id = d.object_id and e.status = 'new')
          order by sequence limit ${each} for update skip locked) d limit ${BATCH}
      ), taken as (
        update deliveries set next_at = now() + make_interval(secs => ${LEASE_SECONDS}) where id in (select id from due) returning *
      )
      select ${WAITING} from taken d join webhooks w on w.id = d.webhook_id join merchants m on m.id = w.merchant_id
        join events e on e.id = d.event_id order by d.sequence`;
    for (const row of rows) this.endpointOf(row).queue.push({ ...readWaiting(row), taken });
    // Only now that all are there: what a breaker turns away is put back together.
    for (const endpoint of this.endpoints.values())
      while (endpoint.queue.length > 0 && endpoint.inFlight < IN_FLIGHT) this.follow(this.drain(endpoint));
    return rows.length;
  }

  /** Not as soon as one has nothing to do: a breaker knows more than the attempt that just failed. */
  private forgetIdle(): void {
    for (const [id, { queue, inFlight, idleSince }] of this.endpoints)
      if (queue.length === 0 && inFlight === 0 && idleSince < Date.now() - REMEMBERED_MS) this.endpoints.delete(id);
  }

  /** Has enough to do, or does not answer: more for it would only wait here. */
  private isResting({ queue, inFlight, breaker, pace }: Endpoint): boolean {
    if (breaker.isOpen()) return true;
    return pace.isFast() ? queue.length > PER_FAST_ENDPOINT / 2 : queue.length > 0 || inFlight >= IN_FLIGHT;
  }

  private endpointOf({ webhook_id }: Waiting): Endpoint {
    const known = this.endpoints.get(webhook_id);
    const endpoint = known ?? newEndpoint();
    if (!known) this.endpoints.set(webhook_id, endpoint);
    return endpoint;
  }

  private follow(work: Promise<void>): void {
    this.working.add(work);
    void work.finally(() => this.working.delete(work));
  }

  private async drain(endpoint: Endpoint): Promise<void> {
    endpoint.inFlight += 1;
    for (let next = endpoint.queue.shift(); next; next = endpoint.queue.shift()) {
      if (next.taken < Date.now() - STALE_MS) continue;
      if (endpoint.queue.length === PER_FAST_ENDPOINT / 2) this.wake();
      if (!this.stopping && endpoint.breaker.admits()) await this.deliver(endpoint, next);
      else await this.putBack([next, ...endpoint.queue.splice(0)]);
    }
    endpoint.inFlight -= 1;
    endpoint.idleSince = Date.now();
    this.wake();
  }

  /** For whoever comes when the endpoint has rested, or when we are gone. */
  private async putBack(waiting: Waiting[]): Promise<void> {
    const ids = waiting.map(({ delivery_id }) => delivery_id);
    await this.db.delivery
      .updateMany({ where: { id: { in: ids }, status: 'new' }, data: { next_at: new Date() } })
      .catch(() => undefined);
  }

  /** Over when it was sent; written down beside the next one. */
  private async deliver({ breaker, pace }: Endpoint, waiting: Waiting): Promise<void> {
    try {
      const attempted = await attempt(this.vault, this.senders, waiting);
      if (isDelivered(attempted)) breaker.answered();
      else breaker.failed();
      pace.done();
      this.attempted.push(attempted);
      if (!this.writing) this.follow(this.writeDown());
    } catch (error) {
      this.leave(waiting.delivery_id, error);
    }
  }

  /** One statement after the other, each for all that came meanwhile. */
  private async writeDown(): Promise<void> {
    this.writing = true;
    while (this.attempted.length > 0) {
      const batch = this.attempted.splice(0);
      await Promise.all(batch.map(one => recordAttempt(this.db, one).catch(error => this.leave(one.id, error))));
    }
    this.writing = false;
    this.wake();
  }

  /** Its lease runs out, and somebody tries again. */
  private leave(id: string, error: unknown): void {
    this.log.warn(`delivery ${id} waits: ${(error as Error).message}`);
  }

  private async listen(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const client = new Client({ connectionString: this.databaseUrl, connectionTimeoutMillis: 2000 });
      client.on('error', () => undefined);
      client.on('notification', () => this.wake());
      try {
        await client.connect();
        await client.query('listen deliveries');
        for (; !stop.aborted; await sleep(PULSE_MS)) await client.query('select 1');
      } catch {
        await sleep(PULSE_MS);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }
}
