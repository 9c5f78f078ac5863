/** Lists by cursor: from the beginning or the end, between two cursors, with an optional total count. */
import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';
import { Client } from 'pg';
import { Prisma } from '../../../prisma/generated/client';
import { merchantSchema } from '../../../src/api/graphql/publishedSchemas';
import { newId } from '../../../src/platform/identifiers';
import { countByOwner } from '../../../src/schema/connections/rows';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();

const shared = () => ({ merchant_id: api.merchants().own.id, name: 'María', email: 'maria@example.com' });
const record = (creation_date: Date) => ({ ...shared(), id: newId('customer'), creation_date });
/** Three records for each time, newest first. */
let ids: string[];

beforeAll(async () => {
  const rows = Array.from({ length: 24 }, (_, i) => record(new Date(Date.UTC(2026, 0, 1 + Math.floor(i / 3)))));
  await api.database.db().customer.createMany({ data: rows });
  rows.sort((a, b) => b.creation_date.getTime() - a.creation_date.getTime() || (a.id < b.id ? 1 : -1));
  ids = rows.map(({ id }) => id);
});

interface Connection {
  nodes: { id: string }[];
  edges: { cursor: string; node: { id: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

const WINDOW = `query($first: Int, $after: String, $last: Int, $before: String, $limit: Int) {
  customers(first: $first, after: $after, last: $last, before: $before, limit: $limit) {
    edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
const read = async (window: object): Promise<Connection> => {
  const { body } = await api.graphql(WINDOW, window);
  expect(body.errors).toBeUndefined();
  return body.data.customers;
};

describe('a window', () => {
  it('matches the slice of a plain array for every end and cursor', async () => {
    const cursors = new Map((await read({ first: 1000 })).edges.map(({ cursor, node }) => [node.id, cursor]));
    const place = fc.option(fc.nat(23), { nil: undefined });
    const size = fc.integer({ min: 1, max: 30 });
    const end = fc.constantFrom('first', 'last', 'limit', 'none');
    await fc.assert(
      fc.asyncProperty(place, place, size, end, async (after, before, number, name) => {
        const cursorAt = (index: number | undefined) =>
          index === undefined ? undefined : cursors.get(ids[index] ?? '');
        const sized = name === 'none' ? {} : { [name]: number };
        const found = await read({ ...sized, after: cursorAt(after), before: cursorAt(before) });
        const between = ids.slice(after === undefined ? 0 : after + 1, before === undefined ? ids.length : before);
        const wanted = name === 'none' ? 10 : number;
        const expected = name === 'last' ? between.slice(-wanted) : between.slice(0, wanted);
        const hasMore = between.length > wanted;
        expect(found.edges.map(({ node }) => node.id)).toEqual(expected);
        expect(found.nodes.map(({ id }) => id)).toEqual(expected);
        expect(found.pageInfo).toEqual({
          hasNextPage: before !== undefined || (hasMore && name !== 'last'),
          hasPreviousPage: after !== undefined || (hasMore && name === 'last'),
          startCursor: cursors.get(expected[0] ?? '') ?? null,
          endCursor: cursors.get(expected.at(-1) ?? '') ?? null,
        });
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [{ first: 2, last: 2 }, 'last'],
    [{ first: 2, limit: 2 }, 'limit'],
    [{ last: 0 }, 'last'],
    [{ last: 1001 }, 'last'],
    [{ before: 'x' }, 'before'],
    [{ after: Buffer.from(`999999999999999.${'a'.repeat(20)}`).toString('base64url') }, 'after'],
  ])('fails with 1003 for %j', async (window, field) => {
    const answer = await api.graphql(WINDOW, window);
    expect([errorOf(answer), answer.body.errors[0].extensions.field]).toEqual([1003, field]);
  });

  it('has a complexity that counts the larger of its page sizes', async () => {
    const costOf = async (window: object) => (await api.graphql(WINDOW, window)).body.extensions.cost.requested;
    expect(await costOf({ last: 100 })).toBe(await costOf({ first: 100 }));
    expect(await costOf({ limit: 100 })).toBe(await costOf({ first: 100 }));
    expect(await costOf({})).toBe(await costOf({ first: 10 }));
  });
});

const fieldsOf = (type: GraphQLNamedType | undefined): GraphQLField<unknown, unknown>[] =>
  type && 'getInterfaces' in type ? Object.values(type.getFields()) : [];
/** Their records are known only in their order. */
const FORWARD = ['Statement.movements', 'SettlementItems.items', 'SubscriptionHistory.entries', 'FraudDryRun.charges'];

describe('every connection', () => {
  const connections = Object.values(merchantSchema.getTypeMap())
    .flatMap(type => fieldsOf(type).map(field => [`${type.name}.${field.name}`, field] as const))
    .filter(([place, { type }]) => /Connection!?$/.test(String(type)) && !FORWARD.includes(place));

  it.each(connections)('%s pages in both directions and has a total count', (_, field) => {
    const fields = fieldsOf(merchantSchema.getType(String(field.type).replace('!', '')));
    expect(fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['edges', 'nodes', 'pageInfo', 'totalCount', 'totalCountIsExact']),
    );
    const names = field.args.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['first', 'after', 'last', 'before', 'limit']));
  });

  it('has a total count on each list of a merchant', async () => {
    const own = connections.filter(
      ([place]) => /^Query\.(?!merchantAcc|liveReq|settlementRep|operator)/.test(place) && !/deliveries/.test(place),
    );
    expect(own.length).toBeGreaterThan(11);
    const query = own.map(([, { name }]) => `${name} { edges { cursor } totalCount totalCountIsExact }`);
    const { body } = await api.graphql(`{ ${query.join(' ')} }`);
    expect(body.errors).toBeUndefined();
    for (const [, { name }] of own) {
      const total = name === 'customers' ? 24 : body.data[name].edges.length;
      expect([name, body.data[name].totalCount, body.data[name].totalCountIsExact]).toEqual([name, total, true]);
    }
  });
});

describe('totalCount', () => {
  const MAX_EXACT = 10_000;
  const count = async (filters = '') => {
    const query = `{ customers(first: 1${filters}) { totalCount totalCountIsExact } }`;
    const { totalCount, totalCountIsExact } = (await api.graphql(query)).body.data.customers;
    return [totalCount, totalCountIsExact];
  };

  it('counts the complete filtered list on every page', async () => {
    const { endCursor } = (await read({ first: 5 })).pageInfo;
    expect(await count(`, after: "${endCursor}"`)).toEqual([24, true]);
    expect(await count(', creation_lte: "2025-12-31"')).toEqual([3, true]);
  });

  it('is not computed when the document does not select it', async () => {
    const query = jest.spyOn(Client.prototype, 'query');
    await read({ first: 1 });
    await count();
    const counted = query.mock.calls.filter(([statement]) => /count\(\*\)/.test(JSON.stringify(statement)));
    query.mockRestore();
    expect(counted).toHaveLength(1);
  });

  const insert = (merchant_id: string, creation_date: Date, number: number) => api.database.db().$executeRaw`
    insert into customers (id, merchant_id, name, email, creation_date)
    select 'a' || substr(md5(random()::text), 1, 19), ${merchant_id}, 'María', 'maria@example.com', ${creation_date}
    from generate_series(1, ${number})`;

  it('is exact up to 10,000 records, and a labelled estimate beyond', async () => {
    const { own } = api.merchants();
    await insert(own.id, new Date('2025-06-01'), MAX_EXACT - 24);
    expect(await count()).toEqual([MAX_EXACT, true]);
    await insert(own.id, new Date('2024-06-01'), 5000);
    await api.database.db().$executeRaw`analyze customers`;
    const [estimate, isExact] = await count();
    expect(isExact).toBe(false);
    expect(estimate).toBeGreaterThan(14_000);
    expect(estimate).toBeLessThan(16_000);
    expect(await count(', creation_lte: "2024-12-31"')).toEqual([5000, true]);
  });

  it('is an estimate for a list across merchants', async () => {
    const { own, other } = api.merchants();
    await insert(other.id, new Date('2024-06-01'), 40_000);
    const db = api.database.db();
    await db.$executeRaw`analyze customers`;
    const records = {
      table: 'customers',
      alias: 'c',
      owner: 'merchant_id',
      conditions: Prisma.sql`c.status = 'active'`,
    };
    const nobody = newId('merchant');
    const totals = await countByOwner(db, records, [other.id, nobody, own.id]);
    expect(totals.get(nobody)).toEqual({ count: 0, isExact: true });
    const large = [other.id, own.id].map(id => totals.get(id));
    expect(large.map(total => total?.isExact)).toEqual([false, false]);
    expect(large.map(total => Math.round((total?.count ?? 0) / 5000))).toEqual([8, 3]);
  });
});

it('every connection has the name of its list, and every other list of the schema is short, ranked or projected', () => {
  const names = Object.values(merchantSchema.getTypeMap()).flatMap(type => fieldsOf(type).map(({ name }) => name));
  expect(names.filter(name => name.endsWith('Connection'))).toEqual([]);
  const lists = Object.values(merchantSchema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__') && !/(Connection|Edge)$/.test(name))
    .flatMap(type => fieldsOf(type).map(field => [`${type.name}.${field.name}`, field.type] as const))
    .filter(([, type]) => isListType(getNullableType(type)) && isObjectType(getNamedType(type)));
  expect(lists.map(([place]) => place).sort()).toEqual([
    'ChargeInvoice.extras',
    'Clock.waiting_for',
    'CustomerSubscription.extras',
    'CustomerSubscription.projection',
    'Delivery.attempts',
    'Mutation.settle',
    'PlanReplacement.skipped_subscriptions',
    'Query.extras',
    'Query.projection',
    'Query.search',
    'RecoveryStats.ways',
    'Stats.days',
    'Stats.declines',
    'Stats.plans',
    'Stats.upcoming',
    'SubscriptionPreview.charges',
    'Transaction.refunds',
  ]);
});
