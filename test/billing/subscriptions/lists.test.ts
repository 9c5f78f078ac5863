/** Lists of subscriptions, and projections of upcoming charges. */

import { nthChargeDay } from '../../../workflows/calendar';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { type ApiResponse, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const plan = { ...shop.plan, trial_days: 5 };
let [customer, card, path] = ['', '', ''];
beforeAll(async () => {
  const clock_offset = Math.round((NOON - Date.now()) / 1000);
  await api.database.db().merchant.update({ where: { id: api.merchants().own.id }, data: { clock_offset } });
  customer = await shop.newCustomer();
  path = `/customers/${customer}/subscriptions`;
  card = await shop.newCard(`/customers/${customer}/cards`);
});

/** In the time of the merchant's test clock, so that no test runs over midnight. */
const NOON = Date.parse('2040-01-10T12:00:00-05:00');
const day = (ahead: number): string => new Date(NOON + ahead * 86_400_000).toISOString().slice(0, 10);
const refused = ({ status, body }: ApiResponse): [number, number] => [status, body?.error_code];
describe('lists', () => {
  it('are sorted newest first, can be filtered by status, day and plan, and have cursors in GraphQL', async () => {
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
      'query($p: ID, $a: String) { subscriptions(plan_id: $p, first: 2, after: $a) { edges { node { id } } pageInfo { endCursor hasNextPage } } }';
    const first = (await api.graphql(query, { p: other })).body.data.subscriptions;
    const rest = (await api.graphql(query, { p: other, a: first.pageInfo.endCursor })).body.data.subscriptions;
    expect([...first.edges, ...rest.edges].map(({ node }) => node.id)).toEqual(ids);
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });
});

describe('GET /subscriptions', () => {
  const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);
  const of = async (query: string) => idsOf((await api.rest('GET', `/subscriptions?${query}`)).body);
  let [gone, first, second] = ['', '', ''];
  beforeAll(async () => {
    const subscribe = async (owner: string, trial_end_date: string) => {
      const at = `/customers/${owner}`;
      const source_id = await shop.newCard(`${at}/cards`);
      const plan_id = await shop.newPlan({ trial_days: 5 });
      return (await shop.post(`${at}/subscriptions`, { plan_id, source_id, trial_end_date })).body;
    };
    gone = await shop.newCustomer();
    first = (await subscribe(gone, day(100))).id;
    second = (await subscribe(await shop.newCustomer(), day(200))).id;
    expect((await api.rest('DELETE', `/customers/${gone}`)).status).toBe(204);
  });

  it('lists subscriptions of all customers, newest first, including deleted customers', async () => {
    expect((await of('status=trial,cancelled')).slice(0, 2)).toEqual([second, first]);
    expect(await of('status=trial,cancelled&limit=1&offset=1')).toEqual([first]);
    expect(await of(`status=TRIAL,cancelled&customer_id=${gone}`)).toEqual([first]);
    expect((await api.rest('GET', `/customers/${gone}/subscriptions?status=trial`)).status).toBe(404);
  });

  it('filters by the day of the next charge, by plan and by customer, alone or combined', async () => {
    const { plan_id, customer_id } = (await api.rest('GET', '/subscriptions?limit=1&status=trial')).body[0];
    expect(await of(`charge_date[gte]=${day(201)}&charge_date[lte]=${day(201)}`)).toEqual([second]);
    expect(await of(`charge_date[gte]=${day(101)}&status=trial,cancelled`)).toEqual([second, first]);
    expect(await of(`charge_date[lte]=${day(101)}&status=trial,cancelled`)).toContain(first);
    expect(await of(`charge_date[lte]=${day(100)}&status=trial,cancelled`)).not.toContain(first);
    expect(await of(`plan_id=${plan_id}&customer_id=${customer_id}`)).toEqual([second]);
    expect(await of(`plan_id=${plan_id}&customer_id=${gone}&status=trial,cancelled`)).toEqual([]);
  });

  it('returns an empty list for an unknown id, and omits cancelled subscriptions by default', async () => {
    expect(await of('customer_id=a0000000000000000000')).toEqual([]);
    expect(await of('plan_id=')).toEqual([]);
    const { customer_id } = (await api.rest('GET', '/subscriptions?limit=1&status=trial')).body[0];
    await api.rest('DELETE', `/customers/${customer_id}/subscriptions/${second}`);
    expect(await of('limit=1000')).not.toContain(second);
    expect(await of('limit=1000&status=unpaid,Cancelled')).toContain(second);
  });

  it('returns the same in GraphQL', async () => {
    const query = `query($s: [SubscriptionStatus!], $c: ID) {
      subscriptions(status: $s, customer_id: $c, charge_date_gte: "${day(101)}") { nodes { id } } }`;
    const { body } = await api.graphql(query, { s: ['trial', 'cancelled'], c: gone });
    expect(body.data.subscriptions.nodes).toEqual([{ id: first }]);
  });

  it('fails with 1003 for a status or a day that does not exist', async () => {
    for (const wrong of ['status=trial,asleep', 'status=', 'charge_date[gte]=2026-02-30'])
      expect([wrong, ...refused(await api.rest('GET', `/subscriptions?${wrong}`))]).toEqual([wrong, 422, 1003]);
  });
});

describe('the charge_date column by which lists filter', () => {
  it('equals the date that the billing rules compute', async () => {
    const days = ['2024-02-29', '2026-01-31', '2026-12-30'];
    for (const unit of ['week', 'month', 'year'] as const)
      for (const every of [1, 5, 100])
        for (const n of [1, 2, 3, 13])
          for (const from of days) {
            const [row] = await api.database.db().$queryRaw<{ day: string }[]>`
              select nth_charge_day(${from}, ${n}::integer, ${every}::integer, ${unit}) as day`;
            expect([unit, every, n, row?.day]).toEqual([unit, every, n, nthChargeDay(from, n, every, unit)]);
          }
  });
});

describe('GET …/projection', () => {
  it('returns upcoming charges, for an optimistic case and for declines from a given day', async () => {
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
