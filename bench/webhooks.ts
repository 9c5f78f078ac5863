/** Deliveries to a fast endpoint, beside the same POSTs by a bare undici loop; how soon they arrive; and what a dead endpoint costs the others. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool as HttpPool } from 'undici';
import { retryUntilAnswered } from '../src/embedded/managedProcess';
import { freePort } from '../src/embedded/savedPorts';
import { eventBody, loadSentEvents } from '../src/events/list';
import { createMerchant } from '../src/merchants/accounts';
import { fromRoot } from '../src/platform/root';
import { type Row, rowsOf } from './measure';
import type { Stand } from './stand';

const EVENTS = 20_000;
const ROUNDS = 7;
/** Programs that run for months are measured once they have run for a while: both of them. */
const WARM_UP = 1;
const AT_ONCE = 50;
/** For each of ten endpoints. */
const EACH = 2000;
const middle = (list: number[]): number => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

export async function webhooks(stand: Stand): Promise<Row[]> {
  const { db, environment: env, url } = stand;
  const port = await freePort();
  const receiverUrl = `http://127.0.0.1:${port}`;
  const children = [
    spawn(process.execPath, [fromRoot('dist/bench/receiver.js'), `${port}`], { stdio: 'inherit' }),
    spawn(process.execPath, [fromRoot('dist/src/programs/worker.js')], { env, stdio: 'inherit' }),
  ];
  const report = async () =>
    (await (await fetch(`${receiverUrl}/report`)).json()) as { counts: Record<string, number>; delays: number[] };
  await retryUntilAnswered(report, 20);

  const newHook = async (path: string): Promise<string> => {
    const about = { environment: 'sandbox', name: 'Bench', email: 'bench@example.com' } as const;
    const { id, private_key } = await createMerchant(db, about, stand.secret);
    const headers = { authorization: `Basic ${Buffer.from(`${private_key}:`).toString('base64')}` };
    const body = JSON.stringify({ url: `${receiverUrl}${path}` });
    await fetch(`${url}/v1/${id}/webhooks`, { method: 'POST', headers, body });
    await db.webhook.updateMany({ where: { merchant_id: id }, data: { status: 'verified' } });
    return id;
  };
  const happen = async (merchants: string[], count: number): Promise<void> => {
    await db.$executeRaw`
    insert into events (id, merchant_id, type, object_id, object, creation_date)
    select 'e' || left(replace(gen_random_uuid()::text, '-', ''), 19), m, 'charge.succeeded',
      't' || left(replace(gen_random_uuid()::text, '-', ''), 19),
      jsonb_build_object('id', 't', 'status', 'completed', 'text', repeat('x', 600), 'sent_at', (extract(epoch from clock_timestamp()) * 1000)::bigint), now()
    from generate_series(1, ${count}), unnest(${merchants}::text[]) as m`;
    await db.$executeRaw`notify deliveries`;
  };
  /** How many a second arrive of these, from the first look on. */
  const arrive = async (paths: string[], count: number): Promise<number> => {
    const began = performance.now();
    for (let got = 0; got < count; await sleep(20)) {
      const { counts } = await report();
      for (const path of paths) got += counts[path] ?? 0;
    }
    return (count * 1000) / (performance.now() - began);
  };

  const single = await newHook('/single');
  await sleep(1500);
  await report();
  const [delivered, bare]: [number[], number[]] = [[], []];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    await happen([single], EVENTS);
    const ours = await arrive(['/single'], EVENTS);
    const floor = await sendBare(receiverUrl, await messagesTo(stand, single));
    if (round >= 0) [delivered[round], bare[round]] = [ours, floor];
    process.stdout.write('.');
  }
  await report();
  for (let i = 0; i < 250; i++) {
    await happen([single], 1);
    await sleep(20);
  }
  await sleep(500);
  const { delays } = await report();

  const ten = await Promise.all(Array.from({ length: 9 }, (_, i) => newHook(`/ten-${i}`)));
  const paths = ten.map((_, i) => `/ten-${i}`);
  const dead = await newHook('/silent');
  await sleep(1500);
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await report();
    await happen(ten, EACH);
    alone.push(await arrive(paths, 9 * EACH));
    await happen([...ten, dead], EACH);
    beside.push(await arrive(paths, 9 * EACH));
    process.stdout.write('.');
  }
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(child => new Promise(done => child.once('exit', done))));

  const row = rowsOf({
    'deliveries to one endpoint': middle(delivered),
    'bare undici, the same POSTs': middle(bare),
    'nine endpoints beside a dead one': middle(beside),
    'nine endpoints alone': middle(alone),
    'deliveries, by their median delay': 1000 / Math.max(middle(delays), 1),
    '100 ms, per second': 10,
  });
  return [
    row('deliveries to one endpoint', 'bare undici, the same POSTs', '≥ 0.5'),
    row('nine endpoints beside a dead one', 'nine endpoints alone', '≥ 0.9'),
    {
      ...row('deliveries, by their median delay', '100 ms, per second', '≥ 1'),
      what: `median of ${middle(delays)} ms from commit to received at 50 a second (${delays.length} of them)`,
    },
  ];
}

/** The last ones, as they went out. */
async function messagesTo({ db }: Stand, merchant_id: string): Promise<Message[]> {
  const last = { where: { merchant_id }, orderBy: { sequence: 'desc' }, take: EVENTS, select: { id: true } } as const;
  const events = await loadSentEvents(
    db,
    (await db.event.findMany(last)).map(({ id }) => id),
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
  const pool = new HttpPool(origin, { connections: AT_ONCE });
  const began = performance.now();
  const left = messages.values();
  const loop = async (): Promise<void> => {
    for (const message of left) {
      const { body } = await pool.request({ method: 'POST', path: '/bare', ...message });
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  const rate = (messages.length * 1000) / (performance.now() - began);
  await pool.close();
  return rate;
}
