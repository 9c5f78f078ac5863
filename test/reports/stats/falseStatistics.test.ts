/** The cost of a merchant's statistics depends on its own rows, not on other merchants or on the table statistics. */
import { readByIndex } from '../../../src/platform/database/connection';
import { countCharges, countRecovered, type Reader } from '../../../src/reports/stats/rows';
import { countSubscriptions } from '../../../src/reports/stats/subscriptions/rows';
import { projectUpcomingCharges } from '../../../src/reports/stats/upcoming/upcoming';
import { testDatabase } from '../../harness/servers/database';
import { countReads, merchantsSql } from '../../harness/servers/manyRows';
import { believeEmpty, WAYS_OF_EMPTY } from '../../harness/servers/statistics';
import { inDatabase } from '../../harness/world/database';

const ROWS = 10_000;
/** The rows of the small merchant: one percent. */
const OWN = ROWS / 100;
const TABLES = ['plans', 'subscriptions', 'transactions'];
const database = testDatabase();
const NOW = Date.parse('2026-03-01T12:00:00Z');
const span = { merchant_id: 'm1', since: new Date('2026-01-01'), until: new Date('2026-03-01') };

beforeAll(() =>
  inDatabase(database.url(), client =>
    client.query(`
      ${merchantsSql('sandbox', 1, 2)}
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
  subscriptions: tx => countSubscriptions(tx, span, '2026-01-01'),
  charges: tx => countCharges(tx, span),
  'recovered charges': tx => countRecovered(tx, span),
  'upcoming charges': tx =>
    projectUpcomingCharges(tx, span.merchant_id, NOW, ['2026-03-14', '2026-03-15', '2026-03-16']),
};

const readsOf = (count: (tx: Reader) => Promise<unknown>): Promise<number> =>
  countReads(database.db(), TABLES, async tx => {
    await readByIndex(tx);
    await count(tx);
  });

describe('statistics of a small merchant', () => {
  beforeAll(() => inDatabase(database.url(), client => client.query('analyze')));

  it.each(Object.entries(figures))('%s read few rows', async (_, count) => {
    expect(await readsOf(count)).toBeLessThan(OWN * 10);
  });
});

describe.each(WAYS_OF_EMPTY)('tables %s', way => {
  beforeAll(() => believeEmpty(database.url(), TABLES, way));

  it.each(Object.entries(figures))('%s read few rows', async (_, count) => {
    expect(await readsOf(count)).toBeLessThan(OWN * 10);
  });

  it('are correct', async () => {
    const db = database.db();
    expect((await countSubscriptions(db, span, '2026-01-01')).total).toMatchObject({
      active: OWN,
      new_subscriptions: OWN,
    });
    expect(await countCharges(db, span)).toMatchObject([{ charges: OWN }]);
  });
});
