/** The pages of subscriptions for their payers, and their forms, each sent from another address: the API must trust it. */
import { send, typed } from '../browser/payers';
import type { testBilling } from './subscriptions';

export function payerPages(billing: ReturnType<typeof testBilling>) {
  const { api, shop } = billing;
  const linkTo = async ({ path }: { path: string }, body: object = {}): Promise<string> => {
    const { status, body: link, text } = await shop.post(`${path}/link`, body);
    if (status !== 200) throw new Error(`POST ${path}/link answered ${status} ${text}`);
    return link.url;
  };
  const pageOf = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  let addresses = 0;
  const submit = (
    url: string,
    step: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) => {
    addresses += 1;
    const address = `198.51.${addresses >> 8}.${addresses & 255}`;
    return send(`${url}/${step}`, form, { 'x-forwarded-for': address, ...headers });
  };
  /** Repeats the form while a process that has just started has no database connection yet: it responds 503. */
  const submitWhenReady: typeof submit = async (...form) => {
    const answer = await submit(...form);
    return answer.status === 503 ? submitWhenReady(...form) : answer;
  };
  /** The number of the attempt that the form of the page would make. */
  const attemptOf = async (url: string): Promise<string> =>
    /name="attempt" value="(\d+)"/.exec((await pageOf(`${url}/card`)).text)?.[1] ?? '';
  return {
    linkTo,
    pageOf,
    attemptOf,
    allow: async (...payer_actions: string[]): Promise<void> => {
      const { status, body } = await api.rest('PUT', '', { body: { payer_actions } });
      expect([status, body.payer_actions]).toEqual([200, payer_actions]);
    },
    submitCard: async (url: string, fields: Record<string, string> = {}) =>
      submit(url, 'card', { ...typed, attempt: await attemptOf(url), ...fields }),
    submit,
    submitWhenReady,
  };
}
