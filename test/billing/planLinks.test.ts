/** Links with which any payer subscribes to a plan: one customer and one subscription for each, also if a form or an answer is lost. */
import pino from 'pino';
import { HttpAcquirer } from '../../src/gateway/acquirer/client';
import { recover } from '../../src/operations/background/recovery';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { eventually } from '../harness/flow/until';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { paymentLinks } from '../harness/merchant/paymentLinks';
import { errorOf, testApi } from '../harness/servers/api';
import { startApi } from '../harness/servers/apiProgram';
import { vault } from '../harness/world/secrets';

const api = testApi({ trustedProxies: ['127.0.0.1'] });
const shop = merchantCalls(api);
const { newPlanLink, read, cancel, subscribe, submitCard, pageOf } = paymentLinks(api);
const db = () => api.database.db();
const WITHOUT_FUNDS = { card_number: '4000000000003345' };
const EXPIRED = { card_number: '4000000000000069' };
const payer = { name: 'Ana Ruiz', email: 'ana@example.com' };

const usesOf = async (id: string) => (await api.rest('GET', `/payment_links?parent_id=${id}&limit=100`)).body;
const several = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const useIn = async (url: string): Promise<string> => /name="use" value="(\w+)"/.exec(await pageOf(url))?.[1] ?? '';
const pageAfter = (answer: Response): string => new URL(answer.headers.get('location') ?? '', api.origin()).href;
const newCoupon = async (code: string, terms: object = {}) => {
  const body = { code, percent_off: 20, duration: 'periods', periods: 2, ...terms };
  expect((await shop.post('/coupons', body)).status).toBe(201);
};
/** Subscriptions to a plan. */
const subscriptionsTo = (plan_id: string) => db().subscription.findMany({ where: { plan_id } });
const chargesOf = (plan_id: string, status: string) =>
  db().transaction.count({ where: { status, subscription: { plan_id } } });

it('a payer becomes a customer with a trial and a discount, and the consent is stored', async () => {
  await newCoupon('LANZA20');
  const terms = { trial_days: 7, amount: 50_000, iva: '19%' };
  const { id, url, plan_id } = await newPlanLink(terms, { accepts_coupons: true, quantity: 2 });
  const shown = await pageOf(`${url}?coupon=LANZA20`);
  expect(shown).toMatch(/LANZA20.*−\$\s20\.000.*\$\s80\.000.*\$\s12\.773,11.*\$\s80\.000.*\$\s100\.000/s);
  await submitCard(`${url}?trial=7`, { ...payer, consent: 'yes', coupon: 'LANZA20' });
  const [use] = await usesOf(id);
  expect(use).toMatchObject({ status: 'completed', parent_id: id, coupon: 'LANZA20', quantity: 2 });
  expect(use.consent_text).toMatch(
    /^Autorizo a Tienda a cobrar a mi tarjeta \$\s100\.000 cada mes, desde el .* cancele\.$/,
  );
  expect(Date.parse(use.consent_date)).toBeGreaterThan(0);
  const path = `/customers/${use.customer_id}`;
  expect((await api.rest('GET', path)).body).toMatchObject({ name: 'Ana Ruiz', email: 'ana@example.com' });
  const subscription = (await api.rest('GET', `${path}/subscriptions/${use.subscription_id}`)).body;
  expect(subscription).toMatchObject({ status: 'trial', plan_id, quantity: 2, coupon: { code: 'LANZA20' } });
  expect(await read(id)).toMatchObject({ status: 'active', funnel: { started: 1, paid: 1 } });
});

it('a form that is sent fifty times creates one customer and one subscription, which is charged once', async () => {
  const { id, url, plan_id } = await newPlanLink();
  const form = { ...payer, use: await useIn(url) };
  const pages = await several(50, async () => pageAfter(await subscribe(url, form)));
  expect(new Set(pages).size).toBe(1);
  await eventually(async () => expect(await pageOf(pages[0] ?? '')).toContain('Tu suscripción está activa'));
  const [subscription] = await subscriptionsTo(plan_id);
  expect(await usesOf(id)).toMatchObject([{ subscription_id: subscription?.id, status: 'completed' }]);
  expect([(await subscriptionsTo(plan_id)).length, await chargesOf(plan_id, 'completed')]).toEqual([1, 1]);
  expect(await db().customer.count({ where: { payment_links: { some: { parent_id: id } } } })).toBe(1);
});

it('five of twenty simultaneous payers are subscribed if five subscriptions are left', async () => {
  const { id, url, plan_id } = await newPlanLink({}, { max_payments: 5 });
  await several(20, index => subscribe(url, { ...payer, email: `payer${index}@example.com` }));
  expect(await read(id)).toMatchObject({ status: 'completed', funnel: { paid: 5 } });
  expect([(await subscriptionsTo(plan_id)).length, await chargesOf(plan_id, 'completed')]).toEqual([5, 5]);
  expect((await fetch(url)).status).toBe(410);
});

it('a declined first charge leads to the page of the subscription, and is not made again', async () => {
  const { id, url, plan_id } = await newPlanLink();
  const form = { ...payer, use: await useIn(url), ...WITHOUT_FUNDS };
  const page = pageAfter(await subscribe(url, form));
  expect(await pageOf(page)).toContain('sin el primer pago');
  const [, payerPage = ''] = /href="([^"]+\/s\/[^"]+)"/.exec(await pageOf(page)) ?? [];
  await subscribe(url, { ...form, card_number: '4242424242424242' });
  await subscribe(page, { attempt: '1' });
  expect(await subscriptionsTo(plan_id)).toMatchObject([{ status: 'past_due' }]);
  await submitCard(`${payerPage}/card`);
  expect(await subscriptionsTo(plan_id)).toMatchObject([{ status: 'active' }]);
  expect([await chargesOf(plan_id, 'failed'), await chargesOf(plan_id, 'completed')]).toEqual([1, 1]);
  expect(await read(id)).toMatchObject({ funnel: { started: 1, paid: 1 } });
});

it('a card that is refused outright leaves a form for another card, for the same customer', async () => {
  const { id, url } = await newPlanLink({ trial_days: 7 });
  const page = pageAfter(await submitCard(`${url}?trial=7`, { ...payer, ...EXPIRED, consent: 'yes' }));
  expect(await pageOf(page)).toContain('No quedaste suscrito');
  expect(await pageOf(page)).not.toContain('name="email"');
  await submitCard(`${new URL(page).origin}${new URL(page).pathname}?trial=7`, { consent: 'yes', attempt: '1' });
  const uses = (await usesOf(id)) as { customer_id: string; status: string }[];
  expect(uses).toMatchObject([{ status: 'completed' }]);
  expect((await api.rest('GET', `/customers/${uses[0]?.customer_id}/subscriptions`)).body).toHaveLength(1);
});

it.each([
  [{ consent: undefined }, 'Marca esta casilla'],
  [{ email: 'ana' }, 'Escribe un correo'],
  [{ name: ' ' }, 'Escribe tu nombre'],
  [{ name: '4242 4242 4242 4242' }, 'Escribe tu nombre'],
  [{ coupon: 'UNKNOWN' }, 'Este código no existe'],
  [{ cvv2: '1' }, 'Revisa los campos'],
])('a form with %j creates nothing', async (fields, hint) => {
  const { id, url, plan_id } = await newPlanLink({}, { accepts_coupons: true });
  const form = Object.fromEntries(Object.entries({ ...payer, consent: 'yes', ...fields }).filter(([, value]) => value));
  const answer = await submitCard(`${url}?trial=0`, form);
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(hint)]);
  expect([await usesOf(id), await subscriptionsTo(plan_id)]).toEqual([[], []]);
});

it('a link that is closed, or has another coupon, subscribes no payer to other terms', async () => {
  await newCoupon('SECRETO', { percent_off: 90 });
  await newCoupon('PUBLICO', { percent_off: 10 });
  const { id, url, plan_id } = await newPlanLink({}, { coupon: 'PUBLICO' });
  await subscribe(url, { ...payer, coupon: 'SECRETO' });
  const [{ customer_id, subscription_id }] = await usesOf(id);
  const path = `/customers/${customer_id}/subscriptions/${subscription_id}`;
  expect((await api.rest('GET', path)).body.coupon).toMatchObject({ code: 'PUBLICO' });
  await cancel(id);
  await subscribe(url, payer);
  expect(await subscriptionsTo(plan_id)).toHaveLength(1);
});

it.each([
  [{ coupon: 'NONE' }, 422, 'coupon'],
  [{ quantity: 0 }, 422, 'quantity'],
  [{ customer: true }, 422, 'customer_id'],
  [{ plan_id: 'p1' }, 404, 'plan_id'],
])('%j is refused', async ({ customer, ...fields }: { customer?: boolean; [name: string]: unknown }, status, field) => {
  const plan_id = await shop.newPlan();
  const owner = customer && { customer_id: await shop.newCustomer() };
  const answer = await shop.post('/payment_links', {
    kind: 'subscription',
    plan_id,
    reusable: true,
    ...owner,
    ...fields,
  });
  expect([answer.status, answer.body.field]).toEqual([status, field]);
  expect(errorOf(answer)).toBe(status === 404 ? 1005 : 1003);
});

it('a process that is killed during the first charge leaves a form that subscribes once when it is sent again', async () => {
  const { id, url, plan_id } = await newPlanLink();
  const { url: ACQUIRER_URL } = api.acquirer.credentials();
  const { program, origin } = await startApi({ DATABASE_URL: api.database.url(), ACQUIRER_URL });
  const form = { ...payer, use: await useIn(url) };
  const held = api.acquirer.hold('/charge');
  const lost = subscribe(url.replace(api.origin(), origin), form).catch(() => 'lost');
  const [charge] = await eventually(async () => {
    const found = await db().transaction.findMany({ where: { subscription: { plan_id } } });
    expect(found).toHaveLength(1);
    return found;
  });
  const again = pageAfter(await subscribe(url, form));
  expect(await pageOf(again)).toContain('Un momento');
  await program.stop('SIGKILL');
  held.release();
  expect(await lost).toBe('lost');
  await db().transaction.update({ where: { id: charge?.id ?? '' }, data: { lease_until: new Date(0) } });
  await db().paymentLink.updateMany({ where: { parent_id: id }, data: { lease_until: new Date(0) } });
  const log = pino({ level: 'silent' });
  const acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log, timeoutMs: 5000 });
  atTheEnd(() => acquirer.close());
  await eventually(async () => {
    await recover(db(), { sandbox: acquirer }, log);
    expect((await db().transaction.findUniqueOrThrow({ where: { id: charge?.id ?? '' } })).status).toBe('failed');
  });
  expect(pageAfter(await subscribe(url, form))).toBe(again);
  await subscribe(again.split('?')[0] ?? '', { attempt: '1' });
  expect(await usesOf(id)).toMatchObject([{ status: 'completed' }]);
  expect([(await subscriptionsTo(plan_id)).length, await chargesOf(plan_id, 'completed')]).toEqual([1, 1]);
  expect(await db().customer.count({ where: { payment_links: { some: { parent_id: id } } } })).toBe(1);
});
