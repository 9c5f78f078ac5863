/** The cost of a page of a sorted list depends on its records, not on the list, even if all sort values are equal. */
import { subscriptionOrders, subscriptionsWhere } from '../../src/billing/subscriptions/list';
import { subscriptionList } from '../../src/billing/subscriptions/rows';
import { transactionConnection, transactionWhere } from '../../src/payments/charges/list';
import { customerOrders } from '../../src/payments/customers/list';
import { customerConditions, customerList } from '../../src/payments/customers/rows';
import { writeCursor } from '../../src/schema/connections/order';
import { sliceOf } from '../../src/schema/connections/window';
import type { Context } from '../../src/schema/operation/context';
import { testDatabase } from '../harness/servers/database';
import { countReads, merchantsSql } from '../harness/servers/manyRows';
import { inDatabase } from '../harness/world/database';

const ROWS = 10_000;
const TABLES = ['customers', 'subscriptions', 'transactions'];
const database = testDatabase();

beforeAll(() =>
  inDatabase(database.url(), client =>
    client.query(`
      ${merchantsSql('sandbox', 0, 0)}
      insert into customers (id, merchant_id, name, email)
      select 'a' || lpad(i::text, 19, '0'), 'm0', 'Ana', 'ana@example.com' from generate_series(1, ${ROWS}) i;
      insert into subscriptions (id, merchant_id, customer_id, plan_id, card_id, holds_card, creation_date, status,
        trial_end_date, first_charge_day, due_at, reason)
      select 's' || lpad(i::text, 19, '0'), 'm0', 'a' || lpad(i::text, 19, '0'), 'p0', 'k0', false, now(),
        case when i % 10 = 0 then 'active' else 'cancelled' end, '2026-01-01',
        case when i % 10 = 0 then '2030-01-01' else '2026-01-01' end, now() + interval '9 years',
        case when i % 10 = 0 then null else 'period_ended' end
      from generate_series(1, ${ROWS}) i;
      insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status,
        progress, amount, account, cost_rate, cost_fixed)
      select 't' || lpad(i::text, 19, '0'), 'm0', now(), now(), 'charge', 'in', 'card', 'failed', 'settled', 1000, 'm', 1, 1
      from generate_series(1, ${ROWS}) i;
      analyze;`),
  ),
);

const id = (letter: string): string => `${letter}${String(ROWS / 2).padStart(19, '0')}`;
const { name_asc } = customerOrders;
const { charge_date_asc } = subscriptionOrders;
const after = {
  customer: writeCursor(name_asc, { id: id('a'), name: 'Ana', last_name: null } as never),
  subscription: writeCursor(charge_date_asc, { id: id('s'), charge_date: '2030-01-01' } as never),
  charge: Buffer.from(`amount.${id('t')}.1000`).toString('base64url'),
};

/** Each page starts in the middle of records with equal sort values. */
const pages: Record<string, (context: Context) => Promise<{ id: string }[]>> = {
  'customers by name': context =>
    customerList(
      context,
      customerConditions(context, { offset: 0 }),
      sliceOf({ after: after.customer }, name_asc),
    ).read(),
  'subscriptions by their next charge': context =>
    subscriptionList(
      context.db,
      subscriptionsWhere(context, { offset: 0 }),
      sliceOf({ after: after.subscription }, charge_date_asc),
    ).read(),
  'charges by amount': async context => {
    const window = { after: after.charge, sort: 'amount_asc' } as const;
    const { edges } = await transactionConnection(context, transactionWhere(context, 'charge', window), window);
    return edges.map(({ node }) => node);
  },
};

it.each(Object.entries(pages))('%s reads few rows', async (_, readPage) => {
  const reads = await countReads(database.db(), TABLES, async tx => {
    const page = await readPage({ db: tx, merchant_id: 'm0' } as unknown as Context);
    expect(page.length).toBeGreaterThanOrEqual(10);
  });
  expect(reads).toBeLessThan(100);
});
