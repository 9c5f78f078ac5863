/** Lists are limited by the size of their metadata, and lose no records. */
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../../harness/servers/api';

describe('records with metadata of the maximum size', () => {
  const api = testApi();
  const shop = merchantCalls(api);
  const COUNT = 200;
  const MAX_BYTES = 4.5 * 1024 * 1024;
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));
  let plan_id = '';

  beforeAll(async () => {
    const customer_id = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
    plan_id = await shop.newPlan({ trial_days: 5 });
    const { body } = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
    for (const [table, id] of [
      ['customers', customer_id],
      ['plans', plan_id],
      ['subscriptions', body.id],
    ])
      await api.database.db().$executeRawUnsafe(
        `insert into ${table} select (jsonb_populate_record(made, jsonb_build_object('id', left(id, 1) || left(md5(id || i), 19),
           'metadata', $1::jsonb))).* from ${table} made, generate_series(1, ${COUNT}) as i where id = $2`,
        JSON.stringify(metadata),
        id,
      );
  });

  it.each(['customers', 'plans', 'subscriptions'])('%s are listed as far as they fit', async list => {
    const refused = await api.rest('GET', `/${list}?limit=1000`);
    expect([errorOf(refused), refused.body.field]).toEqual([1003, 'limit']);
    const limit = Number(/at most (\d+)$/.exec(refused.body.description)?.[1]);
    const { body, text } = await api.rest('GET', `/${list}?limit=${limit}`);
    expect(body).toHaveLength(limit);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES);
    const ids: string[] = [];
    for (let after: string | null = null, hasNextPage = true; hasNextPage; ) {
      const query = `query ($after: String) { ${list}(first: 1000, after: $after) {
        nodes { id metadata } pageInfo { hasNextPage endCursor } } }`;
      const page: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } = (
        await api.graphql(query, { after })
      ).body.data[list];
      ids.push(...page.nodes.map(({ id }) => id));
      ({ hasNextPage, endCursor: after } = page.pageInfo);
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(COUNT + 1);
  });

  it('subscriptions nested in a plan are refused beyond the limit', async () => {
    const nested = (first: number) =>
      api.graphql(`{ plan(plan_id: "${plan_id}") { subscriptions(first: ${first}) { nodes { id metadata } } } }`);
    expect((await nested(50)).body.data.plan.subscriptions.nodes).toHaveLength(50);
    expect(errorOf(await nested(200))).toBe(1003);
  });
});
