/**
 * A webhook during the torture test: it refuses or ignores some deliveries, and in the end must have received every
 * event.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from '../../../src/local/credentials';
import { eventually } from '../flow/until';
import { sendRequest } from '../servers/api';
import { isSignedBy, type testReceiver } from '../webhooks/endpoint';
import { inDatabase } from '../world/database';

const REFUSAL_RATE = 0.03;
const NO_RESPONSE_RATE = 0.01;
/** Covers the lease of a worker that was killed, the timeout of a delivery and the delay before its retry. */
const DELIVERY_TIMEOUT_SECONDS = 120;

type Receiver = ReturnType<typeof testReceiver>;

export class WebhookListener {
  private constructor(
    private readonly credentials: Credentials,
    private readonly receiver: Receiver,
    private readonly webhook: { id: string; secret: string },
    /** Events of earlier transactions may not be delivered, since they may not have seen the webhook. */
    private readonly firstXact: string,
    /** The ids of the events that it answered with 200. */
    private readonly accepted: Set<string>,
  ) {}

  static async register(credentials: Credentials, receiver: Receiver, random: () => number): Promise<WebhookListener> {
    const { url, merchant_id, private_key: key, database_url } = credentials;
    const webhooks = `${url}/v1/${merchant_id}/webhooks`;
    const { body: webhook } = await sendRequest(webhooks, 'POST', { key, body: { url: receiver.url() } });
    await eventually(async () => {
      const { status } = (await sendRequest(`${webhooks}/${webhook.id}`, 'GET', { key })).body;
      if (status !== 'verified') throw new Error(`the webhook is ${status}`);
    });
    // Only first attempts are refused, so that nothing needs a third one.
    const accepted = new Set<string>();
    receiver.answers(({ body }) => {
      const isKnown = receiver.received.some(({ body: { id } }) => id === body.id);
      const dice = isKnown ? 1 : random();
      if (dice < NO_RESPONSE_RATE + REFUSAL_RATE) return dice < NO_RESPONSE_RATE ? 0 : 500;
      accepted.add(body.id);
      return 200;
    });
    const { rows } = await inDatabase(database_url, client =>
      client.query<{ xact: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as xact'),
    );
    return new WebhookListener(credentials, receiver, webhook, rows[0]?.xact ?? '', accepted);
  }

  /**
   * Every event arrived at least once, nothing else arrived, and events of one object that needed one attempt are in
   * order.
   */
  async expectEverythingDelivered(): Promise<void> {
    await eventually(async () => {
      const missing = (await this.events()).filter(
        ({ id, isOwed, status, attempts }) =>
          isOwed && !(this.accepted.has(id) && status === 'delivered' && attempts > 0),
      );
      if (missing.length === 0) return;
      await sleep(1000);
      throw new Error(`${missing.length} were never accepted: ${JSON.stringify(missing.slice(0, 5))}`);
    }, DELIVERY_TIMEOUT_SECONDS);
    const { received } = this.receiver;
    expect(received.filter(delivery => !isSignedBy(delivery, this.webhook.secret))).toEqual([]);
    const events = await this.events();
    const known = new Set(events.map(({ id }) => id));
    expect(received.map(({ body }) => body.id).filter(id => !known.has(id))).toEqual([]);
    // The refused deliveries were retried, as the merchant's delivery log shows.
    expect(events.filter(({ attempts }) => attempts > 1)).not.toEqual([]);

    const arrivals = this.firstArrivals();
    const deliveredFirst = events.filter(({ attempts, status }) => attempts === 1 && status === 'delivered');
    for (const object of new Set(deliveredFirst.map(({ object_id }) => object_id))) {
      const positions = deliveredFirst
        .filter(({ object_id }) => object_id === object)
        .map(({ id }) => arrivals.get(id) ?? -1);
      expect([object, positions]).toEqual([object, positions.toSorted((a, b) => a - b)]);
    }
  }

  /** The position of each event's first arrival among all arrivals. */
  private firstArrivals(): Map<string, number> {
    const first = new Map<string, number>();
    for (const [position, { body }] of this.receiver.received.entries())
      if (!first.has(body.id)) first.set(body.id, position);
    return first;
  }

  private async events() {
    const { database_url, merchant_id } = this.credentials;
    const { rows } = await inDatabase(database_url, client =>
      client.query<{
        id: string;
        type: string;
        object_id: string;
        isOwed: boolean;
        status: string | null;
        attempts: number;
      }>(
        `select e.id, e.type, e.object_id, e.xact >= $2::xid8 as "isOwed", d.status,
           (select count(*)::integer from delivery_attempts a where a.sequence = d.sequence) as attempts
         from events e left join deliveries d on d.event_id = e.id and d.webhook_id = $3
         where e.merchant_id = $1 order by e.xact, e.sequence`,
        [merchant_id, this.firstXact, this.webhook.id],
      ),
    );
    return rows;
  }
}
