/** What operators do over GraphQL, with keys of three roles. */
import { apiSchema } from '../../src/http/apiSchema';
import { newKey } from '../../src/merchants/keys';
import { createOperatorKey, revokeOperatorKey } from '../../src/operators/keys';
import { newId } from '../../src/platform/identifiers';
import { until } from '../harness/flow/until';
import { testOperators } from '../harness/merchant/operators';
import { errorOf, sendRequest, testApi } from '../harness/servers/api';

const api = testApi();
const { keys, operate, as, newMerchant } = testOperators(api);
const db = () => api.database.db();

const ACCOUNT = `{ id environment name email phone status suspension_reason cost_rate cost_fixed linked_merchant_id
  balance customers_balance counts { customers cards transactions subscriptions webhooks } }`;
const lastEntry = () => db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });

describe('every operation for operators', () => {
  const fields = [apiSchema.getQueryType(), apiSchema.getMutationType()].flatMap(type =>
    Object.values(type?.getFields() ?? {}).map(field => ({ field, isMutation: type === apiSchema.getMutationType() })),
  );
  const documentOf = ({ field, isMutation }: (typeof fields)[number]): string =>
    `${isMutation ? 'mutation' : 'query'} { ${field.name} }`;
  const operatorFields = fields.filter(({ field }) => field.extensions.operatorRole);

  it('there are some of each role', () => {
    const rolesOf = Object.fromEntries(operatorFields.map(({ field }) => [field.name, field.extensions.operatorRole]));
    expect(rolesOf).toEqual({
      merchantAccounts: 'read',
      merchantAccountsConnection: 'read',
      merchantAccount: 'read',
      operatorAuditLog: 'read',
      liveRequests: 'read',
      liveRequestsConnection: 'read',
      suspendMerchant: 'support',
      resumeMerchant: 'support',
      returnLiveRequest: 'support',
      refuseLiveRequest: 'support',
      approveLiveRequest: 'admin',
      changeMerchantCosts: 'admin',
      operatorKeys: 'admin',
      createOperatorKey: 'admin',
      revokeOperatorKey: 'admin',
    });
  });

  it.each(operatorFields.map(each => [each.field.name, each] as const))(
    '%s: 1010 with a key of a merchant and with a lower role, whatever else is wrong',
    async (_, each) => {
      const { private_key, public_key } = api.merchants().own;
      const lower = { read: [], support: ['read'], admin: ['read', 'support'] }[
        each.field.extensions.operatorRole as 'read' | 'support' | 'admin'
      ] as ('read' | 'support')[];
      for (const key of [private_key, public_key, ...lower.map(role => keys[role].key)]) {
        const answer = await api.graphql(documentOf(each), {}, { key });
        expect([answer.status, errorOf(answer)]).toEqual([403, 1010]);
      }
    },
  );

  it.each(fields.filter(({ field }) => !field.extensions.operatorRole).map(each => [each.field.name, each] as const))(
    '%s is none: 1010 with the key of an administrator',
    async (_, each) => {
      const answer = await api.graphql(documentOf(each), {}, { key: keys.admin.key });
      expect([answer.status, errorOf(answer)]).toEqual([403, 1010]);
    },
  );

  it('are not to be had over REST: 1002', async () => {
    expect(errorOf(await api.rest('GET', '', { key: keys.admin.key }))).toBe(1002);
  });

  it('answer in both environments', async () => {
    const origin = await api.startProduction();
    const body = { query: '{ merchantAccounts { id } }' };
    const answer = await sendRequest(`${origin}/graphql`, 'POST', { key: keys.read.key, body });
    expect(answer.body.data.merchantAccounts).toHaveLength(await db().merchant.count());
  });
});

describe('merchantAccounts', () => {
  const find = (args: string): Promise<{ id: string }[]> => operate('read', `{ merchantAccounts(${args}) { id } }`);
  let ana: string;
  beforeAll(async () => {
    ana = (await newMerchant('Ana 100% Flores')).id;
    await db().merchant.update({ where: { id: ana }, data: { email: 'Flores@example.com' } });
  });

  it.each([
    ['the beginning of a name, in any letter case', 'ana 1'],
    ['the beginning of an e-mail address', 'flores@'],
  ])('finds by %s', async (_, text) => expect(await find(`find: "${text}"`)).toEqual([{ id: ana }]));

  it('finds by id, and takes wildcards for what they are', async () => {
    expect(await find(`find: "${ana}"`)).toEqual([{ id: ana }]);
    expect(await find('find: "ana%fl"')).toEqual([]);
    expect(await find('find: "_na"')).toEqual([]);
  });

  it('by environment and status', async () => {
    const { production } = api.merchants();
    expect(await find('environment: production')).toEqual([{ id: production.id }]);
    expect(await find('status: suspended')).toEqual([]);
  });

  it('goes on after a cursor, without leaving out or repeating one', async () => {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { edges, pageInfo } = await operate(
        'read',
        `{ merchantAccountsConnection(first: 1${after}) { edges { node { id } } pageInfo { hasNextPage endCursor } } }`,
      );
      seen.push(...edges.map(({ node }: { node: { id: string } }) => node.id));
      if (!pageInfo.hasNextPage) break;
      after = `, after: "${pageInfo.endCursor}"`;
    }
    const all = await find('limit: 1000');
    expect(seen).toEqual(all.map(({ id }) => id));
    expect(new Set(seen).size).toBe(await db().merchant.count());
  });

  it.each([
    ['limit: 0', 1003],
    ['status: closed', 1003],
    ['after: "x"', 1001],
    [`find: "${'x'.repeat(101)}"`, 1001],
  ])('refuses %s', async (args, code) =>
    expect(errorOf(await operate('read', `{ merchantAccounts(${args}) { id } }`))).toBe(code),
  );
});

describe('merchantAccount', () => {
  it('shows costs, balances and how much there is', async () => {
    const { id } = await newMerchant();
    const account = await operate('read', `{ merchantAccount(id: "${id}") ${ACCOUNT} }`);
    expect(account).toMatchObject({
      id,
      environment: 'sandbox',
      status: 'active',
      suspension_reason: null,
      cost_rate: 2.9,
      cost_fixed: 900,
      linked_merchant_id: null,
      balance: 0,
      counts: { customers: 0, cards: 0, transactions: 0, subscriptions: 0, webhooks: 0 },
    });
  });

  it.each(['m0000000000000000000', 'x', ''])('1005 for %j', async id => {
    expect(errorOf(await operate('read', `{ merchantAccount(id: "${id}") { id } }`))).toBe(id ? 1005 : 1001);
  });
});

describe('suspendMerchant and resumeMerchant', () => {
  it('suspend with a reason and lift it, each once, and stand in the audit log', async () => {
    const { id } = await newMerchant();
    const suspend = `mutation { suspendMerchant(id: "${id}", reason: "Too many chargebacks") ${ACCOUNT} }`;
    expect(await operate('support', suspend)).toMatchObject({
      status: 'suspended',
      suspension_reason: 'Too many chargebacks',
    });
    expect(await lastEntry()).toMatchObject({
      merchant_id: id,
      actor: 'operator',
      actor_id: keys.support.id,
      action: 'merchant.suspended',
      object_id: id,
      after: { reason: 'Too many chargebacks' },
    });
    // A repeat, whose first answer was lost; but nobody's reason is replaced.
    expect(await operate('support', suspend)).toMatchObject({ status: 'suspended' });
    expect(errorOf(await operate('support', suspend.replace('Too many', 'Some')))).toBe(3006);
    const resume = `mutation { resumeMerchant(id: "${id}") ${ACCOUNT} }`;
    expect(await operate('support', resume)).toMatchObject({ status: 'active', suspension_reason: null });
    expect(errorOf(await operate('support', resume))).toBe(3006);
  });

  it('refuse an unknown merchant and an empty reason', async () => {
    const { id } = await newMerchant();
    const suspend = (whom: string, reason: string) =>
      operate('support', 'mutation ($id: ID!, $reason: String!) { suspendMerchant(id: $id, reason: $reason) { id } }', {
        id: whom,
        reason,
      });
    expect(errorOf(await suspend('m0000000000000000000', 'x'))).toBe(1005);
    for (const reason of ['', ' ', '\u0000', 'x'.repeat(1001)]) expect(errorOf(await suspend(id, reason))).toBe(1001);
    expect((await db().merchant.findUniqueOrThrow({ where: { id } })).status).toBe('active');
  });
});

describe('changeMerchantCosts', () => {
  const change = (id: string, rate: unknown, fixed: unknown) =>
    operate(
      'admin',
      'mutation ($id: ID!, $rate: Percent!, $fixed: Money!) { changeMerchantCosts(id: $id, rate: $rate, fixed: $fixed) { cost_rate cost_fixed } }',
      { id, rate, fixed },
    );

  it('changes what later charges cost, and notes before and after', async () => {
    const { id } = await newMerchant();
    expect(await change(id, 1.99, '500.50')).toEqual({ cost_rate: 1.99, cost_fixed: 500.5 });
    expect(await lastEntry()).toMatchObject({
      action: 'merchant.costs_changed',
      merchant_id: id,
      before: { rate: 2.9, fixed: 900 },
      after: { rate: 1.99, fixed: 500.5 },
    });
    expect(await change(id, 0, 0)).toEqual({ cost_rate: 0, cost_fixed: 0 });
    const { id: before } = await lastEntry();
    await change(id, 0, 0);
    expect((await lastEntry()).id).toBe(before);
  });

  it.each([
    [-1, 0, 1003],
    [100.01, 0, 1003],
    [2.999, 0, 1003],
    ['two', 0, 1001],
    [1, -0.01, 1003],
    [1, 'x', 1001],
  ])('refuses %s percent and %s', async (rate, fixed, code) => {
    const { id } = await newMerchant();
    expect(errorOf(await change(id, rate, fixed))).toBe(code);
    expect(await db().merchant.findUnique({ where: { id } })).toMatchObject({ cost_rate: 290, cost_fixed: 90000n });
  });

  it('1005 for an unknown merchant', async () =>
    expect(errorOf(await change('m0000000000000000000', 1, 1))).toBe(1005));
});

describe('keys of operators', () => {
  const create = (role: string, name = 'Ana', headers = {}) =>
    operate(
      'admin',
      `mutation { createOperatorKey(name: "${name}", role: ${role}) { id role masked key } }`,
      {},
      headers,
    );
  const revoke = (id: string) => operate('admin', `mutation { revokeOperatorKey(id: "${id}") { id masked } }`);

  it('are shown once, listed masked, work at once and end at once', async () => {
    const made = await create('read');
    expect(made.key).toMatch(/^ok_[0-9a-f]{32}$/);
    const listed = await operate('admin', '{ operatorKeys { id role name masked key } }');
    expect(listed).toContainEqual({
      id: made.id,
      role: 'read',
      name: 'Ana',
      masked: `ok_…${made.key.slice(-4)}`,
      key: null,
    });
    expect(JSON.stringify(listed)).not.toContain(made.key);
    expect(await lastEntry()).toMatchObject({ action: 'operator_key.created', object_id: made.id, merchant_id: null });
    const works = async () => (await as(made.key, '{ merchantAccounts { id } }')).status !== 401;
    expect(await works()).toBe(true);
    expect(await revoke(made.id)).toMatchObject({ id: made.id });
    await until(async () => !(await works()));
    expect(errorOf(await revoke(made.id))).toBe(1005);
    expect(await lastEntry()).toMatchObject({ action: 'operator_key.revoked', object_id: made.id });
  });

  it('a repeat with the same Idempotency-Key gets the same key, which the database does not hold', async () => {
    const headers = { 'idempotency-key': 'operator-1' };
    const made = await create('support', 'Luz', headers);
    expect(await create('support', 'Luz', headers)).toEqual(made);
    // As after a crash before the answer was kept: the work is done again and finds itself.
    await db().idempotentReply.updateMany({
      where: { key: 'operator-1' },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect(await create('support', 'Luz', headers)).toEqual(made);
    expect(await db().operatorKey.count({ where: { name: 'Luz' } })).toBe(1);
    expect(await db().auditEntry.count({ where: { object_id: made.id } })).toBe(1);
    const { body, path } = await db().idempotentReply.findFirstOrThrow({ where: { key: 'operator-1' } });
    expect(body).not.toContain(made.key);
    expect(path).toBe(`operator ${keys.admin.id} /graphql`);
  });

  it('3006 for the last one of an administrator, also when all are revoked at once', async () => {
    const by = { actor: { kind: 'operator', id: 'test' } } as const;
    const admins = () => db().operatorKey.findMany({ where: { role: 'admin' } });
    const newOne = () => ({ id: newId('key'), key: newKey('operator'), secret: api.secret });
    for (let round = 0; round < 5; round++) {
      const made = Array.from({ length: 10 }, (_, i) =>
        createOperatorKey(db(), by, { name: `${i}`, role: 'admin' }, newOne()),
      );
      await Promise.all(made);
      const all = await admins();
      const ends = await Promise.allSettled(all.map(({ id }) => revokeOperatorKey(db(), by, id)));
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.error_code] : []));
      expect([refused, (await admins()).length]).toEqual([[3006], 1]);
    }
    await createOperatorKey(db(), by, { name: 'admin', role: 'admin' }, { ...keys.admin, secret: api.secret });
    const [other] = (await admins()).filter(({ id }) => id !== keys.admin.id);
    if (other) await revokeOperatorKey(db(), by, other.id);
    expect(errorOf(await revoke(keys.admin.id))).toBe(3006);
  });
});
