/** Subscriptions as a merchant lives with them: an API, a worker process, a clock that is moved, and the acquirer's journal. */
import { writeFileSync } from 'node:fs';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { retryUntilAnswered } from '../../../src/embedded/managedProcess';
import { fromRoot } from '../../../src/platform/root';
import type { JournalEntry } from '../../../src/simulator/state';
import { visa } from '../cards/testCards';
import { type Answer, testApi } from '../servers/api';
import { Program } from '../servers/program';
import { secrets } from '../servers/secrets';
import { temporalAddress, testNamespace } from '../servers/temporal';
import { shopOf } from './merchantCalls';

const monthly = {
  name: 'Monthly',
  amount: 49900,
  repeat_every: 1,
  repeat_unit: 'month',
  retry_times: 3,
  status_after_retry: 'unpaid',
  trial_days: 0,
};

/** The worker of it may be told more, once that is known. */
export function testBilling(more: () => Record<string, string> = () => ({})) {
  const namespace = testNamespace();
  const api = testApi({ namespace: namespace.name });
  const shop = shopOf(api);
  const workers: Program[] = [];
  const startWorker = async (): Promise<Program> => {
    const { url } = api.acquirer.credentials();
    const worker = new Program('worker', {
      ...secrets,
      DATABASE_URL: api.database.url(),
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: namespace.name,
      ACQUIRER_URL: url,
      ...more(),
    });
    workers.push(worker);
    await worker.says('task queue');
    return worker;
  };
  beforeAll(startWorker);
  afterAll(async () => {
    await Promise.all(workers.map(worker => worker.stop()));
  });

  /** Under `npm run histories`: keeps a workflow's history, for the replays. */
  const record = async (name: string, workflowId: string): Promise<void> => {
    if (!process.env.RECORD_HISTORIES) return;
    const history = await namespace.client().workflow.getHandle(workflowId).fetchHistory();
    const text = JSON.stringify(JSON.parse(historyToJSON(history)), (key, value) =>
      key === 'identity' ? 'recaudo' : value,
    );
    writeFileSync(fromRoot(`test/workflows/histories/${name}.json`), text);
  };

  const newPlan = async (more: object = {}): Promise<string> =>
    (await shop.post('/plans', { ...monthly, ...more })).body.id;

  /** Waits on while it is under way. */
  const moveClock = async (to: string, whose: object = {}): Promise<Answer> => {
    for (;;) {
      const answer = await shop.post('/sandbox/clock', { to, ...whose });
      if (answer.status !== 202) return answer;
    }
  };

  /** A customer for whom it is noon of that day, with a card. */
  const newcomer = async (day: string, card_number: string = visa.card_number) => {
    const customer_id = await shop.newCustomer({ requires_account: false });
    const moved = await moveClock(`${day}T12:00:00-05:00`, { customer_id });
    expect(moved.status).toBe(200);
    return { customer_id, card_id: await shop.newCard(`/customers/${customer_id}/cards`, card_number) };
  };

  const lifeOf = (customer_id: string, id: string) => {
    const path = `/customers/${customer_id}/subscriptions/${id}`;
    const read = async () => (await api.rest('GET', path)).body;
    const charges = async () =>
      (await api.rest('GET', `/customers/${customer_id}/charges?limit=1000`)).body
        .filter(({ subscription_id }: { subscription_id?: string }) => subscription_id === id)
        .reverse();
    const line = async (day: string): Promise<string> => {
      const { status, current_period_number, charge_date, next_retry_date, retries_left } = await read();
      const ofTheDay = (await charges()).filter(({ creation_date }: { creation_date: string }) =>
        creation_date.startsWith(day),
      );
      const outcomes = ofTheDay.map((charge: { status: string; error_code?: number }) =>
        charge.status === 'completed'
          ? 'paid'
          : charge.status === 'failed'
            ? `declined ${charge.error_code}`
            : charge.status,
      );
      return [
        day,
        `${status} ${current_period_number}`,
        status === 'cancelled' ? '' : `next ${charge_date}`,
        next_retry_date ? `retry ${next_retry_date}, ${retries_left} left` : '',
        ...outcomes,
      ]
        .filter(Boolean)
        .join(' | ');
    };
    return {
      id,
      customer_id,
      path,
      read,
      charges,
      put: (body: object) => api.rest('PUT', path, { body }),
      remove: () => api.rest('DELETE', path),
      history: async () => (await api.rest('GET', `${path}/history`)).body,
      /** What is seen late on each of these days. */
      diary: async (...days: string[]): Promise<string> => {
        const lines: string[] = [];
        for (const day of days) {
          expect((await moveClock(`${day}T23:00:00-05:00`, { subscription_id: id })).status).toBe(200);
          lines.push(await line(day));
        }
        return lines.join('\n');
      },
      today: line,
      workflow: () => namespace.client().workflow.getHandle(`subscription-${id}`),
      /** Its workflow begins a moment after it. */
      begun: () => retryUntilAnswered(() => namespace.client().workflow.getHandle(`subscription-${id}`).describe(), 20),
      record: (name: string): Promise<void> => record(name, `subscription-${id}`),
      /** What the acquirer did, in its own words. */
      journal: async (): Promise<JournalEntry[]> => {
        const keys = new Set((await charges()).map(({ id: key }: { id: string }) => key));
        return api.acquirer.journal().filter(({ key }) => keys.has(key));
      },
    };
  };

  const begin = async (day: string, more: { plan?: object; card?: string } & Record<string, unknown> = {}) => {
    const { plan, card, ...body } = more;
    const { customer_id, card_id } = await newcomer(day, card);
    const answer = await shop.post(`/customers/${customer_id}/subscriptions`, {
      plan_id: await newPlan(plan),
      source_id: card_id,
      ...body,
    });
    expect(answer).toMatchObject({ status: 201 });
    return { ...lifeOf(customer_id, answer.body.id), card_id, created: answer.body };
  };

  return { api, shop, namespace, startWorker, workers, newPlan, newcomer, begin, lifeOf, moveClock, record };
}

/** A diary as it is written in a test. */
export const written = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map(line => line.trim())
    .join('\n');
