/** Operators approve or refuse requests to go live; an approved merchant collects its production keys. */
import { COLLECT, testLiveRequests, UPDATE } from '../../harness/merchant/liveRequests';
import { business, REQUEST } from '../../harness/merchant/operators';
import { type ApiResponse, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { operate, runAs, newMerchant, requestLive, keys, approve, decide, newRequest, actionsOf, outboxOf } =
  testLiveRequests(api);
const db = () => api.database.db();

describe('liveRequests', () => {
  it('lists requests by status with offset or cursor, and hides the secret address of their pages', async () => {
    const { request } = await newRequest();
    const { nodes } = await operate('read', `{ liveRequests(status: submitted, first: 1) { nodes ${REQUEST} } }`);
    const [newest] = nodes;
    expect(newest).toEqual({ ...request, url: null });
    const { edges } = await operate('read', `{ liveRequests(first: 1) { edges { node { id } } } }`);
    expect(edges).toEqual([{ node: { id: request.id } }]);
  });
});

describe('approveLiveRequest', () => {
  it('creates one production merchant with the profile of the sandbox merchant, even for concurrent approvals', async () => {
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

  it('fails with 3006 for a draft, a refused request or a suspended merchant, and with 1005 for an unknown request', async () => {
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

  it('repeated after a crash, recognizes the approval that it had already written', async () => {
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
  it('allows the merchant to submit a new request', async () => {
    const { id, private_key, request } = await newRequest();
    expect(await decide('refuse', request.id, 'No')).toMatchObject({ status: 'refused', reason: 'No' });
    expect(errorOf(await runAs(private_key, UPDATE, { request: business }))).toBe(3006);
    const again = (await requestLive(private_key)).body.data.requestLive;
    expect(again.status).toBe('submitted');
    expect(await runAs(private_key, '{ liveRequest { id } }')).toEqual({ id: again.id });
    expect(await db().liveRequest.count({ where: { merchant_id: id } })).toBe(2);
  });
});

describe('collectLiveKeys', () => {
  const newApproval = async () => {
    const { id, private_key, request } = await newRequest();
    const { production_merchant_id } = await approve(request.id);
    return { id, private_key, production: production_merchant_id as string };
  };

  it('creates and shows the production keys once; the database stores only their hashes', async () => {
    const { private_key, production } = await newApproval();
    const collected = await runAs(private_key, COLLECT);
    expect(collected).toEqual({
      merchant_id: production,
      private_key: expect.stringMatching(/^sk_[0-9a-f]{32}$/),
      public_key: expect.stringMatching(/^pk_[0-9a-f]{32}$/),
    });
    const origin = await api.startProduction();
    const answer = await sendRequest(`${origin}/v1/${production}`, 'GET', { key: collected.private_key });
    expect(answer).toMatchObject({ status: 200, body: { id: production, name: 'Tienda' } });
    expect(errorOf(await runAs(private_key, COLLECT))).toBe(3006);
    expect(await runAs(private_key, '{ liveRequest { keys_collected_at } }')).toEqual({
      keys_collected_at: expect.any(String),
    });
    expect(await actionsOf(production)).toEqual(['merchant.created', 'key.created', 'key.created']);
    expect(errorOf(await requestLive(private_key))).toBe(3006);
  });

  it('called 20 times at once, returns the keys to one caller', async () => {
    const { private_key, production } = await newApproval();
    const answers = await Promise.all(Array.from({ length: 20 }, () => runAs(private_key, COLLECT)));
    expect(answers.filter(answer => answer.private_key)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 3006)).toHaveLength(19);
    expect(await db().apiKey.count({ where: { merchant_id: production } })).toBe(2);
  });

  it('repeated with the same Idempotency-Key, returns the same keys from the encrypted stored response', async () => {
    const { private_key } = await newApproval();
    const headers = { 'idempotency-key': 'collect-1' };
    const collected = await runAs(private_key, COLLECT, {}, headers);
    expect(await runAs(private_key, COLLECT, {}, headers)).toEqual(collected);
    const { body } = await db().idempotentReply.findFirstOrThrow({ where: { key: 'collect-1' } });
    expect(body).not.toContain(collected.private_key);
    expect(body).not.toContain(collected.public_key);
    // The state after a crash before the response was stored.
    await db().idempotentReply.updateMany({
      where: { key: 'collect-1' },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect(await runAs(private_key, COLLECT, {}, headers)).toEqual(collected);
  });

  it('fails with 3006 before the approval, and with 1010 for operators and public keys', async () => {
    const { private_key, public_key } = await newRequest();
    expect(errorOf(await runAs(private_key, COLLECT))).toBe(3006);
    expect(errorOf(await runAs(public_key, COLLECT))).toBe(1010);
    expect(errorOf(await api.graphql(COLLECT, {}, { key: keys.admin.key }))).toBe(1010);
  });
});
