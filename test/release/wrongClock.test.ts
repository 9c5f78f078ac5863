/** A worker on a machine with a wrong clock uses the clock of the database, like every other worker. */

import type { OpenAttempt } from '../../src/billing/subscriptions/rules/state';
import { NO_ANSWER_PAUSES_MS } from '../../src/billing/subscriptions/rules/waits';
import { fromRoot } from '../../src/platform/root';
import { eventually } from '../harness/flow/until';
import { testBilling } from '../harness/merchant/subscriptions';

const MINUTE_MS = 60_000;

describe.each([
  ['fast', 8],
  ['slow', -8],
])('a worker whose clock is %s', (_, minutes) => {
  const billing = testBilling({
    workerVariables: () => ({
      NODE_OPTIONS: `--require ${fromRoot('test/harness/servers/wrongClock.cjs')}`,
      CLOCK_AHEAD_MS: `${minutes * MINUTE_MS}`,
    }),
  });

  it.concurrent('looks up a charge without a response after the usual time', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await billing.shop.script(subscription.card_id, ...Array(20).fill('timeout'));
    const before = Date.now();
    await billing.shop.post('/sandbox/clock', { to: '2040-01-12', subscription_id: subscription.id });
    const open = await eventually(async () => {
      const row = await billing.api.database.db().subscription.findUniqueOrThrow({ where: { id: subscription.id } });
      expect(row.open).toMatchObject({ tries: expect.any(Number) });
      return row.open as unknown as OpenAttempt;
    });
    // No lookup directly after the attempt has begun.
    const askedAt = open.again_at - (NO_ANSWER_PAUSES_MS[open.tries - 1] ?? 0);
    expect(askedAt).toBeGreaterThan(before);
    expect(askedAt).toBeLessThan(Date.now());
  });

  it.concurrent('moves a test clock to the requested moment', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    const began = Date.now();
    const moved = await billing.moveClock('2040-03-20T12:00:00-05:00', { subscription_id: subscription.id });
    expect(moved.status).toBe(200);
    const { body } = await billing.api.rest('GET', `/sandbox/clock?subscription_id=${subscription.id}`);
    const ahead = Date.parse(body.now) - Date.parse('2040-03-20T12:00:00-05:00');
    expect(ahead).toBeGreaterThan(-2000);
    expect(ahead).toBeLessThan(Date.now() - began + 2000);
    expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 3 });
  });
});
