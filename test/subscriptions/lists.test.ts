/** Lists of subscriptions, and the charges to come. */

import { merchantCalls } from '../harness/merchant/merchantCalls';
import { type ApiResponse, testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const plan = { ...shop.plan, trial_days: 5 };
let [customer, card, path] = ['', '', ''];
beforeAll(async () => {
  customer = await shop.newCustomer();
  path = `/customers/${customer}/subscriptions`;
  card = await shop.newCard(`/customers/${customer}/cards`);
});

const day = (ahead: number): string =>
  new Date(Date.now() + ahead * 86_400_000 - 5 * 3_600_000).toISOString().slice(0, 10);
const refused = ({ status, body }: ApiResponse): [number, number] => [status, body?.error_code];
describe('lists', () => {
  it('newest first, by status, by day, by plan, and by cursor in GraphQL', async () => {
    const other = await shop.newPlan({ trial_days: 5 });
    const ids = [];
    for (let i = 0; i < 3; i++) ids.unshift((await shop.post(path, { plan_id: other, source_id: card })).body.id);
    const of = async (at: string) => (await api.rest('GET', at)).body.map((each: { id: string }) => each.id);
    expect(await of(`/plans/${other}/subscriptions`)).toEqual(ids);
    expect(await of(`/plans/${other}/subscriptions?limit=1&offset=1`)).toEqual([ids[1]]);
    expect((await of(`${path}?limit=1000`)).slice(0, 3)).toEqual(ids);
    expect(await of(`/plans/${other}/subscriptions?status=trial&creation=${day(0)}`)).toEqual(ids);
    expect(await of(`/plans/${other}/subscriptions?creation[gte]=${day(1)}`)).toEqual([]);
    expect(refused(await api.rest('GET', `${path}?status=asleep`))).toEqual([422, 1003]);
    expect(refused(await api.rest('GET', '/plans/p0000000000000000000/subscriptions'))).toEqual([404, 1005]);
    const query =
      'query($p: ID, $a: String) { subscriptionsConnection(plan_id: $p, first: 2, after: $a) { edges { node { id } } pageInfo { endCursor hasNextPage } } }';
    const first = (await api.graphql(query, { p: other })).body.data.subscriptionsConnection;
    const rest = (await api.graphql(query, { p: other, a: first.pageInfo.endCursor })).body.data
      .subscriptionsConnection;
    expect([...first.edges, ...rest.edges].map(({ node }) => node.id)).toEqual(ids);
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });
});

describe('GET …/projection', () => {
  it('tells the next charges, all paid or declined from a day on', async () => {
    const weekly = (await shop.post('/plans', { ...plan, repeat_unit: 'week', retry_times: 2, amount: 10.5 })).body.id;
    const { id } = (await shop.post(path, { plan_id: weekly, source_id: card })).body;
    const ask = async (query: string) => (await api.rest('GET', `${path}/${id}/projection?${query}`)).body;
    expect(await ask('periods=3')).toEqual([
      { period: 1, charge_date: day(5), amount: 10.5 },
      { period: 2, charge_date: day(12), amount: 10.5 },
      { period: 3, charge_date: day(19), amount: 10.5 },
    ]);
    expect(await ask('')).toHaveLength(12);
    expect(await ask(`declined_from=${day(10)}`)).toMatchObject([
      { period: 1, charge_date: day(5) },
      { period: 2, charge_date: day(12) },
      { period: 2, charge_date: day(13) },
      { period: 2, charge_date: day(14) },
    ]);
    for (const wrong of ['periods=0', 'periods=1001', 'periods=x', 'declined_from=2026-02-30'])
      expect(refused(await api.rest('GET', `${path}/${id}/projection?${wrong}`))).toEqual([422, 1003]);
    await api.rest('DELETE', `${path}/${id}`);
    expect(await ask('')).toEqual([]);
  });
});
