import { visa } from '../cards/testCards';
import type { ApiResponse, testApi } from '../servers/api';

export const payer = { name: 'María', email: 'maria@example.com' };

/** The usual API calls of the sandbox merchant, and the request bodies for them. */
export function merchantCalls(api: ReturnType<typeof testApi>) {
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    api.rest('POST', path, { body, headers });
  const charge = {
    method: 'card',
    amount: 100000,
    currency: 'COP',
    iva: '19',
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
      iva: '19',
      description: 'Order',
      customer: { ...payer, requires_account: false, customer_address: address },
    },
    eventsOf: async (object_id: string): Promise<string[]> =>
      (await api.database.db().event.findMany({ where: { object_id }, orderBy: { creation_date: 'asc' } })).map(
        ({ type }) => type,
      ),
    newCustomer: async (overrides: object = {}): Promise<string> =>
      (await post('/customers', { ...payer, ...overrides })).body.id,
    newPlan: async (overrides: object = {}): Promise<string> =>
      (await post('/plans', { ...plan, ...overrides })).body.id,
    newCard: async (path = '/cards', card_number: string = visa.card_number): Promise<string> =>
      (await post(path, { ...visa, card_number })).body.id,
    newToken: async (card_number: string = visa.card_number): Promise<string> =>
      (await post('/tokens', { ...visa, card_number })).body.id,
    newCharge: async (source_id: string, overrides: object = {}): Promise<string> =>
      (await post('/charges', { ...charge, source_id, customer: payer, ...overrides })).body.id,
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
