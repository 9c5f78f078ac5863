/** Operations that the public key can call. Those it cannot call are in test/schema/permissions.test.ts. */
import { visa } from '../harness/cards/testCards';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { errorOf, type RequestOptions, sendRequest, testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const withPublicKey = (options: RequestOptions = {}) => ({ key: api.merchants().own.public_key, ...options });

describe('tokens', () => {
  it('can be used only by the merchant that created them', async () => {
    const { id, private_key: key } = api.merchants().other;
    const other = await sendRequest(`${api.origin()}/v1/${id}/tokens`, 'POST', { key, body: visa });
    const own = await shop.newToken();
    const read = (token: string) => api.rest('GET', `/tokens/${token}`, withPublicKey());
    expect((await read(own)).status).toBe(200);
    expect((await read(other.body.id)).status).toBe(404);
    const query = 'query($id: ID!) { token(token_id: $id) { id } }';
    const ask = (token: string) => api.graphql('', {}, withPublicKey({ body: { query, variables: { id: token } } }));
    expect((await ask(own)).body.data.token.id).toBe(own);
    expect(errorOf(await ask(other.body.id))).toBe(1005);
  });

  it.each(['REST', 'GraphQL'])('an Idempotency-Key in %s is separate from the same key of a private key', async way => {
    const headers = { 'idempotency-key': `shared-${way}` };
    const mutation = 'mutation($t: CreateToken!) { createToken(token: $t) { id } }';
    const create = async (key: string, card = visa) => {
      const answer =
        way === 'REST'
          ? await api.rest('POST', '/tokens', { key, headers, body: card })
          : await api.graphql('', {}, { key, headers, body: { query: mutation, variables: { t: card } } });
      return { error: errorOf(answer), text: answer.text, replayed: answer.headers.get('idempotent-replayed') };
    };
    const { public_key, private_key } = api.merchants().own;
    const first = await create(public_key);
    expect([first.error, first.replayed]).toEqual([undefined, null]);
    expect(await create(public_key)).toEqual({ ...first, replayed: 'true' });
    // Each key uses its own Idempotency-Keys: another card is accepted, and the same card is not a repeat.
    const card = { ...visa, holder_name: 'Ana' };
    const privately = await create(private_key, card);
    expect([privately.error, privately.replayed]).toEqual([undefined, null]);
    expect(await create(private_key, card)).toEqual({ ...privately, replayed: 'true' });
    expect((await create(public_key, card)).error).toBe(1003);
    expect(await create(public_key)).toEqual({ ...first, replayed: 'true' });
  });
});
