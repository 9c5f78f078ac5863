/** Deliveries with a failed first attempt, without waiting for it to fail. */
import { deliveryActivities } from '../../../src/notifications/webhooks/delivery/activities';
import { type AttemptResult, recordAttempts } from '../../../src/notifications/webhooks/delivery/attempts/rows';
import { testEngine } from './engine';

export function testLaterAttempts() {
  const engine = testEngine();
  const { db, newHook } = engine;

  const deliver = (id: string) => deliveryActivities(db()).deliver(id);
  const rowOf = (id: string) => db().delivery.findUniqueOrThrow({ where: { id } });
  const makeDue = (id: string) => db().delivery.update({ where: { id }, data: { next_at: new Date(0) } });
  const queued = (webhook_id: string) => db().queuedDelivery.findMany({ where: { webhook_id } });

  /** The result of the next attempt at a delivery. */
  async function nextResult(id: string, status: number): Promise<AttemptResult> {
    const { webhook_id, sequence, attempts: previousAttempts } = await rowOf(id);
    const attempt = { id, webhook_id, sequence: Number(sequence), previousAttempts, isVerification: false };
    return { ...attempt, startedAt: Date.now(), status, answer: '', durationMs: 1 };
  }

  /** Creates a webhook with this number of deliveries whose first attempt has failed. */
  async function newFailed(path: string, count: number): Promise<{ webhook_id: string; ids: string[] }> {
    const webhook_id = await newHook(path, count);
    const ids = (await queued(webhook_id)).map(({ delivery_id }) => delivery_id);
    await recordAttempts(db(), await Promise.all(ids.map(id => nextResult(id, 500))));
    return { webhook_id, ids };
  }
  /** Performs the step of the workflows at the end of the delay. */
  async function requeue(ids: string[]): Promise<void> {
    for (const id of ids) {
      await makeDue(id);
      await deliver(id);
    }
  }
  return { ...engine, deliver, rowOf, makeDue, queued, nextResult, newFailed, requeue };
}
