/** The event log, in which a merchant catches up on missed webhooks. */
import { Client } from 'pg';
import { sweepActivities } from '../../src/operations/background/sweep';
import { newId } from '../../src/platform/identifiers';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { eventually } from '../harness/flow/until';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { post } = shop;
const db = () => api.database.db();
const listIds = async (query = ''): Promise<string[]> =>
  (await api.rest('GET', `/events${query}`)).body.map(({ id }: { id: string }) => id);
const pay = async (): Promise<string> => shop.newCharge(await shop.newToken());
const latestId = async (): Promise<string> => (await listIds('?limit=1'))[0] ?? '';

describe('GET /events', () => {
  it('lists events newest first, each with a snapshot of its object', async () => {
    const charge = await pay();
    await post(`/charges/${charge}/refund`, { amount: 500 });
    const { body } = await api.rest('GET', `/events?object_id=${charge}`);
    expect(body.map(({ type }: { type: string }) => type)).toEqual(['charge.refunded', 'charge.succeeded']);
    expect(body[1]).toMatchObject({ object_id: charge, transaction: { id: charge, status: 'completed' } });
    expect(body[1].transaction).not.toHaveProperty('refund');
    expect(body[0].transaction.refund.amount).toBe(500);
    expect((await api.rest('GET', `/events/${body[0].id}`)).body).toEqual(body[0]);
    expect(await listIds(`?type=charge.refunded&object_id=${charge}`)).toEqual([body[0].id]);
    expect(await listIds(`?object_id=${charge}&limit=1&offset=1`)).toEqual([body[1].id]);
    const day = body[0].event_date.slice(0, 10);
    // Both days, in case midnight has passed between the events.
    const ofDay = body.filter(({ event_date }: { event_date: string }) => event_date.startsWith(day));
    expect(await listIds(`?object_id=${charge}&creation=${day}`)).toEqual(ofDay.map(({ id }: { id: string }) => id));
    expect(await listIds(`?object_id=${charge}&creation[lte]=2020-01-01`)).toEqual([]);
  });

  it('lists the most recently written event first, regardless of test clocks', async () => {
    const start = await latestId();
    const [ahead, today] = [await shop.newCustomer(), await shop.newCustomer()];
    await db().customer.update({ where: { id: ahead }, data: { clock_offset: 400 * 86_400 } });
    const charges: string[] = [];
    for (const customer of [ahead, today, ahead, today, today]) {
      const { body } = await post(`/customers/${customer}/charges`, {
        ...shop.charge,
        source_id: await shop.newToken(),
      });
      charges.unshift(body.id);
    }
    const objectIds = async (query: string): Promise<string[]> =>
      (await api.rest('GET', `/events?${query}`)).body.map(({ object_id }: { object_id: string }) => object_id);
    expect(await objectIds('limit=5')).toEqual(charges);
    const pages = await Promise.all([0, 2, 4].map(offset => objectIds(`limit=2&offset=${offset}`)));
    expect(pages.flat().slice(0, 5)).toEqual(charges);
    const { body } = await api.graphql('{ events(limit: 5) { nodes { object_id } } }');
    expect(body.data.events.nodes.map(({ object_id }: { object_id: string }) => object_id)).toEqual(charges);
    await eventually(async () => expect(await objectIds(`after=${start}`)).toEqual(charges.toReversed()));
    // Days are still the days of the events.
    const dayIn = (days: number): string =>
      new Date(Date.now() + (days * 24 - 5) * 3_600_000).toISOString().slice(0, 10);
    const early = charges.filter((_, i) => i === 2 || i === 4);
    expect(await objectIds(`creation[gte]=${dayIn(300)}`)).toEqual(early);
    expect(await objectIds(`creation[lte]=${dayIn(300)}&limit=3`)).toEqual(charges.filter(id => !early.includes(id)));
  });

  it('with after continues from that event, oldest first', async () => {
    const start = await latestId();
    const charges = [await pay(), await pay(), await pay()];
    // An event is shown once no older transaction is open, and other tests use the same server.
    await eventually(async () => expect(await listIds(`?after=${start}`)).toHaveLength(3));
    const { body } = await api.rest('GET', `/events?after=${start}&limit=2`);
    expect(body.map(({ object_id }: { object_id: string }) => object_id)).toEqual(charges.slice(0, 2));
    const rest = await api.rest('GET', `/events?after=${body[1].id}`);
    expect(rest.body.map(({ object_id }: { object_id: string }) => object_id)).toEqual(charges.slice(2));
    expect(await listIds(`?after=${rest.body[0].id}`)).toEqual([]);
  });

  it('with after returns each event exactly once, even when transactions commit out of order', async () => {
    let position = await latestId();
    const received: string[] = [];
    const readNext = async () => {
      const newIds = await listIds(`?after=${position}&limit=1000`);
      received.push(...newIds);
      position = newIds.at(-1) ?? position;
    };
    const written: string[] = [];
    const clients = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const client = new Client({ connectionString: api.database.url() });
        atTheEnd(() => client.end());
        await client.connect();
        return client;
      }),
    );
    const write = async (client: Client, i: number) => {
      const id = newId('event');
      await client.query('begin');
      await client.query(
        `insert into events (id, merchant_id, type, object_id, object, creation_date) values ($1, $2, 'charge.succeeded', 't1', '{}', now())`,
        [id, api.merchants().own.id],
      );
      written.push(id);
      // The later transactions commit first.
      await client.query('select pg_sleep($1)', [((clients.length - i) % clients.length) * 0.03]);
      await client.query(i % 5 === 4 ? 'rollback' : 'commit');
      if (i % 5 === 4) written.splice(written.indexOf(id), 1);
    };
    let isWriting = true;
    const reading = (async () => {
      while (isWriting) await readNext();
    })();
    const writing = clients.map(async (client, c) => {
      for (let i = 0; i < 8; i++) await write(client, i + c);
    });
    await Promise.all(writing).finally(() => {
      isWriting = false;
    });
    await reading;
    // Committed events appear when no older transaction is open, and other tests share the database server.
    await eventually(async () => {
      await readNext();
      expect(received.toSorted()).toEqual(written.toSorted());
    });
    expect(new Set(received).size).toBe(received.length);
  });

  it.each([
    ['1003 for an unknown event', '?after=e0000000000000000000', 1003],
    ['1003 for a day that does not exist', '?creation=2026-02-30', 1003],
    ['1003 for limit 0', '?limit=0', 1003],
  ])('fails with %s', async (_, query, code) => expect(errorOf(await api.rest('GET', `/events${query}`))).toBe(code));

  it('fails with 1005 for an event of another merchant', async () => {
    await pay();
    const { id, private_key: key } = api.merchants().other;
    const { status } = await fetch(`${api.origin()}/v1/${id}/events/${await latestId()}`, {
      headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    });
    expect(status).toBe(404);
  });
});

describe('the sweep', () => {
  it('deletes events after 13 months and deliveries after 30 days', async () => {
    const oldId = await latestId();
    const { body: hook } = await api.rest('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/' } });
    const [recent] = await db().delivery.findMany({ where: { webhook_id: hook.id } });
    const creation_date = new Date(Date.now() - 31 * 86_400_000);
    const stale = { id: newId('delivery'), webhook_id: hook.id, event_id: recent?.event_id ?? '', creation_date };
    await db().delivery.create({ data: stale });
    await db().event.update({ where: { id: oldId }, data: { recorded_at: new Date(Date.now() - 400 * 86_400_000) } });
    const { sweepExpired } = sweepActivities(db(), api.temporal());
    await sweepExpired().catch(() => undefined);
    expect(await db().event.findUnique({ where: { id: oldId } })).toBeNull();
    expect(await db().event.count()).toBeGreaterThan(0);
    expect((await db().delivery.findMany({ where: { webhook_id: hook.id } })).map(({ id }) => id)).toEqual([
      recent?.id,
    ]);
    expect(await db().queuedDelivery.count({ where: { webhook_id: hook.id } })).toBe(1);
  });
});
