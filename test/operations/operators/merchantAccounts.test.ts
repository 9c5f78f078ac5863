/** Merchants in GraphQL operations of operators: lists, details and changes. */
import { testOperators } from '../../harness/merchant/operators';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi({ ownWorld: true });
const { keys, operate, newMerchant, lastEntry } = testOperators(api);
const db = () => api.database.db();

const ACCOUNT = `{ id environment name email phone status suspension_reason cost_rate cost_fixed linked_merchant_id
  balance customers_balance counts { customers cards transactions subscriptions webhooks } }`;

describe('merchantAccounts', () => {
  const find = async (args: string): Promise<{ id: string }[]> =>
    (await operate('read', `{ merchantAccounts(${args}) { nodes { id } } }`)).nodes;
  let ana: string;
  beforeAll(async () => {
    ana = (await newMerchant('Ana 100% Flores')).id;
    await db().merchant.update({ where: { id: ana }, data: { email: 'Flores@example.com' } });
  });

  it.each([
    ['a prefix of the name, ignoring letter case', 'ana 1'],
    ['a prefix of the e-mail address', 'flores@'],
  ])('finds merchants by %s', async (_, text) => expect(await find(`find: "${text}"`)).toEqual([{ id: ana }]));

  it('finds merchants by ID, and does not interpret wildcards', async () => {
    expect(await find(`find: "${ana}"`)).toEqual([{ id: ana }]);
    expect(await find('find: "ana%fl"')).toEqual([]);
    expect(await find('find: "_na"')).toEqual([]);
  });

  it('filters by environment and status', async () => {
    const { production } = api.merchants();
    expect(await find('environment: production')).toEqual([{ id: production.id }]);
    expect(await find('status: suspended')).toEqual([]);
  });

  it('continues after a cursor, without omitting or repeating a merchant', async () => {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { edges, pageInfo } = await operate(
        'read',
        `{ merchantAccounts(first: 1${after}) { edges { node { id } } pageInfo { hasNextPage endCursor } } }`,
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
    ['after: "x"', 1003],
    ['offset: 1', 1001],
    [`find: "${'x'.repeat(101)}"`, 1001],
  ])('refuses %s', async (args, code) =>
    expect(errorOf(await operate('read', `{ merchantAccounts(${args}) { nodes { id } } }`))).toBe(code),
  );
});

describe('merchantAccount', () => {
  it('returns costs, balances and the number of objects', async () => {
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

  it.each(['m0000000000000000000', 'x', ''])('fails with 1005 for %j', async id => {
    expect(errorOf(await operate('read', `{ merchantAccount(id: "${id}") { id } }`))).toBe(id ? 1005 : 1001);
  });
});

describe('suspendMerchant and resumeMerchant', () => {
  it("write to the merchant's audit log without the operator's address", async () => {
    const { id, private_key: key } = await newMerchant();
    await operate('support', `mutation { suspendMerchant(id: "${id}", reason: "Too many chargebacks") ${ACCOUNT} }`);
    const [filter, shown] = ['action: merchant_suspended', '{ actor address request_id }'];
    const auditLog = `{ auditLog(${filter}) { edges { node ${shown} } } }`;
    const node = { actor: 'operator', address: null, request_id: null };
    expect((await api.graphql(auditLog, {}, { key })).body.data).toEqual({
      auditLog: { edges: [{ node }] },
    });
    expect(await lastEntry()).toMatchObject({ address: expect.any(String), request_id: expect.any(String) });
  });

  it('set and lift a suspension with a reason once each, and write to the audit log', async () => {
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
    // The repeat succeeds, as after a lost response; a different reason is refused.
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

  it('changes the cost of later charges, and records the previous and new values', async () => {
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
  ])('refuses a cost of %s percent and %s', async (rate, fixed, code) => {
    const { id } = await newMerchant();
    expect(errorOf(await change(id, rate, fixed))).toBe(code);
    expect(await db().merchant.findUnique({ where: { id } })).toMatchObject({ cost_rate: 290, cost_fixed: 90000n });
  });

  it('fails with 1005 for an unknown merchant', async () =>
    expect(errorOf(await change('m0000000000000000000', 1, 1))).toBe(1005));
});
