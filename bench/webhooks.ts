/**
 * Webhook deliveries: rate compared with the same POSTs by a bare undici loop, delay since commit, and the effect of a
 * dead endpoint on the other endpoints.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool as HttpPool } from 'undici';
import { eventBody } from '../src/events/list';
import { loadOutgoingEvents } from '../src/events/rows';
import type { BenchEnvironment } from './environment';
import { openMerchant } from './fleet';
import { comparisonOf } from './measure';
import { startReceiver } from './programs';
import type { ResultRow } from './results';

const EVENTS_PER_ROUND = 5000;
const ROUNDS = 3;
/** Warm-up before measuring, as in production. */
const WARM_UP_ROUNDS = 1;
const BARE_CONNECTIONS = 50;
const EVENTS_PER_ENDPOINT = 500;
const median = (list: number[]): number => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

export async function webhooks(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { stack, db, variables, url } = environment;
  const { url: receiverUrl, stop } = await startReceiver();
  // In production it would not send to this machine.
  const worker = await stack.startProgram('worker', { ...variables, NODE_ENV: 'development' });
  const report = async () =>
    (await (await fetch(`${receiverUrl}/report`)).json()) as { counts: Record<string, number>; delays: number[] };

  const newWebhook = async (path: string): Promise<string> => {
    const { merchant, request } = await openMerchant(environment, url);
    await request('POST', '/webhooks', { url: 'https://receiver.example/' });
    const { id } = merchant;
    const data = { url: `${receiverUrl}${path}`, status: 'verified' };
    await db.webhook.updateMany({ where: { merchant_id: id }, data });
    return id;
  };
  const insertEvents = async (merchants: string[], count: number): Promise<void> => {
    await db.$executeRaw`
    insert into events (id, merchant_id, type, object_id, object, creation_date)
    select 'e' || left(replace(gen_random_uuid()::text, '-', ''), 19), m, 'charge.succeeded',
      't' || left(replace(gen_random_uuid()::text, '-', ''), 19),
      jsonb_build_object('id', 't', 'status', 'completed', 'text', repeat('x', 600), 'sent_at', (extract(epoch from clock_timestamp()) * 1000)::bigint), now()
    from generate_series(1, ${count}), unnest(${merchants}::text[]) as m`;
    await db.$executeRaw`notify deliveries`;
  };
  /** Arrival rate per second of this many requests at these paths. */
  const measureArrivals = async (paths: string[], count: number): Promise<number> => {
    const startedAt = performance.now();
    for (let arrived = 0; arrived < count; await sleep(20)) {
      const { counts } = await report();
      for (const path of paths) arrived += counts[path] ?? 0;
    }
    return (count * 1000) / (performance.now() - startedAt);
  };

  const single = await newWebhook('/single');
  await sleep(1500);
  await report();
  const [delivered, bare]: [number[], number[]] = [[], []];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    await insertEvents([single], EVENTS_PER_ROUND);
    const deliveryRate = await measureArrivals(['/single'], EVENTS_PER_ROUND);
    const bareRate = await sendBare(receiverUrl, await loadLastMessages(environment, single));
    if (round >= 0) [delivered[round], bare[round]] = [deliveryRate, bareRate];
    process.stdout.write('.');
  }
  await report();
  for (let i = 0; i < 250; i++) {
    await insertEvents([single], 1);
    await sleep(20);
  }
  await sleep(500);
  const { delays } = await report();

  const healthyMerchants = await Promise.all(Array.from({ length: 9 }, (_, i) => newWebhook(`/ten-${i}`)));
  const paths = healthyMerchants.map((_, i) => `/ten-${i}`);
  const deadMerchant = await newWebhook('/silent');
  await sleep(1500);
  const [alone, besideDead]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await report();
    await insertEvents(healthyMerchants, EVENTS_PER_ENDPOINT);
    alone.push(await measureArrivals(paths, 9 * EVENTS_PER_ENDPOINT));
    await insertEvents([...healthyMerchants, deadMerchant], EVENTS_PER_ENDPOINT);
    besideDead.push(await measureArrivals(paths, 9 * EVENTS_PER_ENDPOINT));
    process.stdout.write('.');
  }
  await worker.down();
  stop();

  const row = comparisonOf({
    'deliveries to one endpoint': median(delivered),
    'bare undici, the same POSTs': median(bare),
    'nine endpoints beside a dead one': median(besideDead),
    'nine endpoints alone': median(alone),
    'deliveries, by their median delay': 1000 / Math.max(median(delays), 1),
    '100 ms, per second': 10,
  });
  return [
    row('deliveries to one endpoint', 'bare undici, the same POSTs', '≥ 0.5'),
    row('nine endpoints beside a dead one', 'nine endpoints alone', '≥ 0.9'),
    {
      ...row('deliveries, by their median delay', '100 ms, per second', '≥ 1'),
      what: `median of ${median(delays)} ms from commit to received at 50 a second (${delays.length} of them)`,
    },
  ];
}

/** The messages of the last round, as they were sent. */
async function loadLastMessages({ db }: BenchEnvironment, merchant_id: string): Promise<Message[]> {
  const query = {
    where: { merchant_id },
    orderBy: { sequence: 'desc' },
    take: EVENTS_PER_ROUND,
    select: { id: true },
  } as const;
  const events = await loadOutgoingEvents(
    db,
    (await db.event.findMany(query)).map(({ id }) => id),
  );
  return events.map(event => {
    const body = eventBody(event);
    const signature = `t=1,v1=${createHmac('sha256', 'secret').update(body).digest('hex')}`;
    return { body, headers: { 'content-type': 'application/json', 'user-agent': 'recaudo/1', signature } };
  });
}

interface Message {
  body: string;
  headers: Record<string, string>;
}

async function sendBare(origin: string, messages: Message[]): Promise<number> {
  const pool = new HttpPool(origin, { connections: BARE_CONNECTIONS });
  const startedAt = performance.now();
  const remaining = messages.values();
  const loop = async (): Promise<void> => {
    for (const message of remaining) {
      const { body } = await pool.request({ method: 'POST', path: '/bare', ...message });
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: BARE_CONNECTIONS }, loop));
  const rate = (messages.length * 1000) / (performance.now() - startedAt);
  await pool.close();
  return rate;
}
