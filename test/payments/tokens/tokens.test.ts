import { sweepActivities } from '../../../src/operations/background/sweep';
import { canary } from '../../harness/cards/canaries';
import { masked, shownVisa, visa } from '../../harness/cards/testCards';
import { abandonCharge } from '../../harness/merchant/abandonCharge';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { type ApiResponse, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const create = (body: object = visa, options: object = {}): Promise<ApiResponse> =>
  api.rest('POST', '/tokens', { body, ...options });
const newToken = async (body: object = visa): Promise<string> => (await create(body)).body.id;
const save = (token_id: string, path = '/cards', headers = {}): Promise<ApiResponse> =>
  api.rest('POST', path, { body: { token_id, device_session_id: 'device' }, headers });
const findRow = (id: string) => api.database.db().token.findUnique({ where: { id } });

describe('POST /tokens', () => {
  it.each(['private_key', 'public_key'] as const)('creates a token with the %s', async kind => {
    const address = { city: 'Cali', department: 'Valle', zip: '760001' };
    const { status, body, headers } = await create({ ...visa, address }, { key: api.merchants().own[kind] });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^k[a-z0-9]{19}$/),
      card: {
        ...shownVisa,
        address: { city: 'Cali', department: 'Valle' },
      },
    });
    expect(headers.get('location')).toBe(`/v1/${api.merchants().own.id}/tokens/${body.id}`);
    const read = await api.rest('GET', `/tokens/${body.id}`, { key: api.merchants().own[kind] });
    expect([read.status, read.body]).toEqual([200, body]);
  });

  it('keeps every line of an address, also on the card that is saved from the token', async () => {
    const lines = { line1: 'Calle 5 # 38-25', line2: 'Torre 2, apto 301', line3: 'San Fernando' };
    const address = { ...lines, city: 'Cali', state: 'Valle', postal_code: '760042', country_code: 'CO' };
    const { body } = await create({ ...visa, address: { ...address, postal_code: 760042 } });
    expect(body.card.address).toEqual(address);
    expect((await api.rest('GET', `/tokens/${body.id}`)).body.card.address).toEqual(address);
    expect((await save(body.id)).body.address).toEqual(address);
    expect((await api.rest('GET', `/cards/${body.id}`)).body.address).toEqual(address);
  });

  it.each([
    ['no card number', { card_number: undefined }, 1001],
    ['an address that is a string', { address: 'Cali' }, 1001],
    ['an address line that is too long', { address: { line2: 'x'.repeat(256) } }, 1001],
    ['no cvv2', { cvv2: undefined }, 2006],
    ['a wrong check digit', { card_number: '4929381533287741' }, 2004],
    ['an expiration in the past', { expiration_year: '20' }, 2005],
    ['a cvv2 of four digits', { cvv2: '1234' }, 2009],
  ])('refuses %s', async (_, change, code) => {
    expect(errorOf(await create({ ...visa, ...change }))).toBe(code);
  });

  it('does not call the acquirer: a number that the acquirer declines is declined when the token is used', async () => {
    const before = api.acquirer.journal().length;
    const id = await newToken({ ...visa, card_number: '4222222222222220' });
    expect(api.acquirer.journal().length).toBe(before);
    expect(errorOf(await save(id))).toBe(3001);
    // The declined token is used up, and its secrets are deleted.
    expect(errorOf(await save(id))).toBe(1003);
    expect(await findRow(id)).toMatchObject({ number_sealed: null, cvv2_sealed: null, fingerprint: null });
  });

  it('returns the same token to a repeated request', async () => {
    const options = { headers: { 'idempotency-key': 'token' } };
    expect((await create(visa, options)).text).toBe((await create(visa, options)).text);
    expect(errorOf(await create({ ...visa, holder_name: 'Ana' }, options))).toBe(1003);
  });
});

describe('POST /tokens from a browser', () => {
  const browser = { origin: 'https://shop.example' };

  it('is allowed by the preflight request only on /tokens', async () => {
    const { own } = api.merchants();
    const preflight = (path: string) =>
      sendRequest(`${api.origin()}/v1/${own.id}${path}`, 'OPTIONS', {
        headers: {
          ...browser,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      });
    for (const path of ['/tokens', '/tokens/k0000000000000000000']) {
      const { status, headers } = await preflight(path);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
    }
    for (const path of ['/cards', '/customers', '/tokensx', '']) {
      const { status, headers } = await preflight(path);
      expect([path, status >= 400, headers.get('access-control-allow-origin')]).toEqual([path, true, null]);
    }
  });

  it('creates a token with the public key and can read the response, including errors', async () => {
    const key = api.merchants().own.public_key;
    const good = await create(visa, { key, headers: browser });
    const bad = await create({}, { key, headers: browser });
    const unknown = await create(visa, { key: `pk_${'0'.repeat(32)}`, headers: browser });
    expect([good, bad, unknown].map(({ status }) => status)).toEqual([201, 400, 401]);
    const huge = await create({ ...visa, holder_name: 'x'.repeat(300_000) }, { key, headers: browser });
    for (const { headers } of [good, bad, unknown, huge]) expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('fails with 1010 for the private key', async () => {
    expect(errorOf(await create(visa, { headers: browser }))).toBe(1010);
    const id = await newToken();
    expect(errorOf(await api.rest('GET', `/tokens/${id}`, { headers: browser }))).toBe(1010);
  });
});

describe('POST …/cards with token_id', () => {
  it('saves the card under the ID of the token and removes the number from the token', async () => {
    const id = await newToken({ ...visa, address: { city: 'Cali' } });
    const { status, body } = await save(id);
    expect([status, body.id, body.card_number]).toEqual([201, id, masked(canary.visa)]);
    expect(body).toMatchObject({ address: { city: 'Cali' }, customer_id: null, bank_name: null });
    expect(await findRow(id)).toMatchObject({ number_sealed: null, cvv2_sealed: null, used_at: expect.any(Date) });
    expect(api.acquirer.journal().at(-1)).toMatchObject({ operation: 'verify', outcome: 'approved' });
    expect((await api.rest('GET', `/tokens/${id}`)).body.id).toBe(id);
  });

  it('fails with 1001 without device_session_id, and with 1003 for an unknown, used, expired or foreign token', async () => {
    const id = await newToken();
    expect(errorOf(await api.rest('POST', '/cards', { body: { token_id: id } }))).toBe(1001);
    expect(errorOf(await save('k0000000000000000000'))).toBe(1003);
    expect(errorOf(await save('x'.repeat(45)))).toBe(1003);
    expect(errorOf(await save('x'.repeat(46)))).toBe(1001);
    const { other } = api.merchants();
    const foreign = await sendRequest(`${api.origin()}/v1/${other.id}/tokens`, 'POST', {
      key: other.private_key,
      body: visa,
    });
    expect(errorOf(await save(foreign.body.id))).toBe(1003);
    expect((await save(id)).status).toBe(201);
    expect(errorOf(await save(id))).toBe(1003);
    const expired = await newToken();
    await api.database
      .db()
      .token.update({ where: { id: expired }, data: { creation_date: new Date(Date.now() - 86_400_000) } });
    expect(errorOf(await save(expired))).toBe(1003);
    expect(errorOf(await api.rest('GET', `/tokens/${expired}`))).toBe(1005);
  });

  it('saves one card for fifty concurrent requests with one acquirer call; the remaining requests fail with 1003', async () => {
    const id = await newToken();
    const before = api.acquirer.journal().length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => save(id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 1003)).toHaveLength(49);
    expect(api.acquirer.journal().length).toBe(before + 1);
  });

  it('fails with 2002 if the customer already has the card, and does not use up the token', async () => {
    const customer = await api.rest('POST', '/customers', { body: { name: 'María', email: 'maria@example.com' } });
    const path = `/customers/${customer.body.id}/cards`;
    await api.rest('POST', path, { body: visa });
    const id = await newToken();
    expect(errorOf(await save(id, path))).toBe(2002);
    expect((await save(id)).status).toBe(201);
  });

  it('saves one card for twenty concurrent tokens of one number; the other tokens stay valid', async () => {
    const customer = await api.rest('POST', '/customers', { body: { name: 'María', email: 'maria@example.com' } });
    const tokens = await Promise.all(Array.from({ length: 20 }, () => newToken()));
    const answers = await Promise.all(tokens.map(id => save(id, `/customers/${customer.body.id}/cards`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const unusedTokens = tokens.filter((_, i) => errorOf(answers[i] as ApiResponse) === 2002);
    expect(unusedTokens).toHaveLength(19);
    expect((await save(unusedTokens[0] ?? '')).status).toBe(201);
  });

  it('fails with 1003 for a repeated request whose card and secrets have been deleted since', async () => {
    const [id, headers] = [await newToken(), { 'idempotency-key': 'swept' }];
    const first = await save(id, '/cards', headers);
    await api.database.db().card.delete({ where: { id } });
    await api.database.db().idempotentReply.updateMany({
      where: { key: 'swept' },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect([first.status, errorOf(await save(id, '/cards', headers))]).toEqual([201, 1003]);
  });

  it('returns the same response to a repeat if the process died after the card was saved or declined', async () => {
    const deleteStoredReply = (key: string) =>
      api.database.db().idempotentReply.updateMany({
        where: { key },
        data: { status: null, body: null, lease_until: new Date(0) },
      });
    const headers = { 'idempotency-key': 'made' };
    const id = await newToken();
    const first = await save(id, '/cards', headers);
    await deleteStoredReply('made');
    expect((await save(id, '/cards', headers)).text).toBe(first.text);
    const declined = await newToken({ ...visa, card_number: '4000000000000119' });
    const again = { 'idempotency-key': 'declined' };
    expect(errorOf(await save(declined, '/cards', again))).toBe(3004);
    await deleteStoredReply('declined');
    expect(errorOf(await save(declined, '/cards', again))).toBe(3004);
  });
});

describe('the sweep', () => {
  it('deletes tokens after a day, and secrets of used tokens and unused cvv2 after an hour', async () => {
    const db = api.database.db();
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const [fresh, expired, unfinished] = [await newToken(), await newToken(), await newToken()];
    // The charge of this token has no outcome yet, and if it fails, the token can be used again.
    const open = await newToken();
    const charge = await abandonCharge(db, await shop.newCharge(await shop.newCard()));
    await db.token.update({ where: { id: open }, data: { used_at: hoursAgo(1.1), used_by: charge } });
    await db.token.update({ where: { id: expired }, data: { creation_date: hoursAgo(24.1) } });
    await db.token.update({ where: { id: unfinished }, data: { used_at: hoursAgo(1.1), used_by: 'nobody' } });
    const { body: card } = await api.rest('POST', '/cards', { body: visa });
    await api.rest('PUT', `/cards/${card.id}`, { body: { cvv2: '123' } });
    await db.card.update({ where: { id: card.id }, data: { cvv2_date: hoursAgo(1.1) } });
    const { body: recent } = await api.rest('POST', '/cards', { body: visa });
    await api.rest('PUT', `/cards/${recent.id}`, { body: { cvv2: '123' } });
    await db.card.update({ where: { id: recent.id }, data: { cvv2_date: hoursAgo(0.9) } });
    await sweepActivities(db, api.temporal()).sweepExpired();
    expect(await findRow(expired)).toBeNull();
    expect(await findRow(unfinished)).toMatchObject({ number_sealed: null, cvv2_sealed: null });
    for (const id of [fresh, open]) expect((await findRow(id))?.number_sealed).not.toBeNull();
    expect(await db.card.findUnique({ where: { id: card.id } })).toMatchObject({ cvv2_sealed: null, status: 'active' });
    expect((await db.card.findUnique({ where: { id: recent.id } }))?.cvv2_sealed).not.toBeNull();
  });
});

describe('GraphQL', () => {
  it('creates and returns tokens with the public key, and allows nothing else', async () => {
    const key = api.merchants().own.public_key;
    const query = 'mutation($t: CreateToken!) { createToken(token: $t) { id card { card_number brand } } }';
    const { body } = await api.graphql(query, { t: visa }, { key });
    expect(body.data.createToken.card).toEqual({ card_number: masked(canary.visa), brand: 'visa' });
    const shown = await api.graphql(`{ token(token_id: "${body.data.createToken.id}") { id } }`, {}, { key });
    expect(shown.body.data.token).toEqual({ id: body.data.createToken.id });
    expect(errorOf(await api.graphql('{ cards { nodes { id } } }', {}, { key }))).toBe(1010);
    const withIdempotencyKey = { key, headers: { 'idempotency-key': 'browser' } };
    const [first, repeated] = [
      await api.graphql(query, { t: visa }, withIdempotencyKey),
      await api.graphql(query, { t: visa }, withIdempotencyKey),
    ];
    expect([first.status, repeated.text]).toEqual([200, first.text]);
    const create = 'mutation { createCustomer(customer: { name: "x", email: "x@y.co" }) { id } }';
    expect(errorOf(await api.graphql(create, {}, withIdempotencyKey))).toBe(1010);
  });
});
