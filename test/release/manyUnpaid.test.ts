/** More unpaid subscriptions than one statement can extend. */
import type { AuditOrigin } from '../../src/accounts/auditLog/entry';
import { findHoldable, holdBilling, releaseBilling } from '../../src/billing/holds/hold';
import { testDatabase } from '../harness/servers/database';
import { merchantsSql } from '../harness/servers/manyRows';
import { inDatabase } from '../harness/world/database';

const ROWS = 4500;
const database = testDatabase();
const by: AuditOrigin = { actor: { kind: 'system', id: null } };

it('extends the deadline of each subscription by the duration of the hold, once, and only in this environment', async () => {
  await inDatabase(database.url(), client =>
    client.query(`
      ${merchantsSql('production', 0, 0)}
      ${merchantsSql('sandbox', 1, 1)}
      insert into subscriptions (id, merchant_id, customer_id, plan_id, card_id, holds_card, creation_date, status,
        trial_end_date, first_charge_day, due_at)
      select 's' || i, 'm' || i % 2, 'a' || i % 2, 'p' || i % 2, 'k' || i % 2, false, now(), 'unpaid', '2026-01-01',
        '2026-01-01', '2100-01-01' from generate_series(1, ${2 * ROWS}) i`),
  );
  const db = database.db();
  const target = await findHoldable(db, 'everything', 'production');
  const { id } = await holdBilling(db, by, target, { reason: 'Wrong prices' });
  await db.billingHold.update({ where: { id }, data: { held_at: new Date(Date.now() - 3_600_000) } });
  await releaseBilling(db, by, target);
  const groups = await db.$queryRaw`
    select merchant_id, version, date_trunc('hour', due_at - '2100-01-01') = interval '1 hour' as "isMoved", count(*)::integer
    from subscriptions group by 1, 2, 3 order by 1`;
  expect(groups).toEqual([
    { merchant_id: 'm0', version: 2, isMoved: true, count: ROWS },
    { merchant_id: 'm1', version: 1, isMoved: false, count: ROWS },
  ]);
});
