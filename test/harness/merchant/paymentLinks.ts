/** Payment links of the sandbox merchant, and their forms, each submitted from another address. */
import { send, typed } from '../browser/payers';
import type { testApi } from '../servers/api';
import { merchantCalls } from './merchantCalls';

export const paymentLink = { kind: 'payment', amount: 80000, description: 'Pedido 81' };

/** The API must trust X-Forwarded-For. */
export function paymentLinks(api: ReturnType<typeof testApi>) {
  const shop = merchantCalls(api);
  const newLink = async (body: object = paymentLink) => {
    const { status, body: link } = await shop.post('/payment_links', body);
    expect([status, link.status]).toEqual([201, 'active']);
    return link as { id: string; url: string };
  };
  let addresses = 0;
  const submit = (url: string, form: Record<string, string>) => {
    addresses += 1;
    return send(url, form, { 'x-forwarded-for': `198.51.${addresses >> 8}.${addresses & 255}` });
  };
  const submitCard = (url: string, fields: object = {}) => submit(url, { ...typed, attempt: '0', ...fields });
  return {
    newLink,
    newCardLink: async (overrides: object = {}) => {
      const customer_id = await shop.newCustomer();
      return { customer_id, ...(await newLink({ kind: 'card', customer_id, ...overrides })) };
    },
    newSubscriptionLink: async (plan: object = {}) => {
      const [customer_id, plan_id] = [await shop.newCustomer(), await shop.newPlan(plan)];
      return { customer_id, plan_id, ...(await newLink({ kind: 'subscription', customer_id, plan_id })) };
    },
    read: async (id: string) => (await api.rest('GET', `/payment_links/${id}`)).body,
    cancel: (id: string) => shop.post(`/payment_links/${id}/cancel`, {}),
    /** Chooses a method, at merchant level with the details of the payer. */
    choose: (url: string, method = 'card', payer: object = { name: 'Ana', email: 'ana@example.com' }) =>
      submit(url, { method, ...payer }),
    submit,
    submitCard,
    /** To a plan without a trial. */
    subscribe: (url: string, fields: object = {}) => submitCard(`${url}?trial=0`, { consent: 'yes', ...fields }),
    /** A link with which any payer subscribes to a new plan. */
    newPlanLink: async (plan: object = {}, overrides: object = {}) => {
      const plan_id = await shop.newPlan(plan);
      return { plan_id, ...(await newLink({ kind: 'subscription', plan_id, reusable: true, ...overrides })) };
    },
    /** The address of the payment that the payer has chosen. */
    paymentPage: async (url: string): Promise<string> => (await fetch(url)).url,
    pageOf: async (url: string): Promise<string> => (await fetch(url)).text(),
  };
}
