/** Operator queries read as many rows as they show, at any table size. Of the outbox they read the oldest entries. */
import type { Database } from '../../src/platform/database/connection';
import { operatorCommands } from '../harness/merchant/operatorCommands';
import { testDatabase } from '../harness/servers/database';
import { countReads, merchantsSql } from '../harness/servers/manyRows';
import { inDatabase } from '../harness/world/database';

const ROWS = 5000;
const OVERDUE = 5;
const TABLES = [
  'subscriptions',
  'subscription_lines',
  'transactions',
  'entries',
  'events',
  'deliveries',
  'delivery_attempts',
  'delivery_queue',
  'audit_log',
  'settlement_reports',
];
const database = testDatabase();

beforeAll(() =>
  inDatabase(database.url(), client =>
    client.query(`
      ${merchantsSql('production', 0, 9)}
      insert into subscriptions (id, merchant_id, customer_id, plan_id, card_id, holds_card, creation_date, status,
        trial_end_date, first_charge_day, due_at)
      select 's' || i, 'm' || i % 10, 'a' || i % 10, 'p' || i % 10, 'k' || i % 10, false, now(), 'active', '2026-01-01', '2026-01-01',
        now() + case when i <= ${OVERDUE} then interval '-1 hour' else interval '20 days' end
      from generate_series(1, ${ROWS}) i;
      insert into subscription_lines (id, subscription_id, date, event)
      select 1000000 + i, 's' || i, now(), 'created' from generate_series(1, ${ROWS}) i;
      insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type,
        method, status, progress, amount, account, cost_rate, cost_fixed, subscription_id, period, expires_at)
      select 't' || i, 'm' || i % 10, 'a' || i % 10, now() - interval '1 day', now(), 'charge', 'in', 'card', 'completed',
        case when i <= ${OVERDUE} then 'authorized' else 'settled' end, 1000, 'm', 1, 1, 's' || i, 1, now() - interval '1 hour'
      from generate_series(1, ${ROWS}) i;
      insert into events (id, merchant_id, type, object_id, object, creation_date)
      select 'e' || i, 'm' || i % 10, 'charge.succeeded', 't' || i, '{}', now() from generate_series(1, ${ROWS}) i;
      insert into webhooks (id, merchant_id, creation_date, url, status, verification_code, secret_sealed)
      select 'w' || i, 'm' || i, now(), 'https://example.com/', 'verified', '', '' from generate_series(0, 9) i;
      insert into deliveries (id, webhook_id, event_id, creation_date, status, attempts, next_at)
      select 'd' || i, 'w' || i % 10, 'e' || i, now() - interval '1 day', case when i <= ${OVERDUE} then 'retrying' else 'delivered' end, 1,
        case when i <= ${OVERDUE} then now() - interval '1 hour' end from generate_series(1, ${ROWS}) i;
      delete from delivery_queue;
      insert into delivery_attempts (sequence, number, status, duration) select sequence, 1, 200, 1 from deliveries;
      insert into outbox (id, kind, object_id, environment, again_at) select 1000000 + i, 'nudge', 's' || i, 'sandbox', now() from generate_series(1, ${ROWS}) i;
      insert into audit_log (id, merchant_id, actor, action, object_id)
      select 1000000 + i, 'm' || i % 10, 'key', 'subscription.changed', 's' || i from generate_series(1, ${ROWS}) i;
      analyze;`),
  ),
);

const rowsReadBy = (args: readonly string[], check: (json: Record<string, unknown[]>) => void): Promise<number> =>
  countReads(database.db(), TABLES, async tx =>
    check((await operatorCommands(() => ({ db: tx as Database, secret: '' }))(...args)).json),
  );

it.each([
  [['overdue'], 'overdue', 3 * OVERDUE],
  [['overdue', '--merchant', 'm1'], 'overdue', 3],
  [['stuck'], 'attempts', 0],
  [['story', 's1'], 'story', 11],
  [['story', 't1'], 'story', 7],
  [['story', 'd1'], 'story', 4],
] as const)('%j reads few rows', async (args, list, length) => {
  const rows = await rowsReadBy(args, json => expect(json[list]).toHaveLength(length));
  expect(rows).toBeLessThan(ROWS / 10);
});
