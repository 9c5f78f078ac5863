/** The cost of frequent operations depends on their work, not on the number of rows or the table statistics. */
import { writeChange } from '../../../src/billing/subscriptions/billing/rows';
import { reloadSubscription } from '../../../src/billing/subscriptions/rows';
import type { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { drainOutbox } from '../../../src/operations/background/outbox';
import { recover } from '../../../src/operations/background/recovery';
import { findDueKinds } from '../../../src/operations/background/rows';
import { rejectDuplicate } from '../../../src/payments/cards/rows';
import { settle } from '../../../src/payments/charges/outcome/rows';
import { reloadTransaction } from '../../../src/payments/charges/rows';
import type { Database } from '../../../src/platform/database/connection';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import { createLog } from '../../../src/platform/log';
import { PATIENCE, testDatabase } from '../../harness/servers/database';
import { merchantsSql, rowsRead } from '../../harness/servers/manyRows';
import { believeEmpty, WAYS_OF_EMPTY } from '../../harness/servers/statistics';
import { inDatabase } from '../../harness/world/database';

/** Twenty times the rows that an operation may read. */
const ROWS = 4000;
const TABLES = ['customers', 'cards', 'subscriptions', 'transactions', 'outbox', 'tokens'];
const database = testDatabase();

beforeAll(() =>
  inDatabase(database.url(), client =>
    client.query(`
      ${merchantsSql('sandbox', 0, 0)}
      insert into customers (id, merchant_id, name, email)
      select 'c' || i, 'm0', 'Ana', 'ana@example.com' from generate_series(1, ${ROWS}) i;
      insert into cards (id, merchant_id, customer_id, holder_name, card_number, expiration_month, expiration_year, brand, status)
      select 'k' || i, 'm0', 'c' || i, 'Ana', '', '12', '30', 'visa', 'deleted' from generate_series(1, ${ROWS}) i;
      insert into cards (id, merchant_id, customer_id, holder_name, card_number, expiration_month, expiration_year, brand, number_sealed, fingerprint)
      select 'f' || i, 'm0', 'c3', 'Ana', '', '12', '30', 'visa', '', decode(md5(i::text), 'hex') from generate_series(1, ${ROWS}) i;
      insert into tokens (id, merchant_id, holder_name, card_number, expiration_month, expiration_year, brand, used_at, used_by)
      select 't' || i, 'm0', 'Ana', '', '12', '30', 'visa', now(), 'x' from generate_series(1, ${ROWS}) i;
      insert into subscriptions (id, merchant_id, customer_id, plan_id, card_id, holds_card, creation_date, status,
        trial_end_date, first_charge_day, due_at)
      select 's' || i, 'm0', 'c' || i, 'p0', 'k' || i, false, now(), 'active', '2026-01-01', '2026-01-01', now() + interval '9 years'
      from generate_series(1, ${ROWS}) i;
      insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type,
        method, status, progress, amount, account, cost_rate, cost_fixed, source_id)
      select 'x' || i, 'm0', 'c' || i, now(), now(), 'charge', 'in', 'card', 'in_progress', 'prepared', 1000, 'm', 1, 1, 't' || i
      from generate_series(1, ${ROWS}) i;
      insert into outbox (id, kind, object_id, environment, again_at)
      select 1000000 + i, 'nudge', 's' || i, 'sandbox', now() + case when i > 10 then interval '9 years' else interval '0' end
      from generate_series(1, ${ROWS}) i;`),
  ),
);

const nudges = { handlers: { nudge: async () => undefined }, maxBatchRows: 5, leaseSeconds: 20, maxBackoffSeconds: 5 };

/** Each operation returns whether it found its work. */
const works: Record<string, (db: Database) => Promise<boolean>> = {
  'the outbox is drained': async db => (await drainOutbox(db, nudges)) === 5,
  'the outbox is polled': async db => (await findDueKinds(db, ['nudge', 'expiry'], BOTH_ENVIRONMENTS)).length === 1,
  'nothing is recovered': async db => (await recover(db, { sandbox: {} as HttpAcquirer }, createLog('test'))) === 0,
  'another card with the same number is looked for': async db => {
    await rejectDuplicate({ db }, 'c3', Buffer.alloc(16), 'k');
    return true;
  },
  'a charge is settled': async db => {
    const row = await reloadTransaction(db, 'x1');
    return settle(db, 'prepared', { row: { ...row, status: 'failed', progress: 'settled' } });
  },
  'a subscription is changed': async db => {
    const before = await reloadSubscription(db, 's1');
    const after = { ...before, status: 'cancelled', reason: 'period_ended', card_id: 'k2' } as const;
    return writeChange(db, { before, after, lines: [], events: [], outbox: [] });
  },
};

class RolledBack extends Error {}

/** The number of table rows that the operation reads; every change is rolled back. */
async function rowsReadBy(work: (db: Database) => Promise<boolean>): Promise<number> {
  let rows = 0;
  const run = database.db().$transaction(async tx => {
    expect(await work(tx as Database)).toBe(true);
    rows = await rowsRead(tx, TABLES);
    throw new RolledBack();
  }, PATIENCE);
  await expect(run).rejects.toThrow(RolledBack);
  return rows;
}

describe.each(WAYS_OF_EMPTY)('tables %s', way => {
  beforeAll(() => believeEmpty(database.url(), TABLES, way));

  it.each(Object.entries(works))('%s', async (_, work) => {
    expect(await rowsReadBy(work)).toBeLessThan(200);
  });
});
