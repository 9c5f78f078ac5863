/** A merchant with many subscriptions, each with its own customer and card, made due together by a test clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchEnvironment, newMerchant } from './environment';
import { CONNECTIONS } from './measure';
import { processorTime } from './processorTime';

/** CPU milliseconds per second of an idle worker. */
const MAX_IDLE_MS = 200;

export type Fleet = Awaited<ReturnType<typeof newFleet>>;

/** Runs the work for each number below `count`, on all connections. */
export async function forEach(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

export async function openMerchant(environment: BenchEnvironment, origin: string) {
  const merchant = await newMerchant(environment);
  const authorization = `Basic ${Buffer.from(`${merchant.private_key}:`).toString('base64')}`;
  const request = async <Body = { id: string; to?: string }>(
    method: string,
    path: string,
    body?: object,
  ): Promise<Body> => {
    const url = `${origin}/v1/${merchant.id}${path}`;
    const response = await fetch(url, {
      method,
      headers: { authorization },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  return { merchant, request };
}

/** Waits until work of the new subscriptions is finished, which would distort the measurement. */
async function untilAsleep(): Promise<void> {
  for (let idleSeconds = 0, before = processorTime().worker ?? 0; idleSeconds < 3; ) {
    await sleep(1000);
    const now = processorTime().worker ?? 0;
    idleSeconds = now - before < MAX_IDLE_MS ? idleSeconds + 1 : 0;
    before = now;
  }
}

export async function newFleet(environment: BenchEnvironment, origin: string, count: number) {
  const { db } = environment;
  const { merchant, request } = await openMerchant(environment, origin);
  const terms = { amount: 49_900, repeat_every: 1, repeat_unit: 'month', status_after_retry: 'unpaid', trial_days: 5 };
  const { id: plan_id } = await request('POST', '/plans', { name: 'Monthly', ...terms });
  const card = { holder_name: 'María', card_number: '4242424242424242', cvv2: '123', expiration_month: '12' };
  const customerIds: string[] = [];
  await forEach(count, async i => {
    const customer = { name: 'María', email: `maria${i}@example.com`, requires_account: false };
    const { id } = await request('POST', '/customers', customer);
    const { id: source_id } = await request('POST', `/customers/${id}/cards`, { ...card, expiration_year: '99' });
    await request('POST', `/customers/${id}/subscriptions`, { plan_id, source_id });
    customerIds.push(id);
    if (customerIds.length % 500 === 0) process.stderr.write(`${customerIds.length} of ${count} subscribed\n`);
  });
  for (let waiting = 1; waiting > 0; await sleep(waiting > 0 ? 3000 : 0)) {
    waiting = await db.outbox.count();
    if (waiting > count / 20) process.stderr.write(`${waiting} wait to begin\n`);
  }
  await untilAsleep();

  const paid = (): Promise<number> =>
    db.transaction.count({ where: { merchant_id: merchant.id, status: 'completed', transaction_type: 'charge' } });
  let months = 0;
  const today = new Date();
  /** Moves the clock past the next charge day, and returns when each subscription was charged once. */
  const renew = async (): Promise<void> => {
    const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months++, today.getUTCDate() + 8));
    const to = day.toISOString().slice(0, 10);
    const before = await paid();
    while (typeof (await request('POST', '/sandbox/clock', { to })).to === 'string');
    if ((await paid()) !== before + count) throw new Error(`${(await paid()) - before} of ${count} were charged`);
  };
  return { customerIds, count, request, paid, renew };
}
