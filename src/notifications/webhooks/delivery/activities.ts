/** What the delivery workflow calls. The workflow is the clock of later attempts; the engine makes them. */
import { formatMoment } from '../../../../workflows/calendar';
import type { DeliveryActivities, DeliveryOutcome, DeliveryStep } from '../../../../workflows/contract';
import type { Database } from '../../../platform/database/connection';
import { queueAgain } from './rows';

/** The outbox tells the workflow when an attempt has ended. This is for a message that got lost. */
const MAX_WAIT_MS = 3_600_000;

const WITH_WEBHOOK = { webhook: { select: { status: true } }, event: { select: { type: true } } } as const;
/** In the place of an HTTP status. */
const NO_ANSWER = 'no_answer';

export const deliveryActivities = (db: Database): DeliveryActivities => ({
  async deliver(id: string): Promise<DeliveryStep> {
    const row = await db.delivery.findUnique({ where: { id }, include: WITH_WEBHOOK });
    if (!row) return { over: 'gone' };
    const { status, attempts } = row;
    const last = await outcomeOf(db, row);
    const told = last && { last };
    if (status === 'failed')
      return { over: status, ...told, problem: `${last?.text ?? 'It failed'}, and it is given up` };
    if (status !== 'retrying') return { over: status, ...told };
    const attempt = attempts + 1;
    const waitMs = (row.next_at?.getTime() ?? 0) - Date.now();
    if (waitMs > 0) return { waitMs, attempt, until: formatMoment(Date.now() + waitMs), ...told };
    if (isRefused(row)) {
      await giveUp(db, id);
      return { over: 'failed', ...told, problem: `The webhook is ${row.webhook.status}, and gets nothing now` };
    }
    await queueAgain(db, id, attempts);
    return { waitMs: MAX_WAIT_MS, attempt, until: null, ...told };
  },
});

/** Of the latest attempt. An endpoint's answer is not told: Temporal stores it. */
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
  const text = made.status === null ? `got no answer: ${made.error}` : `was answered ${made.status}`;
  return { attempt: attempts, status, text: `attempt ${attempts} ${text}` };
}

interface Addressed {
  webhook: { status: string };
  event: { type: string };
}

/** A webhook that is disabled gets nothing, one that has to be verified again nothing but its verification. */
const isRefused = ({ webhook: { status }, event: { type } }: Addressed): boolean =>
  status === 'disabled' || (status === 'unverified' && type !== 'verification');

/** The webhook gets nothing now, so no attempt is made. The delivery can be sent again once the webhook is verified. */
const giveUp = (db: Database, id: string): Promise<void> =>
  db.$transaction(async tx => {
    const failed = await tx.delivery.updateManyAndReturn({
      where: { id, status: 'retrying' },
      data: { status: 'failed', next_at: null },
      select: { webhook_id: true, sequence: true },
    });
    for (const where of failed) await tx.queuedDelivery.deleteMany({ where });
  });
