/** How often, and after which delays, a failing delivery is retried. */
import pino from 'pino';
import { sweepActivities } from '../../src/background/sweep';
import { Sender } from '../../src/sending/sender';
import { recordAttempts } from '../../src/webhooks/delivery/recordAttempts';
import { deliveryActivities } from '../../src/webhooks/delivery/retries';
import { testApi } from '../harness/servers/api';
import { vault } from '../harness/servers/secrets';
import { testReceiver } from '../harness/webhooks/endpoint';

const api = testApi();
const receiver = testReceiver();
const db = () => api.database.db();
const sender = new Sender({ strict: false });
const log = pino({ level: 'silent' });
const deliver = (id: string) =>
  deliveryActivities(db(), vault, { sandbox: sender, production: sender }, log).deliver(id);
afterAll(() => sender.close());

/** A delivery whose first attempt has failed. */
async function newFailedDelivery(): Promise<{ id: string; webhook_id: string }> {
  const { body } = await api.rest('POST', '/webhooks', { body: { url: receiver.url() } });
  const { id, webhook_id, sequence } = await db().delivery.findFirstOrThrow({ where: { webhook_id: body.id } });
  await db().webhook.update({ where: { id: webhook_id }, data: { status: 'verified' } });
  const attempt = { id, webhook_id, sequence: Number(sequence), previousAttempts: 0, isVerification: false };
  await recordAttempts(db(), [{ ...attempt, startedAt: Date.now(), status: 500, answer: '', durationMs: 1 }]);
  return { id, webhook_id };
}
const makeDue = (id: string) => db().delivery.update({ where: { id }, data: { next_at: new Date(0) } });

it('a delivery fails after seventeen attempts within three days, with growing delays', async () => {
  receiver.answers(() => 500);
  const { id } = await newFailedDelivery();
  const { next_at } = await db().delivery.findUniqueOrThrow({ where: { id } });
  const delays = [(next_at?.getTime() ?? 0) - Date.now()];
  for (let step = await deliver(id); ; step = await deliver(id)) {
    if ('over' in step) {
      expect(step).toEqual({ over: 'failed' });
      break;
    }
    if (delays.length > 1 || step.attempt > 2) delays.push(step.waitMs);
    await makeDue(id);
  }
  const { attempts, sequence, status } = await db().delivery.findUniqueOrThrow({ where: { id } });
  const loggedAttempts = await db().deliveryAttempt.count({ where: { sequence } });
  expect([attempts, loggedAttempts, status]).toEqual([17, 17, 'failed']);
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(delays).toHaveLength(16);
  const days = delays.reduce((sum, delay) => sum + delay, 0) / 86_400_000;
  expect(days).toBeGreaterThan(2.99);
  expect(days).toBeLessThanOrEqual(3);
});

it('a webhook is not disabled if another delivery succeeded during the failing attempt', async () => {
  const { id, webhook_id } = await newFailedDelivery();
  const fourDaysAgo = new Date(Date.now() - 4 * 86_400_000);
  await db().webhook.update({ where: { id: webhook_id }, data: { failing_since: fourDaysAgo } });
  receiver.answers(async () => {
    await db().webhook.update({ where: { id: webhook_id }, data: { failing_since: null } });
    return 500;
  });
  await makeDue(id);
  await deliver(id);
  expect(await db().webhook.findUnique({ where: { id: webhook_id } })).toMatchObject({ status: 'verified' });
});

it('the sweep puts a delivery whose workflow was lost into the outbox again', async () => {
  const { id } = await newFailedDelivery();
  await db().outbox.deleteMany();
  await makeDue(id);
  const { sweepExpired } = sweepActivities(db(), api.temporal);
  await sweepExpired().catch(() => undefined);
  expect(await db().outbox.count({ where: { kind: 'delivery', object_id: id } })).toBe(1);
});
