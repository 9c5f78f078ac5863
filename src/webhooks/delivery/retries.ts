/** Attempts after the first, one at a time, for the workflow of the delivery; and what becomes of a webhook that has failed too long. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryActivities, DeliveryStep } from '../../../workflows/contract';
import type { Database } from '../../database/connection';
import { loadSentEvents } from '../../events/list';
import { newId } from '../../platform/identifiers';
import type { Log } from '../../platform/log';
import { rendererOf } from '../../schema/render';
import type { VaultKeys } from '../../vault/keys';
import { Webhook } from '../fields';
import { toWebhook } from '../rows';
import { attemptDelivery, type Senders } from './attempt';
import { messageWriter } from './message';
import { isDelivered, MAX_ATTEMPTS, recordAttempts } from './recordAttempts';
import { RetryLimiter } from './retryLimiter';

const MAX_FAILING_MS = 3 * 86_400_000;
/** Fewer seconds than the activity has. */
const MAX_WRITE_TRIES = 20;
const DEAD_AFTER_MS = 10 * 60_000;

const WHOLE = { webhook: { include: { merchant: { select: { environment: true } } } } } as const;

export const deliveryActivities = (db: Database, vault: VaultKeys, senders: Senders, log: Log): DeliveryActivities => {
  const turns = new RetryLimiter();
  return {
    async deliver(id: string): Promise<DeliveryStep> {
      const row = await db.delivery.findUnique({ where: { id }, include: WHOLE });
      if (!row) return { over: 'gone' };
      const { status, attempts, webhook } = row;
      if (status !== 'retrying') return { over: status };
      const number = attempts + 1;
      const early = (row.next_at?.getTime() ?? 0) - Date.now();
      if (early > 0) return { waitMs: early, attempt: number };
      if (webhook.status === 'disabled') return { over: await markFailed(db, id) };
      const [event] = await loadSentEvents(db, [row.event_id]);
      if (!event) return { over: 'gone' };
      const failingMs = Date.now() - (webhook.failing_since?.getTime() ?? Date.now());
      const turn = turns.acquire(webhook.id, failingMs > DEAD_AFTER_MS);
      if ('waitMs' in turn) return { ...turn, attempt: number };
      const fault = ({ message }: Error): void => log.error(`delivery ${id} could not be made: ${message}`);
      const sender = senders[webhook.merchant.environment];
      const waiting = { id, webhook_id: webhook.id, sequence: Number(row.sequence), attempts, event };
      const attempted = await attemptDelivery(sender, messageWriter(vault, webhook), waiting, fault);
      turn.release(isDelivered(attempted));
      const [recorded] = await retryWrite(() => recordAttempts(db, [attempted]));
      if (!recorded) return { waitMs: 1000, attempt: number + 1 };
      if (recorded.after !== 'delivered') await disableFailingWebhook(db, webhook.id);
      if (recorded.after !== 'retrying') return { over: recorded.after };
      return {
        waitMs: Math.max((recorded.next_at?.getTime() ?? 0) - Date.now(), 0),
        attempt: Math.min(number + 1, MAX_ATTEMPTS),
      };
    },
  };
};

/** Not even one more attempt: nobody wants it there. It can be sent again once the webhook is verified anew. */
async function markFailed(db: Database, id: string): Promise<string> {
  await db.delivery.updateMany({ where: { id, status: 'retrying' }, data: { status: 'failed', next_at: null } });
  return 'failed';
}

const render = rendererOf(Webhook);

/** What is known of an attempt is not given up with the first statement that fails: the attempt would be made once more. */
async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === MAX_WRITE_TRIES) throw error;
      await sleep(1000);
    }
  }
}

/** One at which nothing has arrived for too long gets nothing more until it is verified anew; the merchant is told by an event and by a letter. */
export const disableFailingWebhook = (db: Database, id: string): Promise<boolean> =>
  db.$transaction(async tx => {
    const [row] = await tx.webhook.updateManyAndReturn({
      where: { id, status: 'verified', failing_since: { lt: new Date(Date.now() - MAX_FAILING_MS) } },
      data: { status: 'disabled' },
    });
    if (!row) return false;
    await tx.event.create({
      data: {
        id: newId('event'),
        merchant_id: row.merchant_id,
        type: 'webhook.disabled',
        object_id: id,
        object: render(toWebhook(row)) as object,
        creation_date: new Date(),
      },
    });
    await tx.outbox.create({ data: { kind: 'webhook_mail', object_id: id } });
    return true;
  });
