import fc from 'fast-check';
import { newId } from '../../../src/platform/identifiers';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();

/** Five customers a day, around the end of a month. */
const creationDates = Array.from(
  { length: 60 },
  (_, i) => new Date(Date.UTC(2026, 0, 28 + Math.floor(i / 5), 2 + (i % 5) * 2)),
);
let customers: { id: string; creation_date: Date; external_id: string }[];

beforeAll(async () => {
  const { id: merchant_id } = api.merchants().own;
  customers = creationDates.map((creation_date, i) => ({
    id: newId('customer'),
    creation_date,
    external_id: `e${i % 7}-${i}`,
  }));
  const shared = { merchant_id, name: 'María', email: 'maria@example.com' };
  await api.database.db().customer.createMany({ data: customers.map(row => ({ ...shared, ...row })) });
  customers.sort((a, b) => b.creation_date.getTime() - a.creation_date.getTime() || (a.id < b.id ? 1 : -1));
});

const bogotaDay = (moment: Date): string => new Date(moment.getTime() - 5 * 3_600_000).toISOString().slice(0, 10);
const ids = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);

describe('GET /customers', () => {
  it('returns ten customers, the newest first', async () => {
    expect(ids((await api.rest('GET', '/customers')).body)).toEqual(ids(customers.slice(0, 10)));
  });

  it('combines day filters in Bogotá time with offset and limit, like a plain filter over all customers', async () => {
    const day = fc.constantFrom(...new Set(creationDates.map(bogotaDay)), '2025-12-31', '2027-01-01', '2024-02-29');
    const filters = fc.record(
      {
        creation: day,
        'creation[gte]': day,
        'creation[lte]': day,
        offset: fc.nat(70),
        limit: fc.integer({ min: 1, max: 1000 }),
        external_id: fc.constantFrom('e0-0', 'e3-3', 'nobody'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, fc.boolean(), async (query, isEncoded) => {
        const { offset = 0, limit = 10 } = query;
        const expected = customers
          .filter(row => !query.creation || bogotaDay(row.creation_date) === query.creation)
          .filter(row => !query['creation[gte]'] || bogotaDay(row.creation_date) >= query['creation[gte]'])
          .filter(row => !query['creation[lte]'] || bogotaDay(row.creation_date) <= query['creation[lte]'])
          .filter(row => !query.external_id || row.external_id === query.external_id)
          .slice(offset, offset + limit);
        const pairs = Object.entries(query).map(
          ([name, value]) => `${isEncoded ? encodeURIComponent(name) : name}=${value}`,
        );
        const { body } = await api.rest('GET', `/customers?${pairs.join('&')}`);
        expect(ids(body)).toEqual(ids(expected));
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=ten',
    'limit=1.5',
    'limit=99999999999',
    'limit=',
    'limit=1&limit=2',
    'offset=-1',
    'offset=x',
    'creation=2026-02-30',
    'creation=2026-13-01',
    'creation=yesterday',
    'creation=0000-01-01',
    'creation[gte]=2026-1-1',
    'creation[lte]=2026-01-01T00:00:00',
    'external_id=%00',
    `external_id=${'x'.repeat(101)}`,
  ])('fails with 1003 for %s', async query => {
    const answer = await api.rest('GET', `/customers?${query}`);
    expect([answer.status, errorOf(answer)]).toEqual([422, 1003]);
  });
});

describe('customers', () => {
  const page = async (after: string | null, first = 7) => {
    const query =
      'query($first: Int, $after: String) { customers(first: $first, after: $after, creation_lte: "2099-12-31") { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }';
    return (await api.graphql(query, { first, after })).body.data.customers;
  };

  it('returns every customer once, even while customers are added', async () => {
    const visited: string[] = [];
    let after: string | null = null;
    for (let hasNext = true; hasNext; ) {
      const { edges, pageInfo } = await page(after);
      visited.push(...edges.map((edge: { node: { id: string } }) => edge.node.id));
      [after, hasNext] = [pageInfo.endCursor, pageInfo.hasNextPage];
      await api.rest('POST', '/customers', { body: { name: 'Nueva', email: 'nueva@example.com' } });
    }
    expect(visited).toEqual(ids(customers));
  });

  it('fails with 1003 for an invalid cursor', async () => {
    const answer = await api.graphql('{ customers(after: "x") { pageInfo { endCursor } } }');
    expect(errorOf(answer)).toBe(1003);
  });
});
