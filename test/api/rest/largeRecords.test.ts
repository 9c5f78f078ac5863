/** Lists of large records return at most about four megabytes per response and lose no records. */
import { Client } from 'pg';
import { Prisma } from '../../../prisma/generated/client';
import { newId } from '../../../src/platform/identifiers';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { type ApiResponse, basic, errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const db = () => api.database.db();
const MAX_BYTES = 4.5 * 1024 * 1024;
const COUNT = 300;
/** Metadata of the maximum size. */
const metadata = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));
let eventIds: string[] = [];
let chargeIds: string[] = [];
let webhook = '';

beforeAll(async () => {
  const { id } = (
    await shop.post('/charges', { ...shop.charge, source_id: await shop.newToken(), customer: shop.payer })
  ).body;
  const { card, customer, ...row } = await db().transaction.findUniqueOrThrow({ where: { id } });
  const json = { card: card ?? Prisma.DbNull, customer: customer ?? Prisma.DbNull, metadata };
  const at = (i: number): Date => new Date(row.creation_date.getTime() - (i + 1) * 1000);
  chargeIds = Array.from({ length: COUNT }, () => newId('transaction'));
  const charges = chargeIds.map((id, i) => ({ ...row, ...json, id, creation_date: at(i), order_id: null }));
  await db().transaction.createMany({
    data: charges.map(({ fraud_rules: _, issued: __, invoice: ___, ...charge }) => ({ ...charge, page_key: null })),
  });
  chargeIds.unshift(id);
  webhook = (await shop.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.id;
  const merchant_id = api.merchants().own.id;
  const event = { merchant_id, type: 'charge.succeeded', creation_date: new Date(), object: { metadata } };
  const added = Array.from({ length: COUNT }, (_, i) => ({
    ...event,
    id: newId('event'),
    object_id: `${chargeIds[i]}`,
  }));
  await db().event.createMany({ data: added });
  await db().delivery.createMany({
    data: added.map(({ id }) => ({ id: newId('delivery'), webhook_id: webhook, event_id: id })),
  });
  const events = await db().$queryRaw<{ id: string }[]>`
    select id from events where merchant_id = ${api.merchants().own.id} order by xact desc, sequence desc`;
  eventIds = events.map(({ id }) => id);
});

/** Reads all pages by offset, each with as many records as fit. */
async function readAll(path: string): Promise<string[]> {
  const refused = await api.rest('GET', `${path}limit=1000`);
  expect([refused.status, errorOf(refused), refused.body.field]).toEqual([422, 1003, 'limit']);
  const limit = Number(/at most (\d+)$/.exec(refused.body.description)?.[1]);
  expect(limit).toBeGreaterThan(50);
  const ids: string[] = [];
  for (;;) {
    const { status, body, text } = await api.rest('GET', `${path}limit=${limit - 5}&offset=${ids.length}`);
    expect([status, Buffer.byteLength(text) < MAX_BYTES]).toEqual([200, true]);
    if (body.length === 0) return ids;
    ids.push(...body.map(({ id }: { id: string }) => id));
  }
}

it('GET /events refuses a limit whose records do not fit, and suggests one that fits', async () => {
  expect(await readAll('/events?')).toEqual(eventIds);
});

it('GET /events with after returns as many records as fit', async () => {
  const received = [eventIds.at(-1)];
  // The latest events appear when no older transaction is open, and other tests share the database server.
  while (received.length < eventIds.length) {
    const { status, body, text } = await api.rest('GET', `/events?limit=1000&after=${received.at(-1)}`);
    expect([status, Buffer.byteLength(text) < MAX_BYTES]).toEqual([200, true]);
    received.push(...body.map(({ id }: { id: string }) => id));
  }
  expect(received).toEqual(eventIds.toReversed());
});

it('GET /charges and the delivery log also return as many records as fit', async () => {
  expect(await readAll('/charges?')).toEqual(chargeIds);
  expect(await readAll(`/webhooks/${webhook}/deliveries?`)).toHaveLength(COUNT + 1);
});

it('GET /charges as CSV returns all records, streamed in chunks of the maximum size', async () => {
  const query = jest.spyOn(Client.prototype, 'query');
  const { id, private_key } = api.merchants().own;
  const headers = { accept: 'text/csv', authorization: basic(private_key) };
  const text = await (await fetch(`${api.origin()}/v1/${id}/charges`, { headers })).text();
  const statements = query.mock.calls.filter(call => JSON.stringify(call).includes('transactions')).length;
  query.mockRestore();
  const lines = text.trim().split('\r\n').slice(1);
  expect(lines.map(line => line.split(',')[0])).toEqual(chargeIds);
  expect(statements).toBeLessThan(60);
});

it('a GraphQL connection continues after a shortened page', async () => {
  const ids: string[] = [];
  for (let after: string | null = null, hasNextPage = true; hasNextPage; ) {
    const { body, text } = await api.graphql(
      `query ($after: String) { charges(first: 1000, after: $after) {
        edges { node { id metadata } } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES);
    const {
      edges,
      pageInfo,
    }: { edges: { node: { id: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } = body.data.charges;
    ids.push(...edges.map(({ node }) => node.id));
    ({ hasNextPage, endCursor: after } = pageInfo);
  }
  expect(ids).toEqual(chargeIds);
});

it('all lists of a GraphQL document share the size limit', async () => {
  const list = (i: number): string =>
    `l${i}: events(limit: 100) { nodes { object { ... on Transaction { metadata } } } pageInfo { hasNextPage } }`;
  const { body, text } = await api.graphql(`{ ${Array.from({ length: 10 }, (_, i) => list(i)).join(' ')} }`);
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES);
  expect(body.data.l0.nodes).toHaveLength(100);
  const others = Array.from({ length: 9 }, (_, i) => body.data[`l${i + 1}`]);
  expect(others.every(({ nodes, pageInfo }) => nodes.length > 0 && pageInfo.hasNextPage)).toBe(true);
  expect(others.at(-1).nodes).toHaveLength(1);
});

it('nested GraphQL lists beyond the size limit are refused', async () => {
  const customer = await shop.newCustomer();
  await db().transaction.updateMany({ where: { id: { in: chargeIds } }, data: { customer_id: customer } });
  const { body, text } = await api.graphql(
    `query ($id: ID!) { customer(customer_id: $id) { few: charges(first: 5) { edges { node { metadata } } }
      all: charges(first: 1000) { edges { node { id } } } } }`,
    { id: customer },
  );
  expect(errorOf({ body } as ApiResponse)).toBe(1003);
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES);
  const one = `query ($id: ID!, $n: Int) { customer(customer_id: $id) {
    charges(first: $n) { edges { node { id metadata } } } } }`;
  const { edges } = (await api.graphql(one, { id: customer, n: 100 })).body.data.customer.charges;
  expect(edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(chargeIds.slice(0, 100));
  const events = 'events(first: 5) { edges { node { type object { ... on Transaction { metadata } } } } }';
  const nested = (n: number) => api.graphql(`{ charges(limit: ${n}) { nodes { ${events} } } }`);
  expect((await nested(50)).body.data.charges.nodes).toHaveLength(50);
  expect(Buffer.byteLength((await nested(140)).text)).toBeLessThan(MAX_BYTES);
});
