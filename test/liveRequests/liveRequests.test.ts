/** A merchant of the sandbox asks to go live, an operator decides, and the merchant collects its keys. */
import { randomBytes } from 'node:crypto';
import { createVaultKeys } from '../../src/vault/keys';
import { rotate } from '../../src/vault/rotate';
import { unseal } from '../../src/vault/unseal';
import { eventually } from '../harness/flow/until';
import { business, REQUEST, testOperators } from '../harness/merchant/operators';
import { type ApiResponse, errorOf, sendRequest, testApi } from '../harness/servers/api';
import { vault } from '../harness/servers/secrets';

const api = testApi();
const { operate, as, newMerchant, requestLive, keys } = testOperators(api);
const db = () => api.database.db();
let productionOrigin: string;
beforeAll(async () => {
  productionOrigin = await api.startProduction();
});

const UPDATE = `mutation ($request: BusinessInput!) { updateLiveRequest(request: $request) ${REQUEST} }`;
const COLLECT = 'mutation { collectLiveKeys { merchant_id private_key public_key } }';
const approve = (id: string, headers = {}) =>
  operate('admin', `mutation { approveLiveRequest(id: "${id}") ${REQUEST} }`, {}, headers);
const decide = (how: 'return' | 'refuse', id: string, reason = 'Which bank?') =>
  operate('support', `mutation ($reason: String!) { ${how}LiveRequest(id: "${id}", reason: $reason) ${REQUEST} }`, {
    reason,
  });

/** A merchant whose request is submitted. */
const newRequest = async () => {
  const merchant = await newMerchant();
  const request = (await requestLive(merchant.private_key)).body.data.requestLive;
  return { ...merchant, request };
};
const actionsOf = async (merchant_id: string) =>
  (await db().auditEntry.findMany({ where: { merchant_id }, orderBy: { id: 'asc' } })).map(({ action }) => action);
const outboxOf = async (object_id: string) =>
  (await db().outbox.findMany({ where: { object_id }, orderBy: { id: 'asc' } })).map(({ kind }) => kind);

describe('requestLive', () => {
  it('keeps the business, shows of its bank account the end only, and answers the address of its page', async () => {
    const { id, request } = await newRequest();
    expect(request).toEqual({
      id: expect.stringMatching(/^l[a-z0-9]{19}$/),
      merchant_id: id,
      status: 'submitted',
      url: expect.stringMatching(`^${api.origin()}/live/y[a-z0-9]{19}$`),
      reason: null,
      submitted_at: expect.any(String),
      decided_at: null,
      production_merchant_id: null,
      keys_collected_at: null,
      business: {
        ...business,
        nit: '9001234568',
        representative: { ...business.representative, phone: '3001234567' },
        bank_account: { bank: 'Bancolombia', type: 'savings', number: 'XXXXXXX8901' },
        support_phone: '6011234567',
      },
    });
    expect(await actionsOf(id)).toEqual(['merchant.created', 'live_request.created']);
    expect(await outboxOf(request.id)).toEqual(['live_submitted_mail', 'live_operator_mail']);
  });

  it('seals the number of the bank account, which vault:rotate seals anew', async () => {
    const { id, request } = await newRequest();
    const read = () => db().liveRequest.findUniqueOrThrow({ where: { id: request.id } });
    const { account_sealed, ...row } = await read();
    expect(JSON.stringify(row)).not.toContain('2345678901');
    const purpose = { what: 'account', merchant_id: id, id: request.id } as const;
    expect(unseal(vault, account_sealed ?? new Uint8Array(), purpose)).toBe('12345678901');
    const second = ['second', randomBytes(32)] as const;
    const first = [...vault.unsealing].map(([name, { configured }]) => [name, configured] as const);
    const both = createVaultKeys(new Map([second, ...first]), vault.fingerprinting);
    await rotate(db(), both, () => undefined, new AbortController().signal);
    const onlySecond = createVaultKeys(new Map([second]), vault.fingerprinting);
    expect(unseal(onlySecond, (await read()).account_sealed ?? new Uint8Array(), purpose)).toBe('12345678901');
  });

  it('without data makes a draft, which nobody is told of', async () => {
    const { private_key } = await newMerchant();
    const { requestLive: draft } = (await requestLive(private_key, null)).body.data;
    expect(draft).toMatchObject({ status: 'draft', business: null, submitted_at: null });
    expect(await outboxOf(draft.id)).toEqual([]);
  });

  it('3006 for a second one, also at once; a repeat with the same Idempotency-Key gets the first', async () => {
    const { id, private_key } = await newMerchant();
    const headers = { 'idempotency-key': 'live-1' };
    const first = await requestLive(private_key, business, headers);
    expect((await requestLive(private_key, business, headers)).text).toBe(first.text);
    expect(errorOf(await requestLive(private_key))).toBe(3006);
    expect(errorOf(await requestLive(private_key, null))).toBe(3006);
    const other = await newMerchant();
    const answers = await Promise.all(Array.from({ length: 10 }, () => requestLive(other.private_key)));
    expect(answers.filter(answer => errorOf(answer) === undefined)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 3006)).toHaveLength(9);
    expect(await db().liveRequest.count({ where: { merchant_id: { in: [id, other.id] } } })).toBe(2);
  });

  it.each<[string, object, number]>([
    ['nit', { nit: '900123456-7' }, 1003],
    ['nit', { nit: '12' }, 1001],
    ['nit', { nit: '' }, 1001],
    ['website', { website: 'tienda' }, 1003],
    ['website', { website: 'javascript:alert(1)' }, 1003],
    ['legal_name', { legal_name: ' ' }, 1001],
    ['legal_name', { legal_name: 'x'.repeat(151) }, 1001],
    ['support_email', { support_email: 'nobody' }, 1001],
    ['support_phone', { support_phone: '12' }, 1001],
    ['representative.phone', { representative: { ...business.representative, phone: 'call me' } }, 1001],
    ['representative.document', { representative: { ...business.representative, document: '1' } }, 1001],
    ['representative.email', { representative: { ...business.representative, email: 'x' } }, 1001],
    ['bank_account.number', { bank_account: { ...business.bank_account, number: '12345' } }, 1003],
    ['bank_account.number', { bank_account: { ...business.bank_account, number: 'XXXXXXX8901' } }, 1003],
    ['expected_monthly_volume', { expected_monthly_volume: 0 }, 1003],
    ['expected_monthly_volume', { expected_monthly_volume: '50.000.000' }, 1001],
    ['legal_name', { legal_name: 'Tienda 4111 1111 1111 1111' }, 1003],
  ])('refuses a wrong %s and writes nothing: %j', async (field, wrong, code) => {
    const { id, private_key } = await newMerchant();
    const answer = await requestLive(private_key, { ...business, ...wrong });
    expect([errorOf(answer), answer.body.errors[0].extensions.field]).toEqual([code, expect.stringContaining(field)]);
    expect(await db().liveRequest.count({ where: { merchant_id: id } })).toBe(0);
  });

  it('names everything that is wrong', async () => {
    const { private_key } = await newMerchant();
    const answer = await requestLive(private_key, {
      ...business,
      nit: '900123456-7',
      website: 'x',
      support_phone: '1',
    });
    const { fields } = answer.body.errors[0].extensions;
    expect(fields.map(({ field }: { field: string }) => field).sort()).toEqual(['nit', 'support_phone', 'website']);
  });

  it('1005 in production, 1010 with the public key and with one that may only read', async () => {
    const { production, own } = api.merchants();
    const body = { query: 'mutation { requestLive { id } }' };
    const inProduction = await sendRequest(`${productionOrigin}/graphql`, 'POST', {
      key: production.private_key,
      body,
    });
    expect(errorOf(inProduction)).toBe(1005);
    expect(errorOf(await api.graphql(body.query, {}, { key: own.public_key }))).toBe(1010);
    const merchant = await newRequest();
    await db().apiKey.updateMany({ where: { merchant_id: merchant.id, kind: 'private' }, data: { read_only: true } });
    const readOnly = (document: string) => as(merchant.private_key, document);
    await eventually(async () => expect(errorOf(await readOnly('mutation { requestLive { id } }'))).toBe(1010));
    expect(await readOnly('{ liveRequest { status url } }')).toEqual({ status: 'submitted', url: null });
  });
});

describe('updateLiveRequest', () => {
  it('completes a draft and a returned request, and keeps a bank account that is sent as it is shown', async () => {
    const { id, private_key } = await newMerchant();
    const { id: requestId } = (await requestLive(private_key, null)).body.data.requestLive;
    expect(await as(private_key, UPDATE, { request: business })).toMatchObject({ id: requestId, status: 'submitted' });
    expect(errorOf(await as(private_key, UPDATE, { request: business }))).toBe(3006);
    expect(await decide('return', requestId)).toMatchObject({ status: 'returned', reason: 'Which bank?', url: null });
    expect(await as(private_key, '{ liveRequest { status reason } }')).toEqual({
      status: 'returned',
      reason: 'Which bank?',
    });
    const sealed = async () => (await db().liveRequest.findUniqueOrThrow({ where: { id: requestId } })).account_sealed;
    const before = await sealed();
    const bank_account = { bank: 'Davivienda', type: 'checking', number: 'XXXXXXX8901' };
    expect(await as(private_key, UPDATE, { request: { ...business, bank_account } })).toMatchObject({
      status: 'submitted',
      reason: null,
      business: { bank_account },
    });
    expect(await sealed()).toEqual(before);
    expect(await actionsOf(id)).toEqual([
      'merchant.created',
      'live_request.created',
      'live_request.changed',
      'live_request.returned',
      'live_request.changed',
    ]);
  });

  it('1005 without a request', async () => {
    const { private_key } = await newMerchant();
    expect(errorOf(await as(private_key, UPDATE, { request: business }))).toBe(1005);
    expect(errorOf(await as(private_key, '{ liveRequest { id } }'))).toBe(1005);
    expect(errorOf(await as(private_key, COLLECT))).toBe(1005);
  });
});

describe('liveRequests', () => {
  it('lists requests by status, without the address of their pages, by offset and by cursor', async () => {
    const { request } = await newRequest();
    const [newest] = await operate('read', `{ liveRequests(status: submitted, limit: 1) ${REQUEST} }`);
    expect(newest).toEqual({ ...request, url: null });
    const { edges } = await operate('read', `{ liveRequestsConnection(first: 1) { edges { node { id } } } }`);
    expect(edges).toEqual([{ node: { id: request.id } }]);
  });
});

describe('approveLiveRequest', () => {
  it('opens one merchant of production with the profile of the sandbox, however many approve at once', async () => {
    const { id, request } = await newRequest();
    await db().merchant.update({ where: { id }, data: { cost_rate: 0, clock_offset: 77 } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => approve(request.id)));
    const done = answers.filter(answer => answer.id);
    expect([done.length, answers.filter(answer => errorOf(answer as ApiResponse) === 3006).length]).toEqual([1, 19]);
    const opened = await db().merchant.findMany({ where: { opened_by: { merchant_id: id } } });
    expect(opened).toMatchObject([
      {
        id: done[0].production_merchant_id,
        environment: 'production',
        name: 'Tienda',
        email: 'tienda@example.com',
        phone: '6011234567',
        status: 'active',
        cost_rate: 290,
        cost_fixed: 90000n,
        clock_offset: 0,
      },
    ]);
    expect(await db().apiKey.count({ where: { merchant_id: opened[0]?.id ?? '' } })).toBe(0);
    expect(await actionsOf(id)).toEqual(['merchant.created', 'live_request.created', 'live_request.approved']);
    expect(await actionsOf(opened[0]?.id ?? '')).toEqual(['merchant.created']);
    expect((await outboxOf(request.id)).filter(kind => kind === 'live_approved_mail')).toHaveLength(1);
    const link = (which: string) => operate('read', `{ merchantAccount(id: "${which}") { linked_merchant_id } }`);
    expect(await link(id)).toEqual({ linked_merchant_id: opened[0]?.id });
    expect(await link(opened[0]?.id ?? '')).toEqual({ linked_merchant_id: id });
  });

  it('3006 for a draft, after a refusal, and while the merchant is suspended; 1005 for an unknown request', async () => {
    const draft = (await requestLive((await newMerchant()).private_key, null)).body.data.requestLive;
    expect(errorOf(await approve(draft.id))).toBe(3006);
    expect(errorOf(await decide('return', draft.id))).toBe(3006);
    expect(errorOf(await decide('refuse', draft.id))).toBe(3006);
    const refused = await newRequest();
    await decide('refuse', refused.request.id);
    expect(errorOf(await approve(refused.request.id))).toBe(3006);
    const suspended = await newRequest();
    await db().merchant.update({ where: { id: suspended.id }, data: { status: 'suspended' } });
    expect(errorOf(await approve(suspended.request.id))).toBe(3006);
    expect(errorOf(await approve('l0000000000000000000'))).toBe(1005);
    expect(errorOf(await decide('refuse', 'l0000000000000000000'))).toBe(1005);
    expect(errorOf(await decide('refuse', suspended.request.id, ' '))).toBe(1001);
    expect(await db().merchant.count({ where: { opened_by: { merchant_id: suspended.id } } })).toBe(0);
  });

  it('a repeat after a crash finds that it was itself that approved', async () => {
    const { request } = await newRequest();
    const headers = { 'idempotency-key': 'approve-1' };
    const first = await approve(request.id, headers);
    await db().idempotentReply.updateMany({
      where: { key: 'approve-1' },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect(await approve(request.id, headers)).toEqual(first);
  });
});

describe('refuseLiveRequest', () => {
  it('leaves the merchant free to ask again', async () => {
    const { id, private_key, request } = await newRequest();
    expect(await decide('refuse', request.id, 'No')).toMatchObject({ status: 'refused', reason: 'No' });
    expect(errorOf(await as(private_key, UPDATE, { request: business }))).toBe(3006);
    const again = (await requestLive(private_key)).body.data.requestLive;
    expect(again.status).toBe('submitted');
    expect(await as(private_key, '{ liveRequest { id } }')).toEqual({ id: again.id });
    expect(await db().liveRequest.count({ where: { merchant_id: id } })).toBe(2);
  });
});

describe('collectLiveKeys', () => {
  const newApproval = async () => {
    const { id, private_key, request } = await newRequest();
    const { production_merchant_id } = await approve(request.id);
    return { id, private_key, production: production_merchant_id as string };
  };

  it('makes and shows the keys of production once, of which the database holds hashes only', async () => {
    const { private_key, production } = await newApproval();
    const collected = await as(private_key, COLLECT);
    expect(collected).toEqual({
      merchant_id: production,
      private_key: expect.stringMatching(/^sk_[0-9a-f]{32}$/),
      public_key: expect.stringMatching(/^pk_[0-9a-f]{32}$/),
    });
    const answer = await sendRequest(`${productionOrigin}/v1/${production}`, 'GET', { key: collected.private_key });
    expect(answer).toMatchObject({ status: 200, body: { id: production, name: 'Tienda' } });
    expect(errorOf(await as(private_key, COLLECT))).toBe(3006);
    expect(await as(private_key, '{ liveRequest { keys_collected_at } }')).toEqual({
      keys_collected_at: expect.any(String),
    });
    expect(await actionsOf(production)).toEqual(['merchant.created', 'key.created', 'key.created']);
    expect(errorOf(await requestLive(private_key))).toBe(3006);
  });

  it('20 at once: one gets them', async () => {
    const { private_key, production } = await newApproval();
    const answers = await Promise.all(Array.from({ length: 20 }, () => as(private_key, COLLECT)));
    expect(answers.filter(answer => answer.private_key)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 3006)).toHaveLength(19);
    expect(await db().apiKey.count({ where: { merchant_id: production } })).toBe(2);
  });

  it('a repeat with the same Idempotency-Key gets the same keys, which the kept answer holds sealed', async () => {
    const { private_key } = await newApproval();
    const headers = { 'idempotency-key': 'collect-1' };
    const collected = await as(private_key, COLLECT, {}, headers);
    expect(await as(private_key, COLLECT, {}, headers)).toEqual(collected);
    const { body } = await db().idempotentReply.findFirstOrThrow({ where: { key: 'collect-1' } });
    expect(body).not.toContain(collected.private_key);
    expect(body).not.toContain(collected.public_key);
    // As after a crash before the answer was kept.
    await db().idempotentReply.updateMany({
      where: { key: 'collect-1' },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect(await as(private_key, COLLECT, {}, headers)).toEqual(collected);
  });

  it('3006 before the approval, and 1010 for operators and public keys', async () => {
    const { private_key, public_key } = await newRequest();
    expect(errorOf(await as(private_key, COLLECT))).toBe(3006);
    expect(errorOf(await as(public_key, COLLECT))).toBe(1010);
    expect(errorOf(await as(keys.admin.key, COLLECT))).toBe(1010);
  });
});
