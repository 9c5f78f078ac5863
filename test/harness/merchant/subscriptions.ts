/** Subscriptions in a complete setup: an API, a worker process, a test clock and the acquirer's journal. */
import { writeFileSync } from 'node:fs';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import type { JournalEntry } from '../../../src/local/simulator/state';
import type { LimitSettings } from '../../../src/platform/limits/settings';
import { fromRoot } from '../../../src/platform/root';
import type { NeighbourPages } from '../../../src/web/front/view';
import { visa } from '../cards/testCards';
import { endOfTest } from '../flow/atTheEnd';
import { eventually } from '../flow/until';
import { type ApiResponse, SHORT_TIMEOUT_MS, testApi } from '../servers/api';
import { Program } from '../servers/program';
import { merchantCalls } from './merchantCalls';

interface BillingOptions {
  /** Called when the worker starts, so that it can depend on other servers of the test. Implies its own world. */
  workerVariables?: () => Record<string, string>;
  limits?: Partial<LimitSettings>;
  acquirerTimeoutMs?: number;
  /** Pages that the API links to. */
  neighbours?: NeighbourPages;
  /** For files whose forms are sent from several addresses, by X-Forwarded-For. */
  trustedProxies?: string[];
  /** For files that stop the worker, or read or hold across merchants. */
  ownWorld?: boolean;
}

export function testBilling({
  workerVariables,
  ownWorld = workerVariables !== undefined,
  acquirerTimeoutMs = SHORT_TIMEOUT_MS,
  limits,
  neighbours,
  trustedProxies,
}: BillingOptions = {}) {
  const api = testApi({
    kind: 'billing',
    ownWorld,
    acquirerTimeoutMs,
    ...(limits && { limits }),
    ...(neighbours && { neighbours }),
    ...(trustedProxies && { trustedProxies }),
  });
  const shop = merchantCalls(api);
  const namespace = { name: () => api.world().namespace, client: () => api.world().temporal };
  const workers: Program[] = [];
  const startWorker = async (): Promise<Program> => {
    if (!ownWorld) throw new Error('The worker of the shared world is not for this file to start: ask for ownWorld');
    const worker = new Program('worker', { ...api.world().workerVariables(), ...workerVariables?.() });
    workers.push(worker);
    await worker.waitForOutput('task queue');
    return worker;
  };
  if (ownWorld) beforeAll(startWorker);

  const historyOf = (workflowId: string, runId?: string) =>
    namespace.client().workflow.getHandle(workflowId, runId).fetchHistory();

  /** Under `npm run histories`: saves the history of a workflow's latest run that has begun, for the replay tests. */
  const record = async (name: string, workflowId: string): Promise<void> => {
    if (!process.env.RECORD_HISTORIES) return;
    const latest = await historyOf(workflowId);
    const { continuedExecutionRunId } = latest.events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
    const isAsleep = latest.events?.length === 1 && continuedExecutionRunId;
    const history = isAsleep ? await historyOf(workflowId, continuedExecutionRunId) : latest;
    const text = JSON.stringify(JSON.parse(historyToJSON(history)), (key, value) =>
      key === 'identity' ? 'recaudo' : key === 'stackTrace' ? '' : value,
    );
    writeFileSync(fromRoot(`test/workflows/histories/${name}.json`), text);
  };

  /** Records the longest completed run of a scheduled workflow. */
  const recordScheduled = async (name: string, workflowType: 'audit' | 'sweep'): Promise<void> => {
    if (!process.env.RECORD_HISTORIES) return;
    const query = `WorkflowType = '${workflowType}' AND ExecutionStatus = 'Completed'`;
    const longest = await eventually(async () => {
      const runs = [];
      for await (const run of namespace.client().workflow.list({ query })) runs.push(run);
      const [first] = runs.sort((one, other) => other.historyLength - one.historyLength);
      if (!first) throw new Error(`no ${workflowType} has completed yet`);
      return first;
    });
    await record(name, longest.workflowId);
  };

  /** Repeats the request until the move is finished, also when a busy Temporal server has not responded in time. */
  const moveClock = async (to: string, owner: object = {}): Promise<ApiResponse> => {
    const isOver = endOfTest();
    for (;;) {
      const answer = await shop.post('/sandbox/clock', { to, ...owner });
      if ((answer.status !== 202 && answer.status !== 503) || isOver()) return answer;
    }
  };

  /** Creates a customer with a card, whose clock is at noon of that day. */
  const newCustomerWithCard = async (day: string, card_number: string = visa.card_number) => {
    const customer_id = await shop.newCustomer({ requires_account: false });
    const moved = await moveClock(`${day}T12:00:00-05:00`, { customer_id });
    expect(moved.status).toBe(200);
    return { customer_id, card_id: await shop.newCard(`/customers/${customer_id}/cards`, card_number) };
  };

  const subscriptionCalls = (customer_id: string, id: string) => {
    const path = `/customers/${customer_id}/subscriptions/${id}`;
    const read = async () => (await api.rest('GET', path)).body;
    const charges = async () =>
      (await api.rest('GET', `/customers/${customer_id}/charges?limit=1000`)).body
        .filter(({ subscription_id }: { subscription_id?: string }) => subscription_id === id)
        .reverse();
    const diaryLine = async (day: string): Promise<string> => {
      const { status, current_period_number, charge_date, next_retry_date, retries_left } = await read();
      const chargesOfDay = (await charges()).filter(({ creation_date }: { creation_date: string }) =>
        creation_date.startsWith(day),
      );
      const outcomes = chargesOfDay.map((charge: { status: string; error_code?: number }) =>
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
      /** Moves the clock to the end of this day. */
      moveTo: async (day: string): Promise<void> => {
        const moved = await moveClock(`${day}T23:00:00-05:00`, { subscription_id: id });
        expect([moved.status, moved.body.now]).toEqual([200, expect.stringContaining(day)]);
      },
      becomes: (expected: object) => eventually(async () => expect(await read()).toMatchObject(expected)),
      put: (body: object) => api.rest('PUT', path, { body }),
      change: (body: object, headers: Record<string, string> = {}) => shop.post(`${path}/change`, body, headers),
      preview: async (body: object) => (await shop.post(`${path}/preview`, body)).body,
      remove: () => api.rest('DELETE', path),
      history: async () => (await api.rest('GET', `${path}/history`)).body,
      /** The events of its history. */
      lines: async (): Promise<string[]> =>
        (await api.rest('GET', `${path}/history`)).body.entries.map(({ event }: { event: string }) => event),
      /** Moves the clock to the end of each of these days and describes the subscription, in a line for each day. */
      diary: async (...days: string[]): Promise<string> => {
        const lines: string[] = [];
        for (const day of days) {
          expect((await moveClock(`${day}T23:00:00-05:00`, { subscription_id: id })).status).toBe(200);
          lines.push(await diaryLine(day));
        }
        return lines.join('\n');
      },
      diaryLine,
      workflow: (runId?: string) => namespace.client().workflow.getHandle(`subscription-${id}`, runId),
      /** Waits for its workflow, which starts a moment after the subscription is created. */
      waitForWorkflow: () => eventually(() => namespace.client().workflow.getHandle(`subscription-${id}`).describe()),
      /** The details of a run that has begun, or the memo of one that sleeps, as operators see them. */
      details: async (): Promise<string[]> => {
        const workflow = namespace.client().workflow.getHandle(`subscription-${id}`);
        const { historyLength, memo } = await workflow.describe();
        if (historyLength === 1) return memo?.details as string[];
        const metadata = await workflow.query('__temporal_workflow_metadata');
        return (metadata as { currentDetails: string }).currentDetails.split('\n\n');
      },
      /** When its workflow wakes: by the timer of a run that has begun, or at the start of one that has not. */
      wakesAt: async (): Promise<number> => {
        const workflow = namespace.client().workflow.getHandle(`subscription-${id}`);
        const [{ historyLength, executionTime }, { events }] = [
          await workflow.describe(),
          await workflow.fetchHistory(),
        ];
        const last = events?.at(-1);
        const timer = last?.timerStartedEventAttributes;
        if (timer) return (optionalTsToMs(last.eventTime) ?? 0) + (optionalTsToMs(timer.startToFireTimeout) ?? 0);
        expect(historyLength).toBe(1);
        return executionTime?.getTime() ?? 0;
      },
      record: (name: string): Promise<void> => record(name, `subscription-${id}`),
      /** The acquirer's journal entries of its charges. */
      journal: async (): Promise<JournalEntry[]> => {
        const keys = new Set((await charges()).map(({ id: key }: { id: string }) => key));
        return api.acquirer.journal().filter(({ key }) => keys.has(key));
      },
    };
  };

  const subscribe = async (day: string, options: { plan?: object; card?: string } & Record<string, unknown> = {}) => {
    const { plan, card, ...body } = options;
    const { customer_id, card_id } = await newCustomerWithCard(day, card);
    const answer = await shop.post(`/customers/${customer_id}/subscriptions`, {
      plan_id: await shop.newPlan(plan),
      source_id: card_id,
      ...body,
    });
    expect(answer).toMatchObject({ status: 201 });
    return { ...subscriptionCalls(customer_id, answer.body.id), card_id, created: answer.body };
  };

  return {
    api,
    shop,
    namespace,
    startWorker,
    workers,
    newPlan: shop.newPlan,
    newCustomerWithCard,
    subscribe,
    subscriptionCalls,
    moveClock,
    record,
    recordScheduled,
  };
}

export type TestSubscription = Awaited<ReturnType<ReturnType<typeof testBilling>['subscribe']>>;

/** Removes the indentation of a diary in a test. */
export const trimDiary = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map(line => line.trim())
    .join('\n');
