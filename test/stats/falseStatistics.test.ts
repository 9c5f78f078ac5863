/** The figures of a merchant cost what it has, not what others have; whatever the server believes. */
import type { Prisma } from '../../prisma/generated/client';
import { readByIndex } from '../../src/database/connection';
import { countCharges, countRecovered, countSubscriptions, type Reader } from '../../src/stats/rows';
import { foresee } from '../../src/stats/upcoming';
import { inDatabase, PATIENCE, testDatabase } from '../harness/servers/database';
import { believeEmpty, WAYS_OF_EMPTY } from '../harness/servers/statistics';

const ROWS = 10_000;
/** What the small merchant has: one of each hundred. */
const OWN = ROWS / 100;
const TABLES = ['plans', 'subscriptions', 'transactions'];
const database = testDatabase();
const NOW = Date.parse('2026-03-01T12:00:00Z');
const span = { merchant_id: 'm1', since: new Date('2026-01-01'), until: new Date('2026-03-01') };

beforeAll(() =>
  inDatabase(database.url(), client =>
    client.query(`
      insert into merchants (id, environment, name, email)
      select 'm' || i, 'sandbox', 'Shop', 'shop@example.com' from generate_series(1, 2) i;
      insert into plans (id, merchant_id, creation_date, name, amount, repeat_every, repeat_unit, retry_times, status_after_retry, trial_days)
      select 'p' || i, 'm' || i, now(), 'Monthly', 1000, 1, 'month', 0, 'unpaid', 0 from generate_series(1, 2) i;
      insert into customers (id, merchant_id, name, email)
      select 'a' || i, 'm' || i, 'Ana', 'ana@example.com' from generate_series(1, 2) i;
      insert into cards (id, merchant_id, customer_id, holder_name, card_number, expiration_month, expiration_year, brand, status)
      select 'k' || i, 'm' || i, 'a' || i, 'Ana', '', '12', '30', 'visa', 'deleted' from generate_series(1, 2) i;
      insert into subscriptions (id, merchant_id, customer_id, plan_id, card_id, holds_card, creation_date, status,
        trial_end_date, first_charge_day, due_at, current_period_number)
      select 's' || i, 'm' || m, 'a' || m, 'p' || m, 'k' || m, false, timestamptz '2026-01-15', 'active', '2026-01-14',
        '2026-01-15', now() + interval '9 years', 2
      from generate_series(1, ${ROWS}) i, lateral (select case when i % 100 = 0 then 1 else 2 end as m) whose;
      insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type,
        method, status, progress, amount, account, cost_rate, cost_fixed, subscription_id, period)
      select 't' || i, 'm' || m, 'a' || m, timestamptz '2026-02-01', now(), 'charge', 'in', 'card', 'completed', 'settled', 1000,
        'm', 1, 1, 's' || i, 1
      from generate_series(1, ${ROWS}) i, lateral (select case when i % 100 = 0 then 1 else 2 end as m) whose;`),
  ),
);

const figures: Record<string, (tx: Reader) => Promise<unknown>> = {
  subscriptions: tx => countSubscriptions(tx, span),
  charges: tx => countCharges(tx, span),
  'what was recovered': tx => countRecovered(tx, span),
  'what comes': tx => foresee(tx, span.merchant_id, NOW, ['2026-03-14', '2026-03-15', '2026-03-16']),
};

async function countReads(tx: Prisma.TransactionClient): Promise<number> {
  const [read] = await tx.$queryRaw<{ rows: number }[]>`
    select sum(seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_xact_user_tables where relname = any(${TABLES})`;
  return read?.rows ?? 0;
}

const readsOf = (count: (tx: Reader) => Promise<unknown>): Promise<number> =>
  database.db().$transaction(async tx => {
    await readByIndex(tx);
    const before = await countReads(tx);
    await count(tx);
    return (await countReads(tx)) - before;
  }, PATIENCE);

describe('of a small merchant', () => {
  beforeAll(() => inDatabase(database.url(), client => client.query('analyze')));

  it.each(Object.entries(figures))('%s', async (_, count) => {
    expect(await readsOf(count)).toBeLessThan(OWN * 10);
  });
});

describe.each(WAYS_OF_EMPTY)('tables %s', way => {
  beforeAll(() => believeEmpty(database.url(), TABLES, way));

  it.each(Object.entries(figures))('%s', async (_, count) => {
    expect(await readsOf(count)).toBeLessThan(OWN * 10);
  });

  it('and are right', async () => {
    const db = database.db();
    expect((await countSubscriptions(db, span)).total).toMatchObject({ active: OWN, new_subscriptions: OWN });
    expect(await countCharges(db, span)).toMatchObject([{ charges: OWN }]);
  });
});
