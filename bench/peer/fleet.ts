/** Accounts of Kill Bill with one monthly subscription each, made due together by its test clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { retryUntilAnswered } from '../../src/local/processes/managedProcess';
import { forEach } from '../fleet';
import type { startKillBill } from './server';

const PLAN = 'monthly';
const QUIET_POLLS = 5;
/** Subscriptions begin on the first, and renewals are due on the first of each following month. */
const BILLING_DAY = 1;

export async function newPeerFleet({ url, client }: Awaited<ReturnType<typeof startKillBill>>, count: number) {
  const headers = {
    authorization: `Basic ${Buffer.from('admin:password').toString('base64')}`,
    'content-type': 'application/json',
    'x-killbill-apikey': 'bench',
    'x-killbill-apisecret': 'bench',
    'x-killbill-createdby': 'bench',
  };
  const request = async (method: string, path: string, body?: object): Promise<Response> => {
    const response = await fetch(`${url}/1.0/kb${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
    return response;
  };
  /** Returns the ID of the new resource. */
  const create = async (path: string, body: object): Promise<string> => {
    const location = (await request('POST', path, body)).headers.get('location') ?? '';
    return location.replace(/\?.*/, '').split('/').at(-1) ?? '';
  };
  const readCount = async (text: string): Promise<number> => Number((await client.query(text)).rows[0].count);
  const paid = () => readCount(`select count(*) from payment_transactions where transaction_status = 'SUCCESS'`);
  /** Waits until no event and no notification is due. */
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < QUIET_POLLS; await sleep(100)) {
      const waiting = await readCount(`select (select count(*) from bus_events)
        + (select count(*) from notifications where processing_state <> 'AVAILABLE') as count`);
      quiet = waiting === 0 ? quiet + 1 : 0;
    }
  };
  const start = new Date();
  const moveClock = (month: number, day: number): Promise<Response> => {
    const date = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1 + month, day, 12)).toISOString();
    return request('POST', `/test/clock?requestedDate=${date}&timeoutSec=0`);
  };

  await request('POST', '/tenants', { apiKey: 'bench', apiSecret: 'bench' });
  await moveClock(0, BILLING_DAY);
  const plan = { planId: PLAN, productName: 'Bench', productCategory: 'BASE', currency: 'USD', amount: 10 };
  const noTrial = { trialLength: 0, trialTimeUnit: 'UNLIMITED' };
  await request('POST', '/catalog/simplePlan', { ...plan, ...noTrial, billingPeriod: 'MONTHLY' });
  await retryUntilAnswered(async () => {
    const plans = (await (await request('GET', '/catalog/availableBasePlans')).json()) as { plan: string }[];
    if (!plans.some(each => each.plan === PLAN)) throw new Error('the plan is not in the catalog yet');
  });
  const accounts: string[] = [];
  await forEach(count, async i => {
    const email = `maria${i}@example.com`;
    const accountId = await create('/accounts', { name: 'María', externalKey: email, email, currency: 'USD' });
    const method = { accountId, externalKey: accountId, pluginName: 'killbill-payment-test', pluginInfo: {} };
    await create(`/accounts/${accountId}/paymentMethods?isDefault=true`, method);
    accounts.push(accountId);
  });
  const began = Date.now();
  await forEach(count, i => create('/subscriptions', { accountId: accounts[i], planName: PLAN }));
  const createdPerSecond = (1000 * count) / (Date.now() - began);
  while ((await paid()) < count) await sleep(100);
  await settle();

  let months = 0;
  return {
    createdPerSecond,
    /** Moves the clock past the next billing day, and returns when each subscription is invoiced and paid. */
    renew: async (): Promise<void> => {
      const before = await paid();
      await moveClock(++months, BILLING_DAY + 2);
      while ((await paid()) < before + count) await sleep(50);
    },
    /** Throws if an account was not billed exactly once for each period. */
    check: async (): Promise<void> => {
      await settle();
      const wrong = await readCount(`select count(*) from accounts a where (select count(*) from payments p
        join payment_transactions t on t.payment_id = p.id
        where p.account_id = a.id and t.transaction_status = 'SUCCESS') <> ${months + 1}`);
      if (wrong > 0) throw new Error(`Kill Bill has not billed ${wrong} accounts exactly once`);
    },
  };
}
