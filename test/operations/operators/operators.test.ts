/** Which operations are for operators, with keys of which role, and how they get such keys. */

import { newKey } from '../../../src/accounts/merchants/keys';
import { apiSchema } from '../../../src/api/apiSchema';
import { createOperatorKey, revokeOperatorKey } from '../../../src/operations/operators/keys';
import { newId } from '../../../src/platform/identifiers';
import { until } from '../../harness/flow/until';
import { testOperators } from '../../harness/merchant/operators';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { keys, operate, as, lastEntry } = testOperators(api);
const db = () => api.database.db();

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
      operatorAuditLogConnection: 'read',
      liveRequests: 'read',
      liveRequestsConnection: 'read',
      settlementReports: 'read',
      settlementReportsConnection: 'read',
      settlementDifferences: 'read',
      holds: 'read',
      operations: 'read',
      suspendMerchant: 'support',
      resumeMerchant: 'support',
      holdBilling: 'support',
      releaseBilling: 'support',
      returnLiveRequest: 'support',
      refuseLiveRequest: 'support',
      approveLiveRequest: 'admin',
      changeMerchantCosts: 'admin',
      payMerchant: 'admin',
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
