/** A merchant's view of settlements, as JSON, as CSV and by GraphQL. */
import { testCharges } from '../../harness/merchant/charges';
import { testSettlements } from '../../harness/merchant/settlements';
import { suspension } from '../../harness/merchant/suspension';
import { basic, errorOf, sendRequest } from '../../harness/servers/api';

const { api, shop, newCharge, refund } = testCharges({ ownWorld: true });
const { item, settle } = testSettlements(api);

const FIELDS = `id day creation_date status currency count differences charges refunds chargebacks payouts amount cost
  cost_tax net`;
const ITEM = 'id type transaction_id order_id date amount cost cost_tax net';
const ids = { charge: '', refund: '', second: '', third: '' };
let settlements: { id: string; day: string }[];

beforeAll(async () => {
  ids.charge = await newCharge({ order_id: '=order-1', amount: 100_000 });
  ids.refund = (await refund(ids.charge, { amount: 20_000 })).body.refund.id;
  [ids.second, ids.third] = [await newCharge(), await newCharge()];
  const items = [
    item(ids.charge, 100_000),
    item(ids.refund, -20_000, { type: 'refund', date: '2026-11-16T13:00:00Z' }),
  ];
  await settle(items, { day: '2026-11-16', date: '2026-11-17T11:00:00Z' });
  await settle([item(ids.second, 100_000)], { day: '2026-11-17', date: '2026-11-18T11:00:00Z' });
  await settle([item(ids.third, 100_000)], { day: '2026-11-18', date: '2026-11-19T11:00:00Z' });
  settlements = (await api.rest('GET', '/settlements')).body;
});

const textOf = async (path: string, accept: string) => {
  const { id, private_key } = api.merchants().own;
  const headers = { authorization: basic(private_key), accept };
  const response = await fetch(`${api.origin()}/v1/${id}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('GET /settlements', () => {
  const days = async (query: string) =>
    (await api.rest('GET', `/settlements${query}`)).body.map(({ day }: { day: string }) => day);

  it.each([
    ['', ['2026-11-18', '2026-11-17', '2026-11-16']],
    ['?limit=1&offset=1', ['2026-11-17']],
    ['?day=2026-11-17', ['2026-11-17']],
    ['?day[gte]=2026-11-17', ['2026-11-18', '2026-11-17']],
    ['?day[lte]=2026-11-17&day[gte]=2026-11-17', ['2026-11-17']],
    ['?creation=2026-11-18', ['2026-11-17']],
    ['?creation[gte]=2026-11-19', ['2026-11-18']],
    ['?day=2020-01-01', []],
  ])('%j returns these days', async (query, expected) => expect(await days(query)).toEqual(expected));

  it.each(['?day=2026-02-30', '?day=x', '?status=matched', '?limit=0'])('%s fails with 1003', async query =>
    expect(errorOf(await api.rest('GET', `/settlements${query}`))).toBe(1003),
  );

  it('returns the same settlements one by one and over GraphQL, also by cursor', async () => {
    const [newest] = settlements;
    expect((await api.rest('GET', `/settlements/${newest?.id}`)).body).toEqual(newest);
    const { data } = (
      await api.graphql(
        `{ settlements { nodes { ${FIELDS} } } settlement(settlement_id: "${newest?.id}") { ${FIELDS} } }`,
      )
    ).body;
    expect([data.settlements.nodes, data.settlement]).toEqual([settlements, newest]);
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const query = `{ settlements(first: 2${after}) { edges { node { id } } pageInfo { hasNextPage endCursor } } }`;
      const { edges, pageInfo } = (await api.graphql(query)).body.data.settlements;
      seen.push(...edges.map(({ node }: { node: { id: string } }) => node.id));
      if (!pageInfo.hasNextPage) break;
      after = `, after: "${pageInfo.endCursor}"`;
    }
    expect(seen).toEqual(settlements.map(({ id }) => id));
  });

  it('matches the settlement in its event', async () => {
    const { body } = await api.rest('GET', `/events?object_id=${settlements[0]?.id}`);
    expect(body).toMatchObject([{ type: 'settlement.created', settlement: settlements[0] }]);
    expect(body[0].event_date).toBe('2026-11-19T06:00:00-05:00');
  });

  it('is allowed for suspended merchants and read-only keys, and refused for public keys and other merchants', async () => {
    const { own, other } = api.merchants();
    const path = `/settlements/${settlements[0]?.id}`;
    const { body } = await shop.post('/keys', { kind: 'private', read_only: true });
    const { suspend, resume } = suspension(api);
    await suspend();
    for (const each of ['/settlements', path, `${path}/items`]) {
      expect((await api.rest('GET', each, { key: body.key })).status).toBe(200);
      expect(errorOf(await api.rest('GET', each, { key: own.public_key }))).toBe(1010);
    }
    await resume();
    const read = (below: string) =>
      sendRequest(`${api.origin()}/v1/${other.id}${below}`, 'GET', { key: other.private_key });
    expect((await read('/settlements')).body).toEqual([]);
    expect([errorOf(await read(path)), errorOf(await read(`${path}/items`))]).toEqual([1005, 1005]);
    const ask = (field: string) =>
      api.graphql(`{ ${field}(settlement_id: "${settlements[0]?.id}") { day } }`, {}, { key: other.private_key });
    expect([errorOf(await ask('settlement')), errorOf(await ask('settlementItems'))]).toEqual([1005, 1005]);
  });
});

describe('GET /settlements/{settlement_id}/items', () => {
  const path = () => `/settlements/${settlements[2]?.id}/items`;

  it('returns every item with its cost, in the order of the report', async () => {
    const { body } = await api.rest('GET', path());
    expect(body).toEqual({
      settlement_id: settlements[2]?.id,
      day: '2026-11-16',
      count: 2,
      items: [
        {
          id: `charge-${ids.charge}`,
          type: 'charge',
          transaction_id: ids.charge,
          order_id: '=order-1',
          date: '2026-11-16T07:00:00-05:00',
          amount: 100_000,
          cost: 3800,
          cost_tax: 722,
          net: 95_478,
        },
        {
          id: `refund-${ids.refund}`,
          type: 'refund',
          transaction_id: ids.refund,
          order_id: '=order-1',
          date: '2026-11-16T08:00:00-05:00',
          amount: -20_000,
          cost: -760,
          cost_tax: -144.4,
          net: -19_095.6,
        },
      ],
    });
  });

  it('adds up to the settlement, and has the IDs of the statement', async () => {
    const { items } = (await api.rest('GET', path())).body;
    const { net } = settlements[2] as unknown as { net: number };
    expect(items.reduce((sum: number, line: { net: number }) => sum + Math.round(line.net * 100), 0)).toBe(
      Math.round(net * 100),
    );
    const { movements } = (await api.rest('GET', '/statement?from=2026-01-01')).body;
    const inStatement = movements.map(({ id }: { id: string }) => id);
    expect(inStatement).toEqual(expect.arrayContaining(items.map(({ id }: { id: string }) => id)));
  });

  it('returns CSV on request, whose texts cannot be formulas', async () => {
    const { headers, text } = await textOf(path(), 'text/csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="settlement-2026-11-16-${settlements[2]?.id}.csv"`,
    );
    expect(text.split('\r\n')).toEqual([
      ITEM.replaceAll(' ', ','),
      `charge-${ids.charge},charge,${ids.charge},'=order-1,2026-11-16T07:00:00-05:00,100000,3800,722,95478`,
      `refund-${ids.refund},refund,${ids.refund},'=order-1,2026-11-16T08:00:00-05:00,-20000,-760,-144.4,-19095.6`,
      '',
    ]);
  });

  it('is paged in GraphQL', async () => {
    const read = async (window: string) =>
      await api.graphql(`{ settlementItems(settlement_id: "${settlements[2]?.id}") { settlement_id day count
        items${window} { nodes { ${ITEM} } pageInfo { hasNextPage endCursor } } } }`);
    const { body } = await api.rest('GET', path());
    const { items, ...about } = (await read('')).body.data.settlementItems;
    expect({ ...about, items: items.nodes }).toEqual(body);
    const pageOf = async (window: string) => (await read(window)).body.data.settlementItems.items;
    const first = await pageOf('(first: 1)');
    const second = await pageOf(`(first: 1, after: "${first.pageInfo.endCursor}")`);
    expect([first.nodes, second.nodes].flat()).toEqual(body.items);
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(errorOf(await read(`(after: "charge-${ids.second}")`))).toBe(1003);
  });
});

describe('any list', () => {
  it.each(['/settlements', '/charges', '/events', '/keys', '/customers', '/audit_log'])(
    '%s returns CSV on request, with a line for each record',
    async path => {
      const { headers, text } = await textOf(`${path}?limit=3`, 'text/csv').then(async answer =>
        answer.status === 422 ? textOf(path, 'text/csv') : answer,
      );
      expect([headers.get('content-type'), headers.get('vary')]).toEqual([
        'text/csv; charset=utf-8; header=present',
        'Accept',
      ]);
      expect(text).toMatch(/^[a-z_]+(,[a-z_0-9]+)+\r\n/);
    },
  );

  it('is complete as CSV, with each record once even while records are added; with a limit it is a page', async () => {
    const merchant = api.merchants().other;
    const add = (from: number, to: number) => api.database.db().$executeRaw`
      insert into customers (id, merchant_id, creation_date, name, email)
      select 'a' || lpad(i::text, 19, '0'), ${merchant.id}, now(), 'Ana', i || '@example.com' from generate_series(${from}::int, ${to}::int) i`;
    await add(1, 2300);
    const read = (query = '') =>
      fetch(`${api.origin()}/v1/${merchant.id}/customers${query}`, {
        headers: { accept: 'text/csv', authorization: `Basic ${btoa(`${merchant.private_key}:`)}` },
      });
    const answer = await read();
    await add(3001, 3100);
    const ids = [...(await answer.text()).matchAll(/^a\d{19}/gm)].map(([id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([2300, 2300]);
    expect((await (await read('?creation=2020-01-01')).text()).split('\r\n')).toHaveLength(2);
    expect((await (await read('?limit=7')).text()).split('\r\n')).toHaveLength(9);
    expect((await (await read('?limit=7&offset=2399')).text()).split('\r\n')).toHaveLength(3);
    expect((await read('?unknown=1')).status).toBe(422);
  });

  it('has the values of the JSON, nested values as JSON, and empty cells for omitted fields', async () => {
    const { text } = await textOf('/settlements?limit=2', 'text/csv');
    const expected = settlements.slice(0, 2).map(each => Object.values(each).join(','));
    expect(text).toBe([FIELDS.replaceAll(/\s+/g, ','), ...expected, ''].join('\r\n'));
    const charges = (await textOf('/charges?order_id==order-1', 'text/csv')).text;
    expect(charges).toContain('"{""amount"":3800,""tax"":722,""currency"":""COP""}"');
  });

  it('is JSON otherwise, with a Vary header for caches; errors are JSON too', async () => {
    const json = await textOf('/settlements', '*/*');
    expect([json.headers.get('content-type'), json.headers.get('vary')]).toEqual([
      'application/json; charset=utf-8',
      'Accept',
    ]);
    expect(JSON.parse(json.text)).toEqual(settlements);
    const error = await textOf('/settlements?limit=0', 'text/csv');
    expect([error.status, error.text]).toEqual([422, expect.stringContaining('"error_code":1003')]);
    const one = await textOf(`/settlements/${settlements[0]?.id}`, 'text/csv');
    expect(JSON.parse(one.text)).toEqual(settlements[0]);
  });
});
