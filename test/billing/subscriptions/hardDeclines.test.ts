/** Declines after which card networks forbid another attempt with the same card, and the acquirer's advice. */
import { visa } from '../../harness/cards/testCards';
import { eventually } from '../../harness/flow/until';
import { testBilling, trimDiary } from '../../harness/merchant/subscriptions';
import { errorOf } from '../../harness/servers/api';

const billing = testBilling();
const { api, shop } = billing;
const OTHER = '4242424242424242';

/** Its renewal of 10 February meets these outcomes. */
async function renewedWith(outcomes: (string | number)[], plan: object = {}) {
  const subscription = await billing.subscribe('2040-01-10', { plan });
  await shop.script(subscription.card_id, ...outcomes);
  const cards = `/customers/${subscription.customer_id}/cards`;
  return { ...subscription, cards, retry: () => shop.post(`${subscription.path}/retry`, {}) };
}

describe('after a hard decline', () => {
  it.concurrent('retries are skipped on their days, and nothing is sent', async () => {
    const subscription = await renewedWith([3004], { retry_times: 2 });
    expect(await subscription.diary('2040-02-10', '2040-02-11', '2040-02-12', '2040-03-09', '2040-03-10')).toBe(
      trimDiary(`
        2040-02-10 | past_due 2 | next 2040-03-10 | retry 2040-02-11, 2 left | declined 3004
        2040-02-11 | past_due 2 | next 2040-03-10 | retry 2040-02-12, 1 left
        2040-02-12 | unpaid 2 | next 2040-03-10
        2040-03-09 | unpaid 2 | next 2040-03-10
        2040-03-10 | cancelled 2`),
    );
    expect((await subscription.journal()).map(({ outcome }) => outcome)).toEqual(['approved', 3004]);
    const { entries, summary } = await subscription.history();
    expect(entries.map(({ event }: { event: string }) => event)).toEqual([
      'created',
      'charged',
      'declined',
      'retry_skipped',
      'retry_skipped',
      'unpaid',
      'left_unpaid',
    ]);
    expect(summary).not.toContain('new one');
    expect(await subscription.read()).not.toHaveProperty('waiting_for');
  });

  it.concurrent('the subscription waits for a new card, in REST, GraphQL, events, history and the Temporal UI', async () => {
    const subscription = await renewedWith([3009]);
    expect(await subscription.read()).not.toHaveProperty('waiting_for');
    await subscription.moveTo('2040-02-10');
    expect(await subscription.read()).toMatchObject({
      status: 'past_due',
      waiting_for: 'new_card',
      next_retry_date: '2040-02-11',
      retries_left: 3,
    });
    const query = `query ($id: ID!) { subscription(subscription_id: $id) {
      waiting_for history(language: es) { summary next }
      events { nodes { object { ... on CustomerSubscription { status waiting_for } } } } } }`;
    const { subscription: read } = (await api.graphql(query, { id: subscription.id })).body.data;
    expect(read.waiting_for).toBe('new_card');
    expect(read.events.nodes[0].object).toEqual({ status: 'past_due', waiting_for: 'new_card' });
    expect(read.history.summary).toContain('hace falta otra');
    expect(read.history.next).toMatch(/^El 2040-02-11 no se reintenta el cobro del período 2; quedan 3 intentos/);
    const { summary, next } = await subscription.history();
    expect(summary).toContain('a new one is required');
    expect(next).toContain('The retry of period 2 on 2040-02-11 is skipped; 3 retries left');
    await eventually(async () => {
      const details = (await subscription.details()).join('\n');
      expect(details).toContain('It waits for a new card: The card was reported lost (3009).');
      expect(details).toContain('next: skip the retry of period 2, 3 retries left');
    });
    expect((await api.rest('GET', `${subscription.path}/projection`)).body).toEqual([]);
  });

  it.concurrent('a retry is 412/3006, also for an operator, and sends nothing', async () => {
    const subscription = await renewedWith([3011]);
    await subscription.moveTo('2040-02-10');
    const { status, body } = await subscription.retry();
    expect([status, body.error_code]).toEqual([412, 3006]);
    expect(body.description).toContain('set a new card');
    const retry = `mutation { retrySubscription(subscription_id: "${subscription.id}") { id } }`;
    expect(errorOf(await api.graphql(retry))).toBe(3006);
    const refusal = await subscription
      .workflow()
      .executeUpdate<unknown, [object]>('retryNow', { args: [{ reason: 'Complaint', actor: 'ana' }] })
      .catch(({ cause }) => cause.message);
    expect(refusal).toBe(body.description);
    expect(await subscription.journal()).toHaveLength(2);
  });

  it.concurrent('a new card is charged at once', async () => {
    const subscription = await renewedWith([3004]);
    await subscription.moveTo('2040-02-11');
    const source_id = await shop.newCard(subscription.cards, OTHER);
    const { status, body } = await subscription.put({ source_id });
    expect([status, body.status, body.waiting_for]).toEqual([200, 'active', undefined]);
    expect(await subscription.diary('2040-03-10')).toBe('2040-03-10 | active 3 | next 2040-04-10 | paid');
  });

  it.concurrent('a card with the same number is 412/3006: the same source, a token, or card data', async () => {
    const subscription = await renewedWith([3004]);
    await subscription.moveTo('2040-02-10');
    const again = await subscription.put({ source_id: subscription.card_id });
    expect([again.status, again.body.error_code]).toEqual([412, 3006]);
    expect(again.body.description).toContain('another number');
    expect(errorOf(await subscription.put({ source_id: await shop.newToken() }))).toBe(3006);
    expect(errorOf(await subscription.put({ card: { ...visa, expiration_year: '68' } }))).toBe(3006);
    expect(await subscription.read()).toMatchObject({ waiting_for: 'new_card', card: { id: subscription.card_id } });
    // Nor after another card.
    const declining = await shop.newCard(subscription.cards, '4000000000000341');
    expect((await subscription.put({ source_id: declining })).body).toMatchObject({
      status: 'past_due',
      error_code: 3001,
    });
    expect(await subscription.read()).not.toHaveProperty('waiting_for');
    expect(errorOf(await subscription.put({ source_id: subscription.card_id }))).toBe(3006);
  });

  it.concurrent('as unpaid it waits too, and a new card makes it active', async () => {
    const subscription = await renewedWith([3004], { retry_times: 0 });
    expect(await subscription.diary('2040-02-10')).toBe('2040-02-10 | unpaid 2 | next 2040-03-10 | declined 3004');
    expect(await subscription.read()).toMatchObject({ waiting_for: 'new_card' });
    expect(errorOf(await subscription.retry())).toBe(3006);
    const source_id = await shop.newCard(subscription.cards, OTHER);
    expect((await subscription.put({ source_id })).body.status).toBe('active');
  });
});

describe('after 3002', () => {
  it.concurrent('the same number counts as new if the acquirer verifies it', async () => {
    const subscription = await renewedWith([3002]);
    await subscription.moveTo('2040-02-10');
    expect(errorOf(await subscription.retry())).toBe(3006);
    const { body } = await subscription.put({ source_id: subscription.card_id });
    expect([body.status, body.waiting_for]).toEqual(['active', undefined]);
  });

  it.concurrent('a card with another expiration date is charged at once; without one it is not', async () => {
    const subscription = await renewedWith([3002]);
    await subscription.moveTo('2040-02-10');
    const path = `${subscription.cards}/${subscription.card_id}`;
    await api.rest('PUT', path, { body: { holder_name: 'Ana', expiration_year: visa.expiration_year } });
    expect(await subscription.diary('2040-02-11')).toMatch(/retry 2040-02-12, 2 left$/);
    await api.rest('PUT', path, { body: { expiration_year: '68' } });
    await subscription.becomes({ status: 'active', current_period_number: 2 });
  });
});

describe("the acquirer's advice", () => {
  it.concurrent('not to retry makes the subscription wait for another number', async () => {
    const subscription = await renewedWith(['3001 do_not_retry']);
    await subscription.moveTo('2040-02-11');
    expect(await subscription.read()).toMatchObject({ waiting_for: 'new_card', error_code: 3001, retries_left: 2 });
    expect(errorOf(await subscription.put({ source_id: subscription.card_id }))).toBe(3006);
    expect(await subscription.journal()).toHaveLength(2);
  });

  it.concurrent('to wait delays the retry, also of a stolen card, and a request before is 412/3006', async () => {
    const subscription = await renewedWith(['3004 retry_after_72h']);
    expect(await subscription.diary('2040-02-10', '2040-02-12')).toBe(
      trimDiary(`
        2040-02-10 | past_due 2 | next 2040-03-10 | retry 2040-02-13, 3 left | declined 3004
        2040-02-12 | past_due 2 | next 2040-03-10 | retry 2040-02-13, 3 left`),
    );
    const { status, body } = await subscription.retry();
    expect([status, body.error_code]).toEqual([412, 3006]);
    expect(body.description).toContain('asked to wait');
    expect(await subscription.diary('2040-02-13')).toBe('2040-02-13 | active 2 | next 2040-03-10 | paid');
  });
});
