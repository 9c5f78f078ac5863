/** Pages of a long subscription history: page one has the latest entries, and each page is sorted oldest first. */
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
let subscription_id: string;
let path: string;

beforeAll(async () => {
  const customer_id = await shop.newCustomer();
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
  const plan_id = await shop.newPlan({ trial_days: 5 });
  const created = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
  expect(created.body).toMatchObject({ status: 'trial' });
  subscription_id = created.body.id;
  path = `/customers/${customer_id}/subscriptions/${subscription_id}/history`;
  const lines = Array.from({ length: 800 }, (_, i) => ({
    subscription_id,
    date: new Date(),
    event: 'charged',
    period: i + 1,
  }));
  await api.database.db().subscriptionLine.createMany({ data: lines });
});

type Entries = { period: number }[];
/** The first and the last period of a page, and the number of entries. */
const spanOf = (entries: Entries) => [entries[0]?.period, entries.at(-1)?.period, entries.length];
const restSpan = async (query: string) => spanOf((await api.rest('GET', `${path}${query}`)).body.entries);

it('REST returns the latest hundred entries, or the page of limit and offset', async () => {
  const { body } = await api.rest('GET', path);
  expect(Object.keys(body)).toEqual(['summary', 'entries', 'next', 'end_date']);
  expect(spanOf(body.entries)).toEqual([701, 800, 100]);
  expect(await restSpan('?limit=10')).toEqual([791, 800, 10]);
  expect(await restSpan('?limit=10&offset=10')).toEqual([781, 790, 10]);
  expect(await restSpan('?limit=1000&offset=200')).toEqual([null, 600, 601]);
  expect(await restSpan('?offset=9000')).toEqual([undefined, undefined, 0]);
});

it.each(['limit=0', 'limit=1001', 'limit=x', 'offset=-1'])('%s fails with 1003', async query => {
  expect(errorOf(await api.rest('GET', `${path}?${query}`))).toBe(1003);
});

it('GraphQL pages by cursor, the latest entries first', async () => {
  const { body } = await api.graphql(
    `query($id: ID!) {
      history(subscription_id: $id) { entries { nodes { period } pageInfo { hasNextPage endCursor } } }
      subscription(subscription_id: $id) {
        few: history { entries(first: 3) { nodes { period } } }
        short: history { summary next }
      }
    }`,
    { id: subscription_id },
  );
  const { history, subscription } = body.data;
  expect(spanOf(history.entries.nodes)).toEqual([800, 701, 100]);
  expect(spanOf(subscription.few.entries.nodes)).toEqual([800, 798, 3]);
  expect(Object.keys(subscription.short)).toEqual(['summary', 'next']);
  const page = (window: string) =>
    api.graphql(`{ history(subscription_id: "${subscription_id}") {
      entries(${window}) { nodes { period } pageInfo { hasNextPage } } } }`);
  const { endCursor } = history.entries.pageInfo;
  const { entries } = (await page(`first: 1000, after: "${endCursor}"`)).body.data.history;
  expect(spanOf(entries.nodes)).toEqual([700, null, 701]);
  expect(entries.pageInfo.hasNextPage).toBe(false);
  for (const window of ['first: 0', 'first: 1001', 'after: "x"', 'after: "99999999999999999"'])
    expect(errorOf(await page(window))).toBe(1003);
});
