/** A stolen session can neither pay out nor change the bank account: both require a recent private key. */
import { createSignInCode } from '../../../src/accounts/sessions/signInCodes';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testSessions } from '../../harness/merchant/sessions';
import { type ApiResponse, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { newSession, queryGraphql } = testSessions(api);
const db = () => api.database.db();
const ACCOUNT = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };

beforeAll(async () => {
  await api.rest('PUT', '', { body: { bank_account: ACCOUNT } });
  await shop.newCharge(await shop.newCard(), { amount: 1_000_000 });
  await shop.settle();
});

const PAY = 'mutation { createPayout(payout: { amount: 1000 }) { id } }';
const UPDATE = 'mutation ($merchant: UpdateMerchant!) { updateMerchant(merchant: $merchant) { id } }';
/** The problem of a GraphQL response, or "done". */
const outcome = ({ body }: ApiResponse): string => body.errors?.[0]?.extensions.problem ?? 'done';
const account = (number: string) => ({ merchant: { bank_account: { ...ACCOUNT, number } } });
const makeOlder = (id: string, minutes: number) =>
  db().session.update({ where: { id }, data: { creation_date: new Date(Date.now() - minutes * 60_000) } });

describe('a session of createSession', () => {
  it('pays out and changes the bank account only if its scope names the mutation', async () => {
    const all = await newSession({ scope: ['all'] });
    expect(outcome(await queryGraphql(all.token, PAY))).toBe('named_in_scope');
    expect(outcome(await queryGraphql(all.token, UPDATE, account('99912340001')))).toBe('named_in_scope');
    expect((await api.rest('GET', '')).body.pending_bank_account).toBeNull();
    const pays = await newSession({ scope: ['createPayout'] });
    expect(outcome(await queryGraphql(pays.token, PAY))).toBe('done');
    expect(outcome(await queryGraphql(pays.token, UPDATE, account('99912340002')))).toBe('session_scope');
    const updates = await newSession({ scope: ['updateMerchant'] });
    expect(outcome(await queryGraphql(updates.token, UPDATE, account('99912340003')))).toBe('done');
    expect(outcome(await queryGraphql(updates.token, PAY))).toBe('session_scope');
  });

  it('does so for 10 minutes', async () => {
    const { id, token } = await newSession({ scope: ['createPayout', 'updateMerchant'] });
    await makeOlder(id, 9);
    expect(outcome(await queryGraphql(token, PAY))).toBe('done');
    await makeOlder(id, 11);
    expect(outcome(await queryGraphql(token, PAY))).toBe('named_in_scope');
    expect(outcome(await queryGraphql(token, UPDATE, account('99912340004')))).toBe('named_in_scope');
  });

  it('changes the rest of the profile as before, also if it sends back the bank account', async () => {
    const { token } = await newSession({ scope: ['all'] });
    const { bank_account } = (await api.rest('GET', '')).body;
    const merchant = { bank_account, support_phone: '6017654321' };
    expect(outcome(await queryGraphql(token, UPDATE, { merchant }))).toBe('done');
    expect((await api.rest('GET', '')).body.support_phone).toBe('6017654321');
  });
});

describe('a session with a cookie', () => {
  const ownPage = () => ({ origin: api.origin(), 'sec-fetch-site': 'same-origin' });
  const post = (path: string, body: object, headers = {}) =>
    sendRequest(`${api.origin()}${path}`, 'POST', { headers: { ...ownPage(), ...headers }, body });
  /** Returns the headers with the new cookie. */
  const signIn = async (headers = {}, secret: object = { private_key: api.merchants().own.private_key }) => {
    const answer = await post('/session', { scope: 'all', ...secret }, headers);
    expect(answer.status).toBe(201);
    return { id: answer.body.id as string, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
  };
  const run = async ({ cookie }: { cookie: string }, query: string, variables: object = {}) =>
    outcome(await post('/graphql', { query, variables }, { cookie }));

  it('requires the private key again, for both, within 10 minutes', async () => {
    const first = await signIn();
    expect(await run(first, PAY)).toBe('private_key_again');
    expect(await run(first, UPDATE, account('99912340005'))).toBe('private_key_again');
    const { cookie } = first;
    const rest = await post(`/v1/${api.merchants().own.id}/payouts`, { amount: 1000 }, { cookie });
    expect([rest.status, rest.body.error_code]).toEqual([403, 1010]);
    const again = await signIn({ cookie });
    expect(await run(again, PAY)).toBe('done');
    expect(await run(again, UPDATE, account('99912340005'))).toBe('done');
    expect(await run(first, PAY)).toBe('private_key_again');
    await makeOlder(again.id, 11);
    expect(await run(again, PAY)).toBe('private_key_again');
    expect(await run(again, UPDATE, account('99912340006'))).toBe('private_key_again');
  });

  it('is not given this right by a sign-in link, a session that ended, or one of another merchant', async () => {
    const { own, other } = api.merchants();
    const { key_id } = await db().session.findFirstOrThrow({ where: { merchant_id: own.id } });
    const code = await createSignInCode(db(), api.secret, { merchant_id: own.id, key_id });
    const { cookie, id } = await signIn();
    expect(await run(await signIn({ cookie }, { code }), PAY)).toBe('private_key_again');
    await api.rest('DELETE', `/sessions/${id}`);
    expect(await run(await signIn({ cookie }), PAY)).toBe('private_key_again');
    const foreign = await signIn({}, { private_key: other.private_key });
    expect(await run(await signIn({ cookie: foreign.cookie }), PAY)).toBe('private_key_again');
  });
});
