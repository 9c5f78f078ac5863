/** The event log: what a missed webhook is caught up from. */
import { Client } from 'pg';
import { freePort } from '../../src/embedded/memory';
import { liveEvents } from '../../src/events/live';
import { newId } from '../../src/identifiers';
import { sweepActivities } from '../../src/sweep';
import { errorOf, testApi } from '../harness/api';
import { getUntil, Program } from '../harness/program';
import { apiVariables } from '../harness/secrets';
import { shopOf } from '../harness/shop';
import { temporalAddress } from '../harness/temporal';

const api = testApi();
const shop = shopOf(api);
const { post } = shop;
const db = () => api.database.db();
const ids = async (query = ''): Promise<string[]> =>
  (await api.rest('GET', `/events${query}`)).body.map(({ id }: { id: string }) => id);
const pay = async (): Promise<string> => shop.newCharge(await shop.newToken());
const latest = async (): Promise<string> => (await ids('?limit=1'))[0] ?? '';

describe('GET /events', () => {
  it('lists what happened, newest first, with the object as it was then', async () => {
    const charge = await pay();
    await post(`/charges/${charge}/refund`, { amount: 500 });
    const { body } = await api.rest('GET', `/events?object_id=${charge}`);
    expect(body.map(({ type }: { type: string }) => type)).toEqual(['charge.refunded', 'charge.succeeded']);
    expect(body[1]).toMatchObject({ object_id: charge, transaction: { id: charge, status: 'completed' } });
    expect(body[1].transaction).not.toHaveProperty('refund');
    expect(body[0].transaction.refund.amount).toBe(500);
    expect((await api.rest('GET', `/events/${body[0].id}`)).body).toEqual(body[0]);
    expect(await ids(`?type=charge.refunded&object_id=${charge}`)).toEqual([body[0].id]);
    expect(await ids(`?object_id=${charge}&limit=1&offset=1`)).toEqual([body[1].id]);
    const day = body[0].event_date.slice(0, 10);
    expect(await ids(`?object_id=${charge}&creation=${day}`)).toHaveLength(2);
    expect(await ids(`?object_id=${charge}&creation[lte]=2020-01-01`)).toEqual([]);
  });

  it('with after goes on from there, oldest first', async () => {
    const start = await latest();
    const charges = [await pay(), await pay(), await pay()];
    const { body } = await api.rest('GET', `/events?after=${start}&limit=2`);
    expect(body.map(({ object_id }: { object_id: string }) => object_id)).toEqual(charges.slice(0, 2));
    const rest = await api.rest('GET', `/events?after=${body[1].id}`);
    expect(rest.body.map(({ object_id }: { object_id: string }) => object_id)).toEqual(charges.slice(2));
    expect(await ids(`?after=${rest.body[0].id}`)).toEqual([]);
  });

  it('misses none and repeats none, also where transactions commit out of order', async () => {
    let place = await latest();
    const seen: string[] = [];
    const readOn = async () => {
      const news = await ids(`?after=${place}&limit=1000`);
      seen.push(...news);
      place = news.at(-1) ?? place;
    };
    const written: string[] = [];
    const clients = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const client = new Client({ connectionString: api.database.url() });
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
      // The later ones commit first.
      await client.query('select pg_sleep($1)', [((clients.length - i) % clients.length) * 0.03]);
      await client.query(i % 5 === 4 ? 'rollback' : 'commit');
      if (i % 5 === 4) written.splice(written.indexOf(id), 1);
    };
    let isWriting = true;
    const reading = (async () => {
      while (isWriting) await readOn();
    })();
    await Promise.all(
      clients.map(async (client, c) => {
        for (let i = 0; i < 8; i++) await write(client, i + c);
      }),
    );
    isWriting = false;
    await reading;
    await readOn();
    await Promise.all(clients.map(client => client.end()));
    expect(seen.slice().sort()).toEqual(written.slice().sort());
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each([
    ['1003 for an event that there is not', '?after=e0000000000000000000', 1003],
    ['1003 for a day that there is not', '?creation=2026-02-30', 1003],
    ['1003 for limit 0', '?limit=0', 1003],
  ])('%s', async (_, query, code) => expect(errorOf(await api.rest('GET', `/events${query}`))).toBe(code));

  it('1005 for another merchant’s event', async () => {
    await pay();
    const { id, private_key: key } = api.merchants().other;
    const { status } = await fetch(`${api.origin()}/v1/${id}/events/${await latest()}`, {
      headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    });
    expect(status).toBe(404);
  });
});

describe('GraphQL', () => {
  afterAll(() => Program.stopAll());

  it('has the same, and nests the events of a charge', async () => {
    const id = await pay();
    const { body } = await api.graphql(
      'query ($id: ID!, $object: String) { events(object_id: $object, limit: 1) { type transaction } charge(transaction_id: $id) { events { type event_date } } }',
      { id, object: id },
    );
    expect(body.data.events).toMatchObject([{ type: 'charge.succeeded', transaction: { id } }]);
    expect(body.data.charge.events).toMatchObject([{ type: 'charge.succeeded' }]);
  });

  /** Reads a stream of server-sent events. */
  async function stream(
    query: string,
    variables: object,
    key = api.merchants().own.private_key,
    origin = api.origin(),
  ) {
    const ending = new AbortController();
    const response = await fetch(`${origin}/graphql/stream`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      body: JSON.stringify({ query, variables }),
      signal: ending.signal,
    });
    const got: { type: string; id: string; object_id: string }[] = [];
    const reading = (async () => {
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          const data = /^event: next\ndata: (.*)$/s.exec(part)?.[1];
          if (data) got.push(JSON.parse(data).data.events);
        }
      }
    })().catch(() => undefined);
    return { response, got, reading, close: () => ending.abort() };
  }
  const LIVE =
    'subscription ($types: [String!], $object: String, $after: String) { events(types: $types, object_id: $object, after: $after) { id type object_id } }';

  it('tells of events as they happen, by type and object, and goes on after a break', async () => {
    const all = await stream(LIVE, {});
    const refunds = await stream(LIVE, { types: ['charge.refunded'] });
    expect(all.response.headers.get('content-type')).toContain('text/event-stream');
    const id = await pay();
    await post(`/charges/${id}/refund`, { amount: 100 });
    const until = async (isSo: () => boolean) => {
      for (const deadline = Date.now() + 10_000; !isSo() && Date.now() < deadline; )
        await new Promise(done => setTimeout(done, 20));
    };
    await until(() => all.got.length >= 2 && refunds.got.length >= 1);
    expect(all.got.map(({ type }) => type)).toEqual(['charge.succeeded', 'charge.refunded']);
    expect(refunds.got).toMatchObject([{ type: 'charge.refunded', object_id: id }]);
    all.close();
    refunds.close();
    const missed = await pay();
    const again = await stream(LIVE, { after: all.got[1]?.id });
    await until(() => again.got.length >= 1);
    expect(again.got).toMatchObject([{ object_id: missed }]);
    again.close();
    await Promise.all([all.reading, refunds.reading, again.reading]);
  });

  it('asks no more once nobody reads, also where nothing happens', async () => {
    const events = await liveEvents({ db: db(), merchant_id: api.merchants().own.id }, { types: ['fee.succeeded'] });
    const next = events.next();
    await events.return(undefined);
    expect(await next).toEqual({ value: undefined, done: true });
  });

  it('asks together for all who read, and each hears of its own', async () => {
    let statements = 0;
    const counting = new Proxy(db(), {
      get(target, name) {
        if (name === '$queryRaw') statements += 1;
        return Reflect.get(target, name);
      },
    });
    const merchant_id = api.merchants().own.id;
    const begin = (types: string[]) => liveEvents({ db: counting, merchant_id }, { types });
    const paid = await Promise.all(Array.from({ length: 20 }, () => begin(['charge.succeeded'])));
    const silent = await begin(['fee.succeeded']);
    const readings = paid.map(reader => reader.next());
    const nothing = silent.next();
    statements = 0;
    const began = Date.now();
    const id = await pay();
    const heard = await Promise.all(readings);
    const rounds = Math.ceil((Date.now() - began) / 200) + 3;
    expect(statements).toBeLessThanOrEqual(rounds);
    expect(heard.map(({ value }) => value.object_id)).toEqual(Array(20).fill(id));
    await Promise.all([...paid, silent].map(reader => reader.return(undefined)));
    expect((await nothing).done).toBe(true);
  });

  it('ends with the server, which waits for no event', async () => {
    const port = await freePort();
    const server = new Program('main', {
      ...apiVariables,
      DATABASE_URL: api.database.url(),
      TEMPORAL_ADDRESS: temporalAddress(),
      PORT: `${port}`,
      API_KEY_SECRET: api.secret,
    });
    const origin = `http://127.0.0.1:${port}`;
    await getUntil(`${origin}/health`, 200);
    const { response, reading } = await stream(LIVE, { types: ['fee.succeeded'] }, undefined, origin);
    expect(response.status).toBe(200);
    expect(await server.stop()).toBe(0);
    await reading;
  });

  it('1010 with the public key, 1001 for what is no subscription, 1003 for a place that there is not', async () => {
    const codeOf = async (query: string, variables: object, key?: string) => {
      const { response } = await stream(query, variables, key);
      return response.status;
    };
    expect(await codeOf(LIVE, {}, api.merchants().own.public_key)).toBe(403);
    expect(await codeOf('{ merchant { id } }', {})).toBe(400);
    expect(await codeOf(LIVE, { after: 'e0000000000000000000' })).toBe(422);
    expect(await codeOf(LIVE, { types: ['charge.exploded'] })).toBe(422);
    expect(errorOf(await api.rest('GET', '/events?type=charge.exploded'))).toBe(1003);
    expect((await api.rest('GET', '/events?type=CHARGE.SUCCEEDED')).status).toBe(200);
    expect(errorOf(await api.graphql(LIVE, {}))).toBe(1001);
  });
});

describe('events of old', () => {
  it('are swept after 13 months, deliveries after 30 days', async () => {
    const old = await latest();
    const { body: hook } = await api.rest('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/' } });
    const [sent] = await db().delivery.findMany({ where: { webhook_id: hook.id } });
    const creation_date = new Date(Date.now() - 31 * 86_400_000);
    const stale = { id: newId('delivery'), webhook_id: hook.id, event_id: sent?.event_id ?? '', creation_date };
    await db().delivery.create({ data: stale });
    await db().event.update({ where: { id: old }, data: { recorded_at: new Date(Date.now() - 400 * 86_400_000) } });
    const { sweepExpired } = sweepActivities(db(), api.temporal);
    await sweepExpired().catch(() => undefined);
    expect(await db().event.findUnique({ where: { id: old } })).toBeNull();
    expect(await db().event.count()).toBeGreaterThan(0);
    expect((await db().delivery.findMany({ where: { webhook_id: hook.id } })).map(({ id }) => id)).toEqual([sent?.id]);
    expect(await db().queuedDelivery.count({ where: { webhook_id: hook.id } })).toBe(1);
  });
});
