/** Activities of the delivery workflow. The workflow schedules retries; the engine makes them. */
import { formatMoment } from '../../../../workflows/calendar';
import type { DeliveryActivities, DeliveryOutcome, DeliveryStep } from '../../../../workflows/contract';
import type { Database } from '../../../platform/database/connection';
import { requeue } from './rows';

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
    await requeue(db, id, attempts);
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

/** Fails the delivery without an attempt. It can be sent again after the webhook is verified. */
const giveUp = (db: Database, id: string): Promise<void> =>
  db.$transaction(async tx => {
    const failed = await tx.delivery.updateManyAndReturn({
      where: { id, status: 'retrying' },
      data: { status: 'failed', next_at: null },
      select: { webhook_id: true, sequence: true },
    });
    for (const where of failed) await tx.queuedDelivery.deleteMany({ where });
  });
