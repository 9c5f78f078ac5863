/** A merchant reads and changes its fraud rules. */
import { PRESETS } from '../../../src/gateway/fraud/presets';
import { newId } from '../../../src/platform/identifiers';
import { until } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { type ApiResponse, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const rule = { name: 'large', kind: 'amount', scope: 'transaction', amount: 500_000 };
const list = async () => (await api.rest('GET', '/fraud_rules')).body;
const put = (id: string, body: object) => api.rest('PUT', `/fraud_rules/${id}`, { body });
const remove = (id: string) => api.rest('DELETE', `/fraud_rules/${id}`);

describe('/fraud_rules', () => {
  it('returns the default rules of the sandbox to a new merchant', async () => {
    const rules = await list();
    expect(rules.map(({ name }: { name: string }) => name)).toEqual(PRESETS.sandbox.map(({ name }) => name));
    expect(rules[0]).toEqual({
      id: expect.stringMatching(/^r[a-z0-9]{19}$/),
      name: 'declines_per_card',
      kind: 'declines',
      scope: 'card',
      max: 1000,
      minutes: 60,
      enabled: true,
      applies_to: 'charges',
      default: true,
      creation_date: null,
    });
  });

  it('creates, reads, changes and deletes a rule, with audit log entries', async () => {
    const created = await shop.post('/fraud_rules', rule);
    expect([created.status, created.headers.get('resource-id')]).toEqual([201, created.body.id]);
    const { id } = created.body;
    const shown = { ...rule, id, enabled: true, applies_to: 'charges', default: false };
    expect(created.body).toEqual({ ...shown, creation_date: expect.any(String) });
    expect((await api.rest('GET', `/fraud_rules/${id}`)).body).toEqual(created.body);
    const query = `{ fraudRule(fraud_rule_id: "${id}") { id name kind scope amount default } }`;
    expect((await api.graphql(query)).body.data.fraudRule).toEqual({ ...rule, id, default: false });
    const changed = await put(id, { ...created.body, amount: 600_000.5, enabled: 'false' });
    expect(changed.body).toEqual({ ...created.body, amount: 600_000.5, enabled: false });
    expect((await remove(id)).status).toBe(204);
    expect([(await remove(id)).status, (await put(id, {})).status]).toEqual([404, 404]);
    const entries = await api.database.db().auditEntry.findMany({ where: { object_id: id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, actor, before, after }) => ({ action, actor, before, after }))).toEqual([
      expect.objectContaining({ action: 'fraud_rule.created', actor: 'key' }),
      {
        action: 'fraud_rule.changed',
        actor: 'key',
        before: { amount: 50_000_000, enabled: true },
        after: { amount: 60_000_050, enabled: false },
      },
      expect.objectContaining({ action: 'fraud_rule.deleted' }),
    ]);
  });

  it('a changed default keeps its ID, and is restored when the change is deleted', async () => {
    const [preset] = await list();
    const changed = await put(preset.id, { max: 3 });
    expect(changed.body).toMatchObject({ ...preset, max: 3, default: false, creation_date: expect.any(String) });
    expect((await list()).filter(({ name }: { name: string }) => name === preset.name)).toEqual([changed.body]);
    expect((await remove(preset.id)).status).toBe(204);
    expect((await list())[0]).toEqual(preset);
    expect(errorOf(await remove(preset.id))).toBe(3006);
    // A new rule with the same name also replaces the default.
    const off = { name: preset.name, kind: 'declines', scope: 'card', max: 1, minutes: 1, enabled: false };
    const { id } = (await shop.post('/fraud_rules', off)).body;
    expect((await api.rest('GET', `/fraud_rules/${preset.id}`)).status).toBe(404);
    await remove(id);
  });

  it('a repeated request creates one rule', async () => {
    const create = () => shop.post('/fraud_rules', { ...rule, name: 'once' }, { 'idempotency-key': 'once' });
    const first = await create();
    const interrupted = { status: null, body: null, lease_until: new Date(0) };
    await api.database.db().idempotentReply.updateMany({ where: { key: 'once' }, data: interrupted });
    expect(await create()).toMatchObject({ status: 201, body: { id: first.body.id } });
    await remove(first.body.id);
  });

  it.each([
    ['an unknown kind', { kind: 'horoscope' }, 1003, 'kind'],
    ['no kind', { kind: null }, 1001, 'kind'],
    ['no name', { name: ' ' }, 1001, 'name'],
    ['no parameters of its kind', { scope: null, amount: null }, 1001, 'scope'],
    ['a scope that its kind does not have', { scope: 'device' }, 1003, 'scope'],
    ['zero minutes', { kind: 'attempts', scope: 'card', max: 1, minutes: 0 }, 1003, 'minutes'],
    ['more than 30 days', { kind: 'attempts', scope: 'card', max: 1, minutes: 43_201 }, 1003, 'minutes'],
    ['a maximum of zero attempts', { kind: 'attempts', scope: 'card', max: 0, minutes: 1 }, 1003, 'max'],
    ['an amount of zero', { amount: 0 }, 1003, 'amount'],
    ['no values', { kind: 'blocked', scope: 'device', values: [] }, 1003, 'values'],
    ['1,001 values', { kind: 'blocked', scope: 'device', values: Array(1001).fill('x') }, 1003, 'values'],
    ['a value that is not a string', { kind: 'blocked', scope: 'device', values: [{}] }, 1001, 'values.0'],
    ['an invalid e-mail address', { kind: 'blocked', scope: 'email', values: ['maria'] }, 1003, 'values'],
    ['an invalid network', { kind: 'blocked', scope: 'address', values: ['10.0.0.0/99'] }, 1003, 'values'],
    ['a partial card number', { kind: 'blocked', scope: 'card', values: ['4111'] }, 1003, 'values'],
    ['a complete card number', { kind: 'blocked', scope: 'card', values: ['4111111111111111'] }, 1003, 'values'],
    ['an unknown card', { kind: 'blocked', scope: 'card', values: [newId('card')] }, 1003, 'values'],
    ['an unknown customer', { kind: 'blocked', scope: 'customer', values: [newId('customer')] }, 1003, 'values'],
    ['an invalid country', { kind: 'country', condition: 'in', countries: ['Colombia'] }, 1003, 'countries.0'],
    ['a condition of another kind', { kind: 'country', condition: 'equals', countries: ['CO'] }, 1003, 'condition'],
    ['no value to compare with', { kind: 'metadata', key: 'x', condition: 'equals' }, 1001, 'value'],
    [
      'a value that is not a number',
      { kind: 'metadata', key: 'x', condition: 'greater_than', value: 'y' },
      1003,
      'value',
    ],
  ])('refuses %s', async (_, wrong, code, field) => {
    const before = await list();
    const answer = await shop.post('/fraud_rules', { ...rule, ...wrong });
    expect([errorOf(answer), answer.body.field]).toEqual([code, field]);
    expect(await list()).toEqual(before);
  });

  it('refuses cards, customers and rules of other merchants, duplicate names and a changed kind', async () => {
    const { id, private_key: key } = api.merchants().other;
    const ask = (method: string, path: string, body?: object): Promise<ApiResponse> =>
      sendRequest(`${api.origin()}/v1/${id}${path}`, method, { key, ...(body ? { body } : {}) });
    const [card, customer] = [await shop.newCard(), await shop.newCustomer()];
    for (const [scope, value] of [
      ['card', card],
      ['customer', customer],
    ])
      expect(errorOf(await ask('POST', '/fraud_rules', { name: 'x', kind: 'blocked', scope, values: [value] }))).toBe(
        1003,
      );
    const own = (await shop.post('/fraud_rules', rule)).body;
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
      expect((await ask(method, `/fraud_rules/${own.id}`, body)).status).toBe(404);
    expect(await shop.post('/fraud_rules', rule)).toMatchObject({ status: 422, body: { field: 'name' } });
    expect(await put(own.id, { kind: 'blocked' })).toMatchObject({ status: 422, body: { field: 'kind' } });
    const [preset] = (await list()).slice(-1);
    expect((await put(preset.id, { name: 'large' })).body).toMatchObject({ error_code: 1003, field: 'name' });
    await remove(own.id);
  });

  it('accepts 50 rules per merchant', async () => {
    const answers: ApiResponse[] = [];
    // Sequential requests do not wait long for each other's locks; the last ones are concurrent.
    const make = async (i: number) => answers.push(await shop.post('/fraud_rules', { ...rule, name: `rule ${i}` }));
    for (let i = 0; i < 45; i++) await make(i);
    await Promise.all(Array.from({ length: 10 }, (_, i) => make(45 + i)));
    for (const { body } of answers) if (body.id) await remove(body.id);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(answer => errorOf(answer) === 3006)).toHaveLength(5);
  });
});

it('two API processes share the counters, and both apply a changed rule', async () => {
  const second = await api.startAnother();
  const { id, private_key: key } = api.merchants().own;
  const card = await shop.newCard('/cards', '4000000000000341');
  const charge = (origin: string, device_session_id: string) =>
    sendRequest(`${origin}/v1/${id}/charges`, 'POST', {
      key,
      body: { ...shop.charge, source_id: card, customer: shop.payer, device_session_id },
    });
  await charge(second, 'before');
  const counting = { name: 'shared', kind: 'declines', scope: 'device', max: 7, minutes: 43_200 };
  const created = await shop.post('/fraud_rules', counting);
  const blocking = { name: 'seen', kind: 'blocked', scope: 'device', values: ['probe'] };
  const probe = await shop.post('/fraud_rules', blocking);
  await until(async () => errorOf(await charge(second, 'probe')) === 3005);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => charge(i % 2 ? second : api.origin(), 'crowd')),
  );
  expect(answers.filter(answer => errorOf(answer) === 3001)).toHaveLength(7);
  expect(answers.filter(({ body }) => body.fraud_rules?.[0] === 'shared')).toHaveLength(43);
  await remove(probe.body.id);
  await until(async () => errorOf(await charge(second, 'probe')) === 3001);
  await remove(created.body.id);
});

it('two concurrent changes of one rule both take effect', async () => {
  const { id } = (await shop.post('/fraud_rules', { ...rule, name: 'twice' })).body;
  for (let i = 0; i < 10; i++) {
    const enabled = i % 2 === 0;
    await Promise.all([put(id, { enabled }), put(id, { amount: 1000 + i })]);
    expect((await api.rest('GET', `/fraud_rules/${id}`)).body).toMatchObject({ enabled, amount: 1000 + i });
  }
  await remove(id);
});

it('a default cannot be renamed, so that it cannot reappear beside its change', async () => {
  const [preset] = (await list()).filter((each: { default: boolean }) => each.default);
  expect(errorOf(await put(preset.id, { name: 'mine', enabled: false }))).toBe(1003);
  expect((await put(preset.id, { enabled: false })).body).toMatchObject({ name: preset.name, enabled: false });
  expect(errorOf(await put(preset.id, { name: 'mine' }))).toBe(1003);
  await remove(preset.id);
});
