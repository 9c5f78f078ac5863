import { visa } from '../cards/testCards';
import type { ApiResponse, testApi } from '../servers/api';

export const payer = { name: 'María', email: 'maria@example.com' };

/** The usual API calls of the sandbox merchant, and the request bodies for them. */
export function merchantCalls(api: ReturnType<typeof testApi>) {
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    api.rest('POST', path, { body, headers });
  /** Returns the ID of the created object. */
  const create = async (path: string, body: object): Promise<string> => {
    const { status, body: created, text } = await post(path, body);
    if (!(status === 200 || status === 201)) throw new Error(`POST ${path} answered ${status} ${text}`);
    return created.id;
  };
  const charge = {
    method: 'card',
    amount: 100000,
    currency: 'COP',
    iva: '19%',
    description: 'Order',
    device_session_id: 'device',
  };
  const { device_session_id: _, ...form } = charge;
  const plan = {
    name: 'Monthly',
    amount: 49900,
    repeat_every: 1,
    repeat_unit: 'month',
    retry_times: 3,
    status_after_retry: 'unpaid',
    trial_days: 0,
  };
  const address = { department: 'Antioquia', city: 'Medellín', additional: 'Carrera 43A # 1-50' };
  return {
    post,
    payer,
    charge,
    plan,
    /** Charges that the payer pays later: on our page, in a store (`store`) or at a bank (`pse`). */
    redirect: { ...form, confirm: false, redirect_url: 'https://shop.example/thanks?cart=7#end', customer: payer },
    store: { ...form, method: 'store', customer: payer },
    pse: {
      country: 'COL',
      amount: 50000,
      currency: 'COP',
      iva: '19%',
      description: 'Order',
      customer: { ...payer, requires_account: false, customer_address: address },
    },
    eventsOf: async (object_id: string): Promise<string[]> =>
      (
        await api.database.db().event.findMany({
          where: { object_id },
          orderBy: [{ creation_date: 'asc' }, { sequence: 'asc' }],
        })
      ).map(({ type }) => type),
    newCustomer: (overrides: object = {}) => create('/customers', { ...payer, ...overrides }),
    newPlan: (overrides: object = {}) => create('/plans', { ...plan, ...overrides }),
    newCard: (path = '/cards', card_number: string = visa.card_number) => create(path, { ...visa, card_number }),
    newToken: (card_number: string = visa.card_number) => create('/tokens', { ...visa, card_number }),
    newCharge: (source_id: string, overrides: object = {}) =>
      create('/charges', { ...charge, source_id, customer: payer, ...overrides }),
    /** Makes the balance available for payouts. */
    settle: async (): Promise<void> => {
      const { status, text } = await post('/sandbox/settle', {});
      if (status !== 200) throw new Error(`POST /sandbox/settle answered ${status} ${text}`);
    },
    available: async (): Promise<number> => (await api.rest('GET', '')).body.available,
    merchantBalance: async (): Promise<number> => (await api.rest('GET', '')).body.balance,
    customerBalance: async (id: string): Promise<number> => (await api.rest('GET', `/customers/${id}`)).body.balance,
    journalOf: (key: string) => api.acquirer.journal().filter(entry => entry.key === key),
    script: (card: string, ...outcomes: (string | number)[]) => post(`/sandbox/cards/${card}/script`, { outcomes }),
  };
}

/** Submits the payment page's form, without a browser. */
export const payOnPage = (url: string, card: object = {}, attempt = 0): Promise<Response> => {
  const { holder_name, card_number, cvv2, expiration_month, expiration_year } = visa;
  const expiration = `${expiration_month}/${expiration_year}`;
  const form = { holder_name, card_number, cvv2, expiration, attempt: String(attempt), ...card };
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
};
