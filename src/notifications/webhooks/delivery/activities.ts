/** Activities of the delivery workflow. The workflow schedules retries; the engine makes them. */
import { formatMoment } from '../../../../workflows/calendar';
import type { DeliveryActivities, DeliveryOutcome, DeliveryStep } from '../../../../workflows/contract';
import type { Database } from '../../../platform/database/connection';

/** The outbox signals the workflow at the end of an attempt. This timeout covers a lost signal. */
const MAX_WAIT_MS = 3_600_000;

const WITH_WEBHOOK = { webhook: { select: { status: true } }, event: { select: { type: true } } } as const;
/** Stands in for an HTTP status. */
const NO_ANSWER = 'no_answer';

export const deliveryActivities = (db: Database): DeliveryActivities => ({
  async deliver(id: string): Promise<DeliveryStep> {
    const row = await db.delivery.findUnique({ where: { id }, include: WITH_WEBHOOK });
    if (!row) return { over: 'gone' };
    const { status, attempts } = row;
    const last = await outcomeOf(db, row);
    const progress = last && { last };
    if (status === 'failed')
      return { over: status, ...progress, problem: `${last?.text ?? 'delivery failed'}: no retries left` };
    if (status !== 'retrying') return { over: status, ...progress };
    const attempt = attempts + 1;
    const waitMs = (row.next_at?.getTime() ?? 0) - Date.now();
    if (waitMs > 0) return { waitMs, attempt, until: formatMoment(Date.now() + waitMs), ...progress };
    if (isRefused(row)) {
      await giveUp(db, id);
      return { over: 'failed', ...progress, problem: `the webhook is ${row.webhook.status}` };
    }
    await queueAgain(db, id, attempts);
    return { waitMs: MAX_WAIT_MS, attempt, until: null, ...progress };
  },
});

/** The outcome of the latest attempt, without the response body, because Temporal stores it. */
export async function outcomeOf(
  db: Database,
  { sequence, attempts }: { sequence: bigint; attempts: number },
): Promise<DeliveryOutcome | undefined> {
  const made = await db.deliveryAttempt.findUnique({
    where: { sequence_number: { sequence, number: attempts } },
    select: { status: true, error: true },
  });
  if (!made) return undefined;
  const status = made.status === null ? NO_ANSWER : String(made.status);
  const text = made.status === null ? `failed: ${made.error}` : `returned HTTP ${made.status}`;
  return { attempt: attempts, status, text: `attempt ${attempts} ${text}` };
}

interface Addressed {
  webhook: { status: string };
  event: { type: string };
}

/** A disabled webhook receives no events, and an unverified one only its verification. */
const isRefused = ({ webhook: { status }, event: { type } }: Addressed): boolean =>
  status === 'disabled' || (status === 'unverified' && type !== 'verification');

/** The lock waits for an attempt that is being recorded, after which no retry is due. */
const queueAgain = (db: Database, id: string, attempts: number): Promise<number> => db.$executeRaw`
  insert into delivery_queue (webhook_id, sequence, delivery_id, event_id, attempts)
  select webhook_id, sequence, id, event_id, attempts from deliveries
  where id = ${id} and status = 'retrying' and attempts = ${attempts} for no key update
  on conflict (webhook_id, sequence) do nothing`;

/** Fails the delivery without an attempt. It can be redelivered after the webhook is verified. */
async function giveUp(db: Database, id: string): Promise<void> {
  await db.$executeRaw`
    with failed_delivery as (
      update deliveries set status = 'failed', next_at = null where id = ${id} and status = 'retrying'
      returning webhook_id, sequence
    )
    delete from delivery_queue q using failed_delivery f where q.webhook_id = f.webhook_id and q.sequence = f.sequence`;
}
