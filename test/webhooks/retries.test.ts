/** How often, and after which pauses, a delivery is tried that never arrives. */
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

/** One whose first attempt has failed. */
async function newFailed(): Promise<{ id: string; webhook_id: string }> {
  const { body } = await api.rest('POST', '/webhooks', { body: { url: receiver.url() } });
  const { id, webhook_id, sequence } = await db().delivery.findFirstOrThrow({ where: { webhook_id: body.id } });
  await db().webhook.update({ where: { id: webhook_id }, data: { status: 'verified' } });
  const about = { id, webhook_id, sequence: Number(sequence), attempts: 0, verifies: false };
  await recordAttempts(db(), [{ ...about, at: Date.now(), status: 500, answer: '', ms: 1 }]);
  return { id, webhook_id };
}
const makeDue = (id: string) => db().delivery.update({ where: { id }, data: { next_at: new Date(0) } });

it('is tried seventeen times within three days, each pause longer than the one before, and has then failed', async () => {
  receiver.answers(() => 500);
  const { id } = await newFailed();
  const { next_at } = await db().delivery.findUniqueOrThrow({ where: { id } });
  const pauses = [(next_at?.getTime() ?? 0) - Date.now()];
  for (let step = await deliver(id); ; step = await deliver(id)) {
    if ('over' in step) {
      expect(step).toEqual({ over: 'failed' });
      break;
    }
    if (pauses.length > 1 || step.attempt > 2) pauses.push(step.waitMs);
    await makeDue(id);
  }
  const { attempts, sequence, status } = await db().delivery.findUniqueOrThrow({ where: { id } });
  const logged = await db().deliveryAttempt.count({ where: { sequence } });
  expect([attempts, logged, status]).toEqual([17, 17, 'failed']);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses).toHaveLength(16);
  const days = pauses.reduce((sum, pause) => sum + pause, 0) / 86_400_000;
  expect(days).toBeGreaterThan(2.99);
  expect(days).toBeLessThanOrEqual(3);
});

it('disables its webhook only where nothing has arrived there for three days, also while it was tried', async () => {
  const { id, webhook_id } = await newFailed();
  const long = new Date(Date.now() - 4 * 86_400_000);
  await db().webhook.update({ where: { id: webhook_id }, data: { failing_since: long } });
  receiver.answers(async () => {
    await db().webhook.update({ where: { id: webhook_id }, data: { failing_since: null } });
    return 500;
  });
  await makeDue(id);
  await deliver(id);
  expect(await db().webhook.findUnique({ where: { id: webhook_id } })).toMatchObject({ status: 'verified' });
});

it('is told of again where its workflow was lost', async () => {
  const { id } = await newFailed();
  await db().outbox.deleteMany();
  await makeDue(id);
  const { sweepExpired } = sweepActivities(db(), api.temporal);
  await sweepExpired().catch(() => undefined);
  expect(await db().outbox.count({ where: { kind: 'delivery', object_id: id } })).toBe(1);
});
