/** A merchant tests the default rules of production in the sandbox, and a rule against its past charges. */
import { visa } from '../../harness/cards/testCards';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const rule = { name: 'large', kind: 'amount', scope: 'transaction', amount: 500_000 };
const list = async () => (await api.rest('GET', '/fraud_rules')).body;
const put = (id: string, body: object) => api.rest('PUT', `/fraud_rules/${id}`, { body });
const remove = (id: string) => api.rest('DELETE', `/fraud_rules/${id}`);
const charge = (source_id: string, more: object = {}) =>
  shop.post('/charges', { ...shop.charge, source_id, customer: shop.payer, ...more });

describe('/fraud_settings', () => {
  it('lets a sandbox merchant use the default rules of production', async () => {
    expect((await api.rest('GET', '/fraud_settings')).body).toEqual({ presets: 'sandbox' });
    const declining = await shop.newCard('/cards', '4000000000000341');
    const presets = (presets: string) => api.rest('PUT', '/fraud_settings', { body: { presets } });
    expect((await presets('production')).body).toEqual({ presets: 'production' });
    expect((await list()).map(({ name }: { name: string }) => name)).toContain('attempts_per_email');
    const codes = [];
    for (let i = 0; i < 7; i++) codes.push((await charge(declining, { device_session_id: `${i}` })).body);
    expect(codes.map(({ error_code }) => error_code)).toEqual([3001, 3001, 3001, 3001, 3001, 3005, 3005]);
    expect(codes.at(-1).fraud_rules).toEqual(['declines_per_card']);
    expect((await presets('sandbox')).status).toBe(200);
    expect((await charge(declining)).body.error_code).toBe(3001);
    expect(errorOf(await presets('none'))).toBe(1003);
  });

  it('lets a production merchant use only the default rules of production', async () => {
    const origin = await api.startProduction();
    const { id, private_key: key } = api.merchants().production;
    const url = `${origin}/v1/${id}/fraud_settings`;
    expect((await sendRequest(url, 'GET', { key })).body).toEqual({ presets: 'production' });
    const answer = await sendRequest(url, 'PUT', { key, body: { presets: 'sandbox' } });
    expect(errorOf(answer)).toBe(1003);
  });
});

describe('/fraud_rules/dry_run', () => {
  const tried = (more: object, range: object = {}) =>
    shop.post('/fraud_rules/dry_run', { rule: { ...rule, name: 'tried', ...more }, ...range });

  it('returns the charges that a rule would have refused, and stores nothing', async () => {
    const source_id = await shop.newCard('/cards', '5105105105105100');
    const ids = [];
    for (const amount of [1000, 2000, 3000, 4000])
      ids.push((await charge(source_id, { amount, device_session_id: 'dry', metadata: { n: `${amount}` } })).body.id);
    const { evaluated } = (await tried({})).body;
    expect(evaluated).toBeGreaterThanOrEqual(4);
    const large = await tried({ kind: 'metadata', key: 'n', condition: 'greater_than', value: '2500' });
    const share = String(Math.round((2 / evaluated) * 10_000) / 10_000);
    expect(large.body).toMatchObject({ evaluated, refused: 2, share, charges: [{ id: ids[3] }, { id: ids[2] }] });
    const page = await tried(
      { kind: 'metadata', key: 'n', condition: 'greater_than', value: '2500' },
      { offset: 1, limit: 1 },
    );
    expect(page.body).toMatchObject({ refused: 2, charges: [{ id: ids[2], amount: 3000, status: 'completed' }] });
    const many = await tried({ kind: 'attempts', scope: 'device', max: 3, minutes: 43_200 });
    expect(many.body.charges.map(({ id }: { id: string }) => id)).toContain(ids[3]);
    expect(many.body.charges.map(({ id }: { id: string }) => id)).not.toContain(ids[2]);
    const day = await tried({ kind: 'amount', scope: 'card', amount: 6000 });
    const [newest, ...older] = day.body.charges;
    expect(newest.id).toBe(ids[3]);
    expect(older.map(({ id }: { id: string }) => id)).not.toContain(ids[2]);
    const listed = await tried({ kind: 'blocked', scope: 'card', values: [source_id] });
    expect(listed.body).toMatchObject({ refused: 4 });
    expect((await list()).every((each: { name: string }) => each.name !== 'tried')).toBe(true);
    const query = `query($it: DryRunTarget!, $after: String) { dryRunFraudRule(dry_run: $it) {
      refused charges(first: 3, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;
    const it = { rule: { ...rule, name: 'tried', kind: 'blocked', scope: 'card', values: [source_id] } };
    const run = async (after?: string) => (await api.graphql(query, { it, after })).body.data.dryRunFraudRule;
    const first = await run();
    expect(first).toMatchObject({ refused: 4, charges: { nodes: [{}, {}, {}], pageInfo: { hasNextPage: true } } });
    expect((await run(first.charges.pageInfo.endCursor)).charges.nodes).toEqual([{ id: ids[0] }]);
    expect(errorOf(await api.graphql(query, { it, after: 'x' }))).toBe(1003);
  });

  it('warns about a rule that would refuse more than half of the charges, also when the rule is saved', async () => {
    const everything = { scope: 'transaction', amount: 0.01 };
    expect((await tried(everything)).body.warning).toContain('all of the 12 evaluated charges');
    expect((await tried({ amount: 5000 })).body.warning).toContain('more than half');
    expect((await tried({})).body.warning).toBeUndefined();
    const stored = await shop.post('/fraud_rules', { ...rule, ...everything, enabled: false });
    expect([stored.status, stored.body.warning]).toEqual([
      201,
      expect.stringContaining('all of the 12 evaluated charges'),
    ]);
    const changed = await put(stored.body.id, { amount: 500_000 });
    expect([changed.body.amount, changed.body.warning]).toEqual([500_000, undefined]);
    await remove(stored.body.id);
  });

  it("evaluates 90 days, and no days before the merchant's first charge", async () => {
    expect((await tried({}, { from: '2020-01-01', to: '2020-02-01' })).body).toEqual({
      evaluated: 0,
      refused: 0,
      share: '0',
      charges: [],
    });
    for (const range of [
      { from: '2020-01-01', to: '2020-06-01' },
      { from: '2020-01-02', to: '2020-01-01' },
      { from: '2020-13-01' },
    ])
      expect(errorOf(await tried({}, range))).toBe(1003);
    expect(errorOf(await tried({}, { limit: 101 }))).toBe(1003);
    // A card number in a list of values is refused if a saved card has this number.
    await shop.newCard('/cards', visa.card_number);
    expect(errorOf(await tried({ values: [visa.card_number] }))).toBe(1003);
    expect(errorOf(await shop.post('/fraud_rules/dry_run', {}))).toBe(1001);
  });
});

it('allows 500 dry runs an hour', async () => {
  const { db } = api.database;
  // A clock whose hour does not end during the test.
  const hour = new Date(Date.now() + 3_600_000);
  await db().quota.updateMany({ where: { name: 'fraud dry runs' }, data: { used: 500, hour } });
  const body = { rule: { ...rule, name: 'tried' } };
  expect(errorOf(await shop.post('/fraud_rules/dry_run', body))).toBe(1011);
  await db().quota.deleteMany();
});
