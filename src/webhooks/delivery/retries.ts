/** The activity that makes the attempts after the first, for the delivery workflow, and disables failing webhooks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryActivities, DeliveryStep } from '../../../workflows/contract';
import type { Database } from '../../database/connection';
import { loadOutgoingEvents } from '../../events/list';
import { newId } from '../../platform/identifiers';
import type { Log } from '../../platform/log';
import { rendererOf } from '../../schema/render';
import type { VaultKeys } from '../../vault/keys';
import { Webhook } from '../fields';
import { narrowWebhook, toWebhook } from '../rows';
import { attemptDelivery, type Senders } from './attempt';
import { messageWriter } from './message';
import { isDelivered, MAX_ATTEMPTS, recordAttempts } from './recordAttempts';
import { RetryLimiter } from './retryLimiter';

const MAX_FAILING_MS = 3 * 86_400_000;
/** One per second, which must fit into the timeout of the activity. */
const MAX_WRITE_ATTEMPTS = 20;
const DEAD_AFTER_MS = 10 * 60_000;

const WITH_WEBHOOK = { webhook: { include: { merchant: { select: { environment: true } } } } } as const;

export const deliveryActivities = (db: Database, vault: VaultKeys, senders: Senders, log: Log): DeliveryActivities => {
  const limiter = new RetryLimiter();
  return {
    async deliver(id: string): Promise<DeliveryStep> {
      const row = await db.delivery.findUnique({ where: { id }, include: WITH_WEBHOOK });
      if (!row) return { over: 'gone' };
      const { status, attempts, webhook } = row;
      if (status !== 'retrying') return { over: status };
      const number = attempts + 1;
      const waitMs = (row.next_at?.getTime() ?? 0) - Date.now();
      if (waitMs > 0) return { waitMs, attempt: number };
      if (webhook.status === 'disabled') return { over: await markFailed(db, id) };
      const [event] = await loadOutgoingEvents(db, [row.event_id]);
      if (!event) return { over: 'gone' };
      const failingMs = Date.now() - (webhook.failing_since?.getTime() ?? Date.now());
      const slot = limiter.acquire(webhook.id, failingMs > DEAD_AFTER_MS);
      if ('waitMs' in slot) return { ...slot, attempt: number };
      const onInternalError = ({ message }: Error): void => log.error(`delivery ${id} could not be made: ${message}`);
      const sender = senders[webhook.merchant.environment];
      const sequence = Number(row.sequence);
      const pending = { id, webhook_id: webhook.id, sequence, previousAttempts: attempts, event };
      const result = await attemptDelivery(sender, messageWriter(vault, webhook), pending, onInternalError);
      slot.release(isDelivered(result));
      const [recorded] = await retryWrite(() => recordAttempts(db, [result]));
      // Another run has recorded the attempt first, or the delivery has been deleted.
      if (!recorded) return { waitMs: 1000, attempt: number + 1 };
      if (recorded.delivery_status !== 'delivered') await disableFailingWebhook(db, webhook.id);
      if (recorded.delivery_status !== 'retrying') return { over: recorded.delivery_status };
      return {
        waitMs: Math.max((recorded.next_at?.getTime() ?? 0) - Date.now(), 0),
        attempt: Math.min(number + 1, MAX_ATTEMPTS),
      };
    },
  };
};

/** The webhook is disabled, so no attempt is made. The delivery can be sent again once the webhook is verified. */
async function markFailed(db: Database, id: string): Promise<string> {
  await db.delivery.updateMany({ where: { id, status: 'retrying' }, data: { status: 'failed', next_at: null } });
  return 'failed';
}

const render = rendererOf(Webhook);

/** A result that is lost means that the attempt is made again, so one failed statement is not enough to give up. */
async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === MAX_WRITE_ATTEMPTS) throw error;
      await sleep(1000);
    }
  }
}

/** Nothing more is sent to the webhook until it is verified again; an event and an e-mail tell the merchant. */
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
        object: render(toWebhook(narrowWebhook(row))) as object,
        creation_date: new Date(),
      },
    });
    await tx.outbox.create({ data: { kind: 'webhook_mail', object_id: id } });
    return true;
  });
