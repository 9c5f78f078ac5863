/** What the delivery workflow calls. The workflow is the clock of later attempts; the engine makes them. */
import type { DeliveryActivities, DeliveryStep } from '../../../workflows/contract';
import type { Database } from '../../database/connection';

/** The outbox tells the workflow when an attempt has ended. This is for a message that got lost. */
const MAX_WAIT_MS = 3_600_000;

const WITH_WEBHOOK = { webhook: { select: { status: true } }, event: { select: { type: true } } } as const;

export const deliveryActivities = (db: Database): DeliveryActivities => ({
  async deliver(id: string): Promise<DeliveryStep> {
    const row = await db.delivery.findUnique({ where: { id }, include: WITH_WEBHOOK });
    if (!row) return { over: 'gone' };
    if (row.status !== 'retrying') return { over: row.status };
    const attempt = row.attempts + 1;
    const waitMs = (row.next_at?.getTime() ?? 0) - Date.now();
    if (waitMs > 0) return { waitMs, attempt };
    if (isRefused(row)) return { over: await giveUp(db, id) };
    await queueAgain(db, id, row.attempts);
    return { waitMs: MAX_WAIT_MS, attempt };
  },
});

interface Addressed {
  webhook: { status: string };
  event: { type: string };
}

/** A webhook that is disabled gets nothing, one that has to be verified again nothing but its verification. */
const isRefused = ({ webhook: { status }, event: { type } }: Addressed): boolean =>
  status === 'disabled' || (status === 'unverified' && type !== 'verification');

/** The lock waits for an attempt that is just being recorded, after which nothing is due. */
const queueAgain = (db: Database, id: string, attempts: number): Promise<number> => db.$executeRaw`
  insert into delivery_queue (webhook_id, sequence, delivery_id, event_id, attempts)
  select webhook_id, sequence, id, event_id, attempts from deliveries
  where id = ${id} and status = 'retrying' and attempts = ${attempts} for no key update
  on conflict (webhook_id, sequence) do nothing`;

/** The webhook gets nothing now, so no attempt is made. The delivery can be sent again once the webhook is verified. */
async function giveUp(db: Database, id: string): Promise<string> {
  await db.$executeRaw`
    with failed_delivery as (
      update deliveries set status = 'failed', next_at = null where id = ${id} and status = 'retrying'
      returning webhook_id, sequence
    )
    delete from delivery_queue q using failed_delivery f where q.webhook_id = f.webhook_id and q.sequence = f.sequence`;
  return 'failed';
}
