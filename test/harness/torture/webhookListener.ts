/** A webhook that listens while everything dies: now and then it refuses or stays silent, and afterwards it must have heard of everything. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from '../../../src/embedded/credentials';
import { retryUntilAnswered } from '../../../src/embedded/managedProcess';
import { ask } from '../servers/api';
import { inDatabase } from '../servers/database';
import { isSignedBy, type testReceiver } from '../webhooks/endpoint';

const REFUSED = 0.03;
const SILENT = 0.01;
/** The lease of a worker that died, an answer that was waited for, the pause before the next attempt. */
const PATIENCE_SECONDS = 120;

type Receiver = ReturnType<typeof testReceiver>;

export class Listening {
  private constructor(
    private readonly credentials: Credentials,
    private readonly receiver: Receiver,
    private readonly webhook: { id: string; secret: string },
    /** What began before it may have missed the webhook. */
    private readonly since: string,
    /** By their ids: those that it answered with 200. */
    private readonly accepted: Set<string>,
  ) {}

  static async begin(credentials: Credentials, receiver: Receiver, random: () => number): Promise<Listening> {
    const { url, merchant_id, private_key: key, database_url } = credentials;
    const webhooks = `${url}/v1/${merchant_id}/webhooks`;
    const { body: webhook } = await ask(webhooks, 'POST', { key, body: { url: receiver.url() } });
    await retryUntilAnswered(async () => {
      const { status } = (await ask(`${webhooks}/${webhook.id}`, 'GET', { key })).body;
      if (status !== 'verified') throw new Error(`the webhook is ${status}`);
    }, 30);
    // Only what is new to it is refused, so that nothing waits for a third attempt.
    const accepted = new Set<string>();
    receiver.answers(({ body }) => {
      const isKnown = receiver.received.some(({ body: { id } }) => id === body.id);
      const dice = isKnown ? 1 : random();
      if (dice < SILENT + REFUSED) return dice < SILENT ? 0 : 500;
      accepted.add(body.id);
      return 200;
    });
    const { rows } = await inDatabase(database_url, client =>
      client.query<{ since: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as since'),
    );
    return new Listening(credentials, receiver, webhook, rows[0]?.since ?? '', accepted);
  }

  /** Everything at least once, nothing else, and in order whatever needed one attempt. */
  async hasHeardEverything(): Promise<void> {
    await retryUntilAnswered(async () => {
      const missing = (await this.events()).filter(
        ({ id, isOwed, status, attempts }) =>
          isOwed && !(this.accepted.has(id) && status === 'delivered' && attempts > 0),
      );
      if (missing.length === 0) return;
      await sleep(1000);
      throw new Error(`${missing.length} were never accepted: ${JSON.stringify(missing.slice(0, 5))}`);
    }, PATIENCE_SECONDS);
    const { received } = this.receiver;
    expect(received.filter(one => !isSignedBy(one, this.webhook.secret))).toEqual([]);
    const events = await this.events();
    const known = new Set(events.map(({ id }) => id));
    expect(received.map(({ body }) => body.id).filter(id => !known.has(id))).toEqual([]);
    // What it refused was tried again, as the merchant's own log says.
    expect(events.filter(({ attempts }) => attempts > 1)).not.toEqual([]);

    const heard = this.firstArrivals();
    const atOnce = events.filter(({ attempts, status }) => attempts === 1 && status === 'delivered');
    for (const object of new Set(atOnce.map(({ object_id }) => object_id))) {
      const places = atOnce.filter(({ object_id }) => object_id === object).map(({ id }) => heard.get(id) ?? -1);
      expect([object, places]).toEqual([object, places.toSorted((a, b) => a - b)]);
    }
  }

  /** When each event came for the first time, among all that came. */
  private firstArrivals(): Map<string, number> {
    const first = new Map<string, number>();
    for (const [place, { body }] of this.receiver.received.entries())
      if (!first.has(body.id)) first.set(body.id, place);
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
        [merchant_id, this.since, this.webhook.id],
      ),
    );
    return rows;
  }
}
