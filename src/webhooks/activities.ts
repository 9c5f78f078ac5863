/** Attempts after the first, one at a time, for the workflow of the delivery; and what becomes of a webhook that has failed too long. */
import type { DeliveryActivities, DeliveryStep } from '../../workflows/contract';
import type { Database } from '../database';
import { newId } from '../identifiers';
import { rendererOf } from '../schema/render';
import type { VaultKeys } from '../vault/keys';
import { Webhook } from './fields';
import { MOST_ATTEMPTS, recordAttempt } from './outcomes';
import { shownWebhook } from './rows';
import { attempt, readWaiting, type Senders, WAITING, type Waiting } from './waiting';

const GIVEN_UP_MS = 3 * 86_400_000;

type Found = Waiting & { status: string; webhook_status: string; next_at: Date; failing_since: Date | null };

export const deliveryActivities = (db: Database, vault: VaultKeys, senders: Senders): DeliveryActivities => ({
  async deliver(id: string): Promise<DeliveryStep> {
    const [row] = await db.$queryRaw<Found[]>`
      select ${WAITING}, d.status, d.next_at, w.status as webhook_status, w.failing_since from deliveries d
        join webhooks w on w.id = d.webhook_id join merchants m on m.id = w.merchant_id join events e on e.id = d.event_id where d.id = ${id}`;
    if (!row) return { over: 'gone' };
    if (row.status !== 'retrying') return { over: row.status };
    const waitMs = row.next_at.getTime() - Date.now();
    if (waitMs > 0) return { waitMs, attempt: row.attempts + 1 };
    if (row.webhook_status === 'disabled') return { over: await giveUp(db, id) };
    const isOver = (row.failing_since?.getTime() ?? Date.now()) < Date.now() - GIVEN_UP_MS;
    const recorded = await recordAttempt(db, await attempt(vault, senders, readWaiting(row)));
    if (!recorded) return { waitMs: 1000, attempt: row.attempts + 2 };
    if (recorded.after !== 'delivered' && isOver) await disable(db, row.webhook_id);
    if (recorded.after !== 'retrying') return { over: recorded.after };
    return {
      waitMs: Math.max(recorded.next_at.getTime() - Date.now(), 0),
      attempt: Math.min(row.attempts + 2, MOST_ATTEMPTS),
    };
  },
});

/** Not even one more attempt: nobody wants it there. It can be sent again once the webhook is verified anew. */
async function giveUp(db: Database, id: string): Promise<string> {
  await db.delivery.updateMany({ where: { id, status: 'retrying' }, data: { status: 'failed' } });
  return 'failed';
}

const render = rendererOf(Webhook);

/** Nothing goes there any more until it is verified anew; the merchant is told by an event and by a letter. */
export const disable = (db: Database, id: string): Promise<boolean> =>
  db.$transaction(async tx => {
    const [row] = await tx.webhook.updateManyAndReturn({
      where: { id, status: 'verified' },
      data: { status: 'disabled' },
    });
    if (!row) return false;
    await tx.event.create({
      data: {
        id: newId('event'),
        merchant_id: row.merchant_id,
        type: 'webhook.disabled',
        object_id: id,
        object: render(shownWebhook(row)) as object,
        creation_date: new Date(),
      },
    });
    await tx.outbox.create({ data: { kind: 'webhook_mail', object_id: id } });
    return true;
  });
