/** Card attempts of requests and pages pass one gate; scheduled renewals and operations without a card never do. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Acquirer } from '../../src/gateway/acquirer/port';
import type { ACQUIRER_OPERATIONS } from '../../src/operations/acquirerOperations';
import { fromRoot } from '../../src/platform/root';
import { addDays, dayOf } from '../../workflows/calendar';
import { rootFields } from '../harness/api/permissions';
import { visa } from '../harness/cards/testCards';
import { payOnPage } from '../harness/merchant/merchantCalls';
import { testSessions } from '../harness/merchant/sessions';
import { subscribersOf } from '../harness/merchant/subscribers';
import { testBilling } from '../harness/merchant/subscriptions';
import { type ApiResponse, errorOf, sendRequest } from '../harness/servers/api';

const DECLINED = '4222222222222220';
const SAVES_AND_DECLINES = '4000000000000341';

/** Attempts from one address are limited to a twelfth. */
const PER_HOUR = 60;
const billing = testBilling({ limits: { LIMIT_DECLINES_PER_HOUR: PER_HOUR } });
const { api, shop } = billing;
const sessions = testSessions(api);

type Request = () => Promise<ApiResponse | Response>;
/** Prepares a path to the acquirer before the limits are reached, and returns its request. */
type Path = () => Promise<Request>;
type Paths = Record<string, Path>;

const charge = (source_id: string, of: object = {}) =>
  shop.post('/charges', { ...shop.charge, source_id, customer: shop.payer, device_session_id: source_id, ...of });
const browserToken = async (card_number: string = visa.card_number): Promise<ApiResponse> => {
  const { id, public_key: key } = api.merchants().own;
  return sendRequest(`${api.origin()}/v1/${id}/tokens`, 'POST', { key, body: { ...visa, card_number } });
};
const inSession = async (query: string, variables: object): Promise<ApiResponse> => {
  const { token } = await sessions.newSession({ scope: ['all'] });
  return sessions.queryGraphql(token, query, variables);
};
const saveInSession = (card: object) =>
  inSession('mutation ($card: CreateCard!) { createCard(card: $card) { id } }', { card });
const { newSubscriber, newSubscription } = subscribersOf(billing);
type Subscription = Awaited<ReturnType<typeof newSubscription>>;
const pastDue = () => newSubscription(0, SAVES_AND_DECLINES);
const inTrial = () => newSubscription(5);
const inDays = (days: number): string => addDays(dayOf(Date.now()), days);
const update = (make: typeof inTrial, changes: (of: Subscription) => object) => async (): Promise<Request> => {
  const subscription = await make();
  return () => subscription.put(changes(subscription));
};
const requestTo =
  (make: typeof inTrial, name: string, body: object = {}) =>
  async (): Promise<Request> => {
    const { path } = await make();
    return () => shop.post(`${path}/${name}`, body);
  };
const chargeTo =
  (newSource: () => Promise<string>, overrides = {}) =>
  async (): Promise<Request> => {
    const source_id = await newSource();
    return () => charge(source_id, overrides);
  };
const authorized = async (): Promise<string> => (await charge(await shop.newCard(), { capture: false })).body.id;

type OperationName = keyof typeof ACQUIRER_OPERATIONS | 'verification';

/** By the mutation of a request. A verification is the only request with a card that is no acquirer operation. */
const gated = {
  verification: {
    createCard: async () => () => shop.post('/cards', visa),
    'createCard: from a token': async () => {
      const token_id = await shop.newToken();
      return () => shop.post('/cards', { token_id, device_session_id: token_id });
    },
    "createCard: from a browser's token": async () => {
      const token_id = (await browserToken()).body.id;
      return () => shop.post('/cards', { token_id, device_session_id: token_id });
    },
    createToken: async () => () => browserToken(),
    'createCard: of a session': async () => () => saveInSession(visa),
    'createSubscription: a trial with a new card': async () => {
      const { path } = await newSubscriber();
      const plan_id = await shop.newPlan({ trial_days: 5 });
      return () => shop.post(path, { plan_id, card: visa });
    },
    'updateSubscription: another card': update(inTrial, () => ({ card: visa })),
    'updateSubscription: another saved card': update(inTrial, ({ source_id }) => ({ source_id })),
  },
  cardCharge: {
    createCharge: chargeTo(() => shop.newCard()),
    'createCharge: an authorization': chargeTo(() => shop.newCard(), { capture: false }),
    "createCharge: to a browser's token": chargeTo(async () => (await browserToken()).body.id),
    'createCharge: of a session': async () => {
      const body = { ...shop.charge, source_id: await shop.newCard(), customer: shop.payer };
      return () => inSession('mutation ($c: CreateCharge!) { createCharge(charge: $c) { id } }', { c: body });
    },
  },
  pageAttempt: {
    'a payment on a page': async () => {
      const { url } = (await shop.post('/charges', shop.redirect)).body.payment_method;
      return () => payOnPage(url);
    },
  },
  firstCharge: {
    'createSubscription: without a trial': async () => {
      const { path, source_id } = await newSubscriber();
      const plan_id = await shop.newPlan();
      return () => shop.post(path, { plan_id, source_id });
    },
  },
  renewal: {
    retrySubscription: requestTo(pastDue, 'retry'),
    'retrySubscription: of a session': async () => {
      const { id } = await pastDue();
      return () => inSession('mutation ($id: ID!) { retrySubscription(subscription_id: $id) { id } }', { id });
    },
    resumeSubscription: async () => {
      const { path, put } = await inTrial();
      await shop.post(`${path}/pause`, {});
      await put({ trial_end_date: inDays(-1) });
      return () => shop.post(`${path}/resume`, {});
    },
    changeSubscription: requestTo(() => newSubscription(0), 'change', { quantity: 2, when: 'now' }),
    'updateSubscription: a card for an unpaid period': update(pastDue, ({ source_id }) => ({ source_id })),
    'updateSubscription: a trial that ended': update(inTrial, () => ({ trial_end_date: inDays(-1) })),
  },
} satisfies Partial<Record<OperationName, Paths>>;

/** A new acquirer operation does not compile without a path in one of the two. */
const ungated: Record<Exclude<OperationName, keyof typeof gated>, Paths> & { renewal: Paths } = {
  capture: {
    'a capture': async () => {
      const id = await authorized();
      return () => shop.post(`/charges/${id}/capture`, {});
    },
  },
  cancellation: {
    'a cancelled authorization': async () => {
      const id = await authorized();
      return () => shop.post(`/charges/${id}/refund`, {});
    },
  },
  refund: {
    'a refund': async () => {
      const { id } = (await charge(await shop.newCard())).body;
      return () => shop.post(`/charges/${id}/refund`, { amount: 100 });
    },
  },
  expiry: {
    'an authorization that expires': async () => {
      const { customer_id, source_id } = await newSubscriber();
      await shop.post(`/customers/${customer_id}/charges`, { ...shop.charge, source_id, capture: false });
      return () => billing.moveClock(inDays(8), { customer_id });
    },
  },
  issue: {
    'a voucher': async () => () => shop.post('/charges', shop.store),
    'a bank payment': async () => () => shop.post('/pse', shop.pse),
  },
  renewal: {
    'a first charge after a trial': async () => {
      const { id } = await inTrial();
      return () => billing.moveClock(inDays(6), { subscription_id: id });
    },
    'a scheduled retry': async () => {
      const { id } = await pastDue();
      return () => billing.moveClock(inDays(1), { subscription_id: id });
    },
  },
  payout: {
    'a payout': async () => {
      const bank_account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
      await api.rest('PUT', '', { body: { bank_account } });
      await shop.settle();
      return () => shop.post('/payouts', { amount: 1000 });
    },
  },
};

/** The acquirer's requests with a card. */
const SENDS_CARD: Record<keyof Acquirer, boolean> = {
  ...{ verify: true, charge: true, authorize: true },
  ...{ capture: false, refund: false, issue: false, payout: false, withdraw: false, reverse: false, find: false },
  simulate: false,
};

/** Attempts of each origin until it is refused. */
async function exhaustLimits(): Promise<void> {
  const declining = await shop.newCard('/cards', SAVES_AND_DECLINES);
  const decline = (_: unknown, i: number) => charge(declining, { device_session_id: `device ${i}` });
  const declines = await Promise.all(Array.from({ length: 2 * PER_HOUR }, decline));
  expect(declines.some(({ status }) => status === 429)).toBe(true);
  const tokens = Array.from({ length: PER_HOUR / 12 }, () => browserToken(DECLINED));
  for (const { body } of await Promise.all(tokens)) expect((await charge(body.id)).status).toBe(402);
  const { url } = (await shop.post('/charges', shop.redirect)).body.payment_method;
  for (let i = 0; i < PER_HOUR / 12; i++) await payOnPage(url, { card_number: DECLINED }, i);
  const card = { ...visa, card_number: DECLINED };
  while (errorOf(await saveInSession(card)) === 3001);
}

/** One after the other, because concurrent attempts count as declines. */
async function prepared(paths: Record<string, Paths>): Promise<[string, Request][]> {
  const requests: [string, Request][] = [];
  for (const [name, path] of Object.values(paths).flatMap(byName => Object.entries(byName)))
    requests.push([name, await path()]);
  return requests;
}
const cardRequests = (): number =>
  api.acquirer.journal().filter(({ operation }) => SENDS_CARD[operation as keyof Acquirer]).length;

it('past the limits, every request and page with a card is refused and sends nothing; other requests continue', async () => {
  const [refused, continuing] = [await prepared(gated), await prepared(ungated)];
  const subscription = await pastDue();
  await exhaustLimits();
  const [before, state, transactions] = [cardRequests(), await subscription.read(), await subscription.charges()];
  for (const [name, request] of refused) {
    const answer = await request();
    expect([name, answer instanceof Response ? answer.status : errorOf(answer)]).toEqual([
      name,
      answer instanceof Response ? 429 : 1011,
    ]);
  }
  const retry = await shop.post(`${subscription.path}/retry`, {});
  expect([retry.status, retry.body.error_code]).toEqual([429, 1011]);
  expect(Number(retry.headers.get('retry-after'))).toBeGreaterThan(0);
  expect([await subscription.read(), await subscription.charges()]).toEqual([state, transactions]);
  expect(cardRequests()).toBe(before);
  const statuses = await Promise.all(continuing.map(async ([name, request]) => [name, (await request()).status]));
  expect(statuses).toEqual(continuing.map(([name]) => [name, 200]));
  // The charge after the trial and the scheduled retry.
  expect(cardRequests()).toBeGreaterThanOrEqual(before + 2);
});

it('every mutation and every source file that sends a card is known here', () => {
  const tested = Object.values<Paths>(gated).flatMap(byName => Object.keys(byName).map(name => name.split(':')[0]));
  const sending = rootFields.filter(({ field }) => field.extensions.cardRateLimit).map(({ field }) => field.name);
  expect(sending.filter(name => !tested.includes(name))).toEqual([]);
  const requests = Object.keys(SENDS_CARD).filter(name => SENDS_CARD[name as keyof Acquirer]);
  const call = new RegExp(`acquirer\\.(${requests.join('|')})\\(|\\bsendCharge,$`, 'm');
  const sources = readdirSync(fromRoot('src'), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  );
  expect(sources.filter(name => call.test(readFileSync(fromRoot(`src/${name}`), 'utf8'))).sort()).toEqual([
    'billing/subscriptions/billing/attempt.ts',
    'billing/subscriptions/creation/firstCharge.ts',
    'gateway/acquirer/operation.ts',
    'payments/cards/verify.ts',
    'payments/charges/card/charge.ts',
    'payments/charges/pending/payByCard.ts',
  ]);
});
