/** Processes of one installation, each of the requested build: they share database, Temporal and acquirer. */
import { fromRoot } from '../../../src/platform/root';
import { visa } from '../cards/testCards';
import { payer } from '../merchant/merchantCalls';
import { testAcquirer } from '../servers/acquirer';
import { type ApiResponse, type RequestOptions, sendRequest } from '../servers/api';
import { type RunningApi, startApi } from '../servers/apiProgram';
import { testDatabase } from '../servers/database';
import { Program } from '../servers/program';
import { secrets } from '../world/secrets';

interface Options {
  database?: 'migrated' | 'empty';
  /** Evaluated when a process starts. */
  temporal(): { TEMPORAL_ADDRESS: string; TEMPORAL_NAMESPACE: string };
}

export function testInstallation({ database: from, temporal }: Options) {
  const database = testDatabase(from);
  const acquirer = testAcquirer();
  const variables = () => ({
    ...secrets,
    ...temporal(),
    DATABASE_URL: database.url(),
    ACQUIRER_URL: acquirer.credentials().url,
  });
  const runToEnd = async (name: 'migrate' | 'merchant' | 'audit', root = fromRoot(), args: string[] = []) => {
    const program = new Program(name, variables(), args, root);
    expect([await program.exited, program.output]).toEqual([0, expect.anything()]);
    return program.output;
  };
  return {
    database,
    acquirer,
    variables,
    runToEnd,
    /** The acquirer notifies the API that was started last. */
    startApi: async (root = fromRoot()): Promise<RunningApi> => {
      const api = await startApi(variables(), root);
      acquirer.notifyApiAt(api.origin);
      return api;
    },
    startWorker: async (root = fromRoot()): Promise<Program> => {
      const program = new Program('worker', variables(), [], root);
      await program.waitForOutput('task queue');
      return program;
    },
    /** A sandbox merchant. Returns its API calls. */
    newMerchant: async (root?: string) => {
      const names = ['--environment', 'sandbox', '--name', 'Tienda', '--email', 'tienda@example.com'];
      const output = await runToEnd('merchant', root, ['create', ...names, '--phone', '6011234567']);
      const [id, key] = [/^id +(\S+)/m, /^private_key +(\S+)/m].map(pattern => pattern.exec(output)?.[1] ?? '');
      return callsOf(id ?? '', key ?? '');
    },
  };
}

export type Installation = ReturnType<typeof testInstallation>;
export type Calls = ReturnType<typeof callsOf>;

/** The calls of one merchant. Each call names the API that receives it. */
function callsOf(merchant: string, key: string) {
  const send = (api: RunningApi, method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> =>
    sendRequest(`${api.origin}/v1/${merchant}${path}`, method, { key, ...options });
  const succeed = async (api: RunningApi, method: string, path: string, options: RequestOptions = {}) => {
    const answer = await send(api, method, path, options);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const get = (api: RunningApi, path: string) => succeed(api, 'GET', path);
  const post = (api: RunningApi, path: string, body: object = {}) => succeed(api, 'POST', path, { body });
  const put = (api: RunningApi, path: string, body: object) => succeed(api, 'PUT', path, { body });
  const newCard = async (api: RunningApi, customer: string, card_number: string = visa.card_number): Promise<string> =>
    (await post(api, `/customers/${customer}/cards`, { ...visa, card_number })).id;
  return {
    send,
    get,
    post,
    put,
    newCard,
    graphql: (api: RunningApi, query: string): Promise<ApiResponse> =>
      sendRequest(`${api.origin}/graphql`, 'POST', { key, body: { query } }),
    newPlan: async (api: RunningApi, overrides: object = {}): Promise<string> =>
      (await post(api, '/plans', { ...PLAN, ...overrides })).id,
    /** Returns the path of the new customer's subscription. */
    subscribe: async (api: RunningApi, plan_id: string, card_number?: string): Promise<string> => {
      const { id } = await post(api, '/customers', { ...payer, requires_account: false });
      const source_id = await newCard(api, id, card_number);
      const subscription = await post(api, `/customers/${id}/subscriptions`, { plan_id, source_id });
      return `/customers/${id}/subscriptions/${subscription.id}`;
    },
    /** Moves the merchant's clock, and waits until everything that is due has been done. */
    moveClock: async (api: RunningApi, to: string): Promise<void> => {
      for (let isOver = false; !isOver; ) {
        const { status, text } = await send(api, 'POST', '/sandbox/clock', { body: { to } });
        // A busy Temporal server may not respond in time.
        if (![200, 202, 503].includes(status)) throw new Error(`the clock answered ${status} ${text}`);
        isOver = status === 200;
      }
    },
    /** The status and period of the subscription at this path. */
    standing: async (api: RunningApi, path: string): Promise<string> => {
      const { status, current_period_number } = await get(api, path);
      return `${status} ${current_period_number}`;
    },
  };
}

export const AMOUNT = 49900;
const PLAN = {
  name: 'Monthly',
  amount: AMOUNT,
  repeat_every: 1,
  repeat_unit: 'month',
  retry_times: 3,
  status_after_retry: 'unpaid',
  trial_days: 0,
};

export const CHARGE = {
  method: 'card',
  amount: 100000,
  currency: 'COP',
  iva: '19',
  description: 'Order',
  device_session_id: 'device',
  customer: payer,
};
