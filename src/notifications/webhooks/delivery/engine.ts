/**
 * Makes all delivery attempts: first attempts right after the commit of an event, in order per object, and retries when
 * their workflow queues them. Each endpoint has its own slots and circuit breaker, so a slow or dead one does not delay the
 * rest. Reading, sending and recording run concurrently.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutgoingEvent } from '../../../events/rows';
import type { Database } from '../../../platform/database/connection';
import { BOTH_ENVIRONMENTS, type Environments } from '../../../platform/database/environments';
import type { Log } from '../../../platform/log';
import type { OutgoingRequest, Sender } from '../../../platform/sending/sender';
import type { VaultKeys } from '../../../platform/vault/keys';
import { allocateReads } from './allocateReads';
import { attemptDelivery, type Senders } from './attempt';
import { isDelivered } from './attempts/rows';
import { AttemptWriter } from './attemptWriter';
import { Endpoint } from './endpoint';
import { messageWriter } from './message';
import {
  acquireLeases,
  findQueuedWebhooks,
  LEASE_MS,
  type LeasedWebhook,
  type ReadRequest,
  readQueue,
  releaseLeases,
  renewLeases,
} from './rows';
import { type Slot, Slots } from './slots';

const POLL_INTERVAL_MS = 500;
const DRAIN_POLL_INTERVAL_MS = 10;
const RENEW_INTERVAL_MS = 4000;
/** Sending stops if the lease has less time left. */
const MIN_REMAINING_LEASE_MS = 3000;
/** Longer than a breaker stays open, so that no breaker is dropped between two probes. */
const IDLE_RELEASE_MS = 60_000;

interface LeasedEndpoint {
  endpoint: Endpoint;
  sender: Sender;
  writeMessage: (event: OutgoingEvent) => OutgoingRequest;
}

export class DeliveryEngine {
  private readonly workerId = randomUUID();
  private readonly environments: Environments;
  /** By webhook ID. The first read sets the sender and the message writer. */
  private readonly leased = new Map<string, Partial<LeasedEndpoint> & { endpoint: Endpoint }>();
  private readonly attemptWriter: AttemptWriter;
  private wake: () => void = () => undefined;
  private isStopping = false;
  private readonly slots = new Slots();
  private inFlight = 0;
  private renewedAt = 0;
  /** Whether new deliveries were announced after the last poll. */
  private isNotified = false;
  /** The last poll without a notification. */
  private lastScheduledPollAt = 0;

  constructor(
    private readonly db: Database,
    private readonly vault: VaultKeys,
    private readonly senders: Senders,
    private readonly log: Log,
  ) {
    this.attemptWriter = new AttemptWriter(db, log);
    this.environments = BOTH_ENVIRONMENTS.filter(environment => senders[environment]);
  }

  /** Called when new deliveries are announced. */
  notify(): void {
    this.isNotified = true;
    this.wake();
  }

  async run(stop: AbortSignal): Promise<void> {
    stop.addEventListener('abort', () => {
      this.isStopping = true;
      this.wake();
    });
    for (let hasFailed = false; !stop.aborted; ) {
      const woken = new Promise<void>(resolve => {
        this.wake = resolve;
      });
      const mayHaveMore = await this.poll().catch(error => {
        if (!hasFailed) this.log.warn(`delivery: poll failed, retrying: ${error.message}`);
      });
      hasFailed = mayHaveMore === undefined;
      if (!mayHaveMore) await Promise.race([woken, sleep(POLL_INTERVAL_MS)]);
    }
    while (this.inFlight > 0) await sleep(DRAIN_POLL_INTERVAL_MS);
    await this.attemptWriter.finish();
    await releaseLeases(this.db, this.workerId, [...this.leased.keys()]).catch(() => undefined);
  }

  /** Returns whether to poll again immediately. */
  private async poll(): Promise<boolean> {
    await this.renew();
    const isScheduledPoll = Date.now() - this.lastScheduledPollAt >= POLL_INTERVAL_MS;
    const mayHaveNewDeliveries = isScheduledPoll || this.isNotified;
    this.isNotified = false;
    const unleased: string[] = [];
    for (const id of mayHaveNewDeliveries ? await findQueuedWebhooks(this.db, this.environments) : []) {
      const leased = this.leased.get(id);
      if (leased) leased.endpoint.mayHaveMore();
      else unleased.push(id);
    }
    const requests = allocateReads(this.leased, isScheduledPoll, mayHaveNewDeliveries);
    const [webhooks, acquired] = await Promise.all([
      requests.length > 0 ? readQueue(this.db, this.workerId, requests) : [],
      unleased.length > 0 ? acquireLeases(this.db, this.workerId, unleased) : [],
    ]);
    if (isScheduledPoll) this.lastScheduledPollAt = Date.now();
    const webhookById = new Map(webhooks.map(webhook => [webhook.id, webhook]));
    for (const request of requests) {
      const webhook = webhookById.get(request.id);
      if (webhook) this.receive(webhook, request);
      else this.drop(request.id);
    }
    for (const id of acquired) this.leased.set(id, { endpoint: new Endpoint() });
    return acquired.length > 0 || this.isNotified;
  }

  /** Renews the leases, and releases those of idle webhooks. */
  private async renew(): Promise<void> {
    const now = Date.now();
    if (now - this.renewedAt < RENEW_INTERVAL_MS) return;
    const idle = [...this.leased].filter(([, { endpoint }]) => isLongIdle(endpoint, now)).map(([id]) => id);
    if (idle.length > 0) await releaseLeases(this.db, this.workerId, idle);
    for (const id of idle) this.leased.delete(id);
    const held = [...this.leased.keys()];
    const renewed = new Set(held.length > 0 ? await renewLeases(this.db, this.workerId, held) : []);
    for (const id of held) if (!renewed.has(id)) this.drop(id);
    this.renewedAt = now;
  }

  /** For a lost lease, or a disabled or deleted webhook. */
  private drop(id: string): void {
    this.leased.get(id)?.endpoint.clear();
    this.leased.delete(id);
  }

  private receive({ deliveries, environment, is_dead, ...webhook }: LeasedWebhook, request: ReadRequest): void {
    const leased = this.leased.get(webhook.id);
    if (!leased) return;
    const { endpoint } = leased;
    Object.assign(leased, { sender: this.senders[environment], writeMessage: messageWriter(this.vault, webhook) });
    const retries = deliveries.filter(({ previousAttempts }) => previousAttempts > 0).length;
    // A lane that was not read keeps its state.
    if (request.max_rows > 0) endpoint.firstAttempts.areAllRead = deliveries.length === retries;
    if (request.max_retries > 0) endpoint.laterAttempts.areAllRead = retries === 0;
    if (this.isNotified) endpoint.mayHaveMore();
    Object.assign(endpoint, { merchant_id: webhook.merchant_id, isDead: is_dead });
    for (const delivery of deliveries) endpoint.add(delivery);
    this.sendReady(leased as LeasedEndpoint);
  }

  /** Sends deliveries while there are free slots. */
  private sendReady(leased: LeasedEndpoint): void {
    if (this.isStopping || Date.now() > this.renewedAt + LEASE_MS - MIN_REMAINING_LEASE_MS)
      return void leased.endpoint.clear();
    for (let slot = this.slots.take(leased.endpoint); slot; slot = this.slots.take(leased.endpoint)) {
      this.inFlight += 1;
      void this.deliver(leased, slot);
    }
  }

  /** Starts with the endpoints that have the fewest attempts in flight. */
  private sendAllReady(): void {
    this.slots.beginOffer();
    const readable = [...this.leased.values()].filter(
      (leased): leased is LeasedEndpoint => leased.writeMessage !== undefined,
    );
    for (const leased of readable.sort((a, b) => a.endpoint.inFlight - b.endpoint.inFlight)) this.sendReady(leased);
  }

  private async deliver(leased: LeasedEndpoint, { delivery, release }: Slot): Promise<void> {
    const { endpoint, sender, writeMessage } = leased;
    const onInternalError = ({ message }: Error): void =>
      this.log.error({ webhook: delivery.webhook_id, delivery: delivery.id }, `delivery: request failed: ${message}`);
    const result = await attemptDelivery(sender, writeMessage, delivery, onInternalError);
    this.inFlight -= 1;
    const isForAll = release(isDelivered(result));
    this.attemptWriter.add(result, () => endpoint.forget(delivery));
    if (isForAll) this.sendAllReady();
    else this.sendReady(leased);
    if (endpoint.capacity() + endpoint.retryCapacity() > 0) this.wake();
  }
}

/** An idle endpoint is kept for a while, because its breaker remembers earlier failures. */
const isLongIdle = (endpoint: Endpoint, now: number): boolean =>
  endpoint.size() === 0 && endpoint.idleSince < now - IDLE_RELEASE_MS;
