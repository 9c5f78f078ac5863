/** A payment link is used exactly once, even if forms, cancellations and crashes coincide. */
import pino from 'pino';
import { HttpAcquirer } from '../../src/gateway/acquirer/client';
import { recover } from '../../src/operations/background/recovery';
import { newId } from '../../src/platform/identifiers';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { eventually } from '../harness/flow/until';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { paymentLink as payment, paymentLinks } from '../harness/merchant/paymentLinks';
import { errorOf, testApi } from '../harness/servers/api';
import { startApi } from '../harness/servers/apiProgram';
import { vault } from '../harness/world/secrets';

const api = testApi({ trustedProxies: ['127.0.0.1'] });
const shop = merchantCalls(api);
const links = paymentLinks(api);
const { newLink, newCardLink, newSubscriptionLink, read, cancel, choose, submitCard, subscribe } = links;
const { paymentPage, pageOf } = links;
const db = () => api.database.db();
const FIFTY = 50;
const fifty = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: FIFTY }, work));

describe('fifty forms at once', () => {
  it('make one payment, which is paid once', async () => {
    const { id, url } = await newLink({ ...payment, order_id: 'fifty' });
    expect(new Set((await fifty(() => choose(url))).map(({ status }) => status))).toEqual(new Set([303]));
    const page = await paymentPage(url);
    await fifty(() => submitCard(page));
    const link = await read(id);
    expect(link.status).toBe('completed');
    const payments = await db().transaction.findMany({ where: { payment_link_id: id } });
    expect(payments).toMatchObject([{ id: link.transaction_id, status: 'completed', order_id: 'fifty' }]);
    const charges = api.acquirer.journal().filter(({ key }) => key.startsWith(link.transaction_id));
    expect(charges.map(({ operation, outcome }) => [operation, outcome])).toEqual([['charge', 'approved']]);
    expect((await api.rest('GET', `/charges/${link.transaction_id}`)).body.payment_link_id).toBe(id);
  });

  it('save one card', async () => {
    const { id, url, customer_id } = await newCardLink();
    await fifty(() => submitCard(url));
    const link = await read(id);
    expect(link.status).toBe('completed');
    const cards = (await api.rest('GET', `/customers/${customer_id}/cards`)).body;
    expect(cards.map((card: { id: string }) => card.id)).toEqual([link.card_id]);
  });

  it('make one subscription, which is charged once', async () => {
    const { id, url, customer_id } = await newSubscriptionLink();
    await fifty(() => subscribe(url));
    const link = await read(id);
    expect(link.status).toBe('completed');
    const subscriptions = (await api.rest('GET', `/customers/${customer_id}/subscriptions`)).body;
    expect(subscriptions).toMatchObject([{ id: link.subscription_id, status: 'active', current_period_number: 1 }]);
    expect(await db().transaction.count({ where: { customer_id } })).toBe(1);
  });
});

describe('a link that is cancelled', () => {
  it('is cancelled again without an effect, and can no longer be used', async () => {
    const { id, url } = await newCardLink();
    expect((await cancel(id)).body).toMatchObject({ id, status: 'cancelled' });
    expect((await cancel(id)).body.status).toBe('cancelled');
    await submitCard(url);
    expect(await pageOf(url)).toContain('Este enlace ya no está disponible');
    expect(await read(id)).not.toHaveProperty('card_id');
  });

  it('takes its voucher with it', async () => {
    const { id, url } = await newLink({ ...payment, methods: ['store'] });
    await choose(url, 'store');
    const { transaction_id } = await read(id);
    expect((await cancel(id)).body.status).toBe('cancelled');
    expect((await api.rest('GET', `/charges/${transaction_id}`)).body.status).toBe('cancelled');
    expect(errorOf(await shop.post(`/sandbox/charges/${transaction_id}/pay`, {}))).toBe(3006);
  });

  it.each(['payment', 'card', 'subscription'])('while it is used ends in exactly one state (%s)', async kind => {
    const link = await (kind === 'payment' ? newLink() : kind === 'card' ? newCardLink() : newSubscriptionLink());
    const { id, url } = link;
    if (kind === 'payment') await choose(url);
    const form = kind === 'payment' ? await paymentPage(url) : url;
    const submit = kind === 'subscription' ? subscribe : submitCard;
    const [used, ...answers] = await Promise.all([submit(form), cancel(id), cancel(id), cancel(id)]);
    expect(used.status).toBe(303);
    const { status, transaction_id, card_id, subscription_id } = await read(id);
    const object = transaction_id ?? card_id ?? subscription_id;
    expect([
      ['completed', true],
      ['cancelled', false],
    ]).toContainEqual([status, object !== undefined]);
    for (const answer of answers) expect([200, 412]).toContain(answer.status);
    const approved = api.acquirer
      .journal()
      .filter(
        ({ operation, outcome, key }) =>
          operation === 'charge' && outcome === 'approved' && key.startsWith(object ?? '-'),
      );
    expect(approved).toHaveLength(kind === 'payment' && status === 'completed' ? 1 : 0);
    await expect(
      db().paymentLink.update({ where: { id }, data: { status: 'cancelled', card_id: newId('card') } }),
    ).rejects.toThrow(/check/);
  });

  it('is not cancelled while its card is being charged', async () => {
    const { id, url } = await newLink();
    await choose(url);
    const page = await paymentPage(url);
    const charges = api.acquirer.hold('/charge');
    const paying = submitCard(page);
    await eventually(() => db().transaction.findFirstOrThrow({ where: { payment_link_id: id, progress: 'paying' } }));
    expect((await cancel(id)).body.error_code).toBe(3006);
    charges.release();
    await paying;
    expect((await read(id)).status).toBe('completed');
    expect((await cancel(id)).body.error_code).toBe(3006);
  });
});

it('a process that is killed during the first charge leaves a link that subscribes once', async () => {
  const { id, url, customer_id } = await newSubscriptionLink();
  const { url: ACQUIRER_URL } = api.acquirer.credentials();
  const { program, origin } = await startApi({ DATABASE_URL: api.database.url(), ACQUIRER_URL });
  const charges = api.acquirer.hold('/charge');
  const lost = subscribe(url.replace(api.origin(), origin)).catch(() => 'lost');
  const charge = await eventually(() => db().transaction.findFirstOrThrow({ where: { customer_id } }));
  expect(await pageOf(url)).toContain('Un momento');
  expect((await cancel(id)).body.error_code).toBe(3006);
  await program.stop('SIGKILL');
  charges.release();
  expect(await lost).toBe('lost');
  await db().transaction.update({ where: { id: charge.id }, data: { lease_until: new Date(0) } });
  await db().paymentLink.update({ where: { id }, data: { lease_until: new Date(0) } });
  const log = pino({ level: 'silent' });
  const acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log, timeoutMs: 5000 });
  atTheEnd(() => acquirer.close());
  await eventually(async () => {
    await recover(db(), { sandbox: acquirer }, log);
    expect((await db().transaction.findUniqueOrThrow({ where: { id: charge.id } })).status).toBe('failed');
  });
  await subscribe(url, { attempt: '1' });
  const link = await read(id);
  expect(link.status).toBe('completed');
  const subscriptions = (await api.rest('GET', `/customers/${customer_id}/subscriptions`)).body;
  expect(subscriptions).toMatchObject([{ id: link.subscription_id, status: 'active' }]);
  expect(await db().transaction.count({ where: { customer_id, status: 'completed' } })).toBe(1);
});
