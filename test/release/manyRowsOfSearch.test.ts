/** The cost of a search depends on its results, not on the number of rows or the table statistics. */
import { find } from '../../src/reports/search/find';
import { parseSearchText } from '../../src/reports/search/text';
import { testDatabase } from '../harness/servers/database';
import { countReads } from '../harness/servers/manyRows';
import { believeEmpty, WAYS_OF_EMPTY } from '../harness/servers/statistics';
import { inDatabase } from '../harness/world/database';

const ROWS = 20_000;
const TABLES = ['customers', 'plans', 'transactions', 'subscriptions'];
/**
 * The newest rows of three tables, plus the ranked rows. If the server has no statistics of the indexes either, it may
 * look up an external_id with another index, among all customers of the merchant.
 */
const MAX_READ = 2500 + ROWS / 2;
const database = testDatabase();

beforeAll(() =>
  inDatabase(database.url(), client =>
    client.query(`
      insert into merchants (id, environment, name, email)
      select 'm' || i, 'sandbox', 'Shop', 'shop@example.com' from generate_series(1, 2) i;
      insert into customers (id, merchant_id, creation_date, name, last_name, email, phone_number, external_id)
      select 'a' || lpad(i::text, 19, '0'), 'm' || 1 + i % 2, timestamptz '2026-01-01' + i * interval '1 minute',
        case when i = 101 then 'Ñandú' else 'Ana' end, 'Gómez', 'c' || i || '@example.com', '300' || lpad(i::text, 7, '0'), 'x-' || i
      from generate_series(1, ${ROWS}) i;
      insert into plans (id, merchant_id, creation_date, name, amount, repeat_every, repeat_unit, retry_times, status_after_retry, trial_days)
      select 'p' || lpad(i::text, 19, '0'), 'm' || 1 + i % 2, timestamptz '2026-01-01' + i * interval '1 minute', 'Plan ' || i,
        1000, 1, 'month', 0, 'unpaid', 0 from generate_series(1, ${ROWS}) i;
      insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status,
        progress, amount, order_id, "authorization", card, account, cost_rate, cost_fixed)
      select 't' || lpad(i::text, 19, '0'), 'm' || 1 + i % 2, at, at, 'charge', 'in', 'card', 'completed', 'settled', 100000 + i,
        'order-' || i || '-z', lpad(i::text, 6, '0'), jsonb_build_object('card_number', '411111XXXXXX' || lpad((i % 5000)::text, 4, '0')), 'm', 1, 1
      from generate_series(1, ${ROWS}) i, lateral (select timestamptz '2026-01-01' + i * interval '1 minute' as at) d;`),
  ),
);

async function searchFor(text: string): Promise<{ found: string[]; reads: number }> {
  let found: string[] = [];
  const reads = await countReads(database.db(), TABLES, async tx => {
    const rows = await find({ tx, merchant_id: 'm2' }, parseSearchText(text), 10);
    found = rows.map(({ matched, id }) => `${matched} ${id[0]}${Number(id.slice(1))}`);
  });
  return { found, reads };
}

describe.each(['with correct statistics', ...WAYS_OF_EMPTY])('tables %s', way => {
  beforeAll(async () => {
    if (way === 'with correct statistics') await inDatabase(database.url(), client => client.query('analyze'));
    else await believeEmpty(database.url(), TABLES, way);
  });

  it.each([
    ['nandu', ['name a101']],
    ['ñandú gómez', ['name a101']],
    ['c777@example.com', ['email a777']],
    ['3000000777', ['phone_number a777']],
    ['30000007', ['phone_number a799', 'phone_number a797']],
    ['x-777', ['external_id a777']],
    ['plan 777', ['name p777']],
    ['order-777-z', ['order_id t777']],
    ['777-z', ['order_id t19777']],
    ['000777', ['authorization t777']],
    ['1007.77', ['amount t777']],
    ['zyxwvu', []],
    ['%%%%', []],
    ['日本語', []],
  ])('%s is found with few reads', async (text, expected) => {
    const { found, reads } = await searchFor(text);
    expect(found.slice(0, expected.length || 1)).toEqual(expected);
    expect(reads).toBeLessThan(MAX_READ);
  });

  it.each(['gómez', 'ana gómez', 'example.com', 'order', 'plan'])(
    '%s, which matches every record, is found with few reads',
    async text => {
      const { found, reads } = await searchFor(text);
      expect(found).toHaveLength(10);
      expect(reads).toBeLessThan(MAX_READ);
    },
  );
});
