import { payer as maria } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const create = async (fields: object = {}) =>
  (await api.rest('POST', '/customers', { body: { ...maria, ...fields } })).body;

const NOT_PHONE =
  'phone_number must be a phone number: 5 to 25 digits, spaces, plus or minus signs, dots and parentheses';

describe('POST /customers', () => {
  it('responds 201 with the customer, its Location and its Resource-Id', async () => {
    const customer_address = { department: 'Antioquia', city: 'Medellín', additional: 'Carrera 43A # 1-50' };
    const full = {
      ...maria,
      last_name: 'Gómez',
      phone_number: '3001234567',
      external_id: 'client-1',
      customer_address,
    };
    const { status, body, headers } = await api.rest('POST', '/customers', { body: full });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^a[a-z0-9]{19}$/),
      creation_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-05:00$/),
      ...full,
      status: 'active',
      requires_account: true,
      balance: 0,
      address: null,
      clabe: null,
    });
    expect(headers.get('location')).toBe(`/v1/${api.merchants().own.id}/customers/${body.id}`);
    expect(headers.get('resource-id')).toBe(body.id);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await api.rest('GET', `/customers/${body.id}/`)).body).toEqual(body);
  });

  it('tolerates unknown fields, null for omitted fields, digits as numbers, and booleans as words', async () => {
    const fields = {
      last_name: null,
      external_id: 4711,
      phone_number: 3001234567,
      requires_account: 'False',
      status: 'deleted',
    };
    const body = await create({ ...fields, customer_address: { city: 'Cali', zip: '760001' } });
    expect(body).toMatchObject({ last_name: null, external_id: '4711', phone_number: '3001234567', status: 'active' });
    expect(body.customer_address).toEqual({ city: 'Cali' });
    expect(body.requires_account).toBe(false);
    const answer = await api.graphql('query($id: ID!) { customer(customer_id: $id) { requires_account } }', body);
    expect(answer.body.data.customer).toEqual({ requires_account: false });
  });

  it('creates an account if requires_account is null, also over GraphQL', async () => {
    const { id } = await create({ requires_account: null });
    const answer = await api.graphql(
      'mutation { createCustomer(customer: { name: "María", email: "maria@example.com", requires_account: null }) { id } }',
    );
    for (const customer_id of [id, answer.body.data.createCustomer.id])
      expect(await api.database.db().customer.findUnique({ where: { id: customer_id } })).toMatchObject({
        requires_account: true,
      });
  });

  it.each([
    ['no name', { name: undefined }, 'name is required'],
    ['null as name', { name: null }, 'name is required'],
    ['an empty name', { name: ' ' }, 'name must not be empty'],
    ['a name of invisible characters', { name: '\u200b' }, 'name must not be empty'],
    ['a number as name', { name: 7 }, 'name has an invalid format'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name must have at most 100 characters'],
    ['a last_name of 101 characters', { last_name: 'x'.repeat(101) }, 'last_name must have at most 100 characters'],
    [
      'a phone_number of 26 characters',
      { phone_number: '1'.repeat(26) },
      'phone_number must have at most 25 characters',
    ],
    ['a phone_number of 4 digits', { phone_number: '1234' }, NOT_PHONE],
    ['a phone_number with letters', { phone_number: '300 123 4567 ext. 4' }, NOT_PHONE],
    [
      'an external_id of 101 characters',
      { external_id: 'x'.repeat(101) },
      'external_id must have at most 100 characters',
    ],
    ['no e-mail', { email: undefined }, 'email is required'],
    ['an invalid e-mail', { email: 'maria' }, 'email must be an e-mail address'],
    ['a NUL', { name: 'a\0b' }, 'name contains characters that are not allowed'],
    ['half a surrogate pair', { name: 'a\ud800' }, 'name contains characters that are not allowed'],
    ['an address that is a string', { customer_address: 'Cali' }, 'customer_address must be an object'],
    ['a list as address', { customer_address: [] }, 'customer_address must be an object'],
    ['a city that is a number', { customer_address: { city: 7 } }, 'customer_address.city has an invalid format'],
    [
      'a city that is too long',
      { customer_address: { city: 'x'.repeat(256) } },
      'customer_address.city must have at most 255 characters',
    ],
    ['a fraction as phone_number', { phone_number: 1.5 }, 'phone_number has an invalid format'],
    ['a number beyond exact precision as phone_number', { phone_number: 1e21 }, 'phone_number has an invalid format'],
    ['a flag that is a number', { requires_account: 1 }, 'requires_account has an invalid format'],
  ])('fails with 1001 for %s, and creates nothing', async (_, fields, description) => {
    const before = await api.database.db().customer.count({ where: api.ownRows() });
    const { status, body } = await api.rest('POST', '/customers', { body: { ...maria, ...fields } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error_code: 1001, http_code: 400, category: 'request', description });
    expect(await api.database.db().customer.count({ where: api.ownRows() })).toBe(before);
  });

  it('accepts 100 characters, counting an emoji as one', async () => {
    expect((await create({ name: '💳'.repeat(100) })).name).toBe('💳'.repeat(100));
  });

  it('fails with 2003 for an external_id of another customer, and accepts it when that customer is deleted', async () => {
    const { id } = await create({ external_id: 'taken' });
    const again = await api.rest('POST', '/customers', { body: { ...maria, external_id: 'taken' } });
    expect([again.status, errorOf(again)]).toEqual([409, 2003]);
    await api.rest('DELETE', `/customers/${id}`);
    expect((await create({ external_id: 'taken' })).external_id).toBe('taken');
  });

  it('treats an empty external_id like an omitted one', async () => {
    expect([(await create({ external_id: '' })).external_id, (await create({ external_id: '' })).external_id]).toEqual([
      null,
      null,
    ]);
  });

  it('creates one customer for fifty concurrent requests with the same external_id', async () => {
    const body = { ...maria, external_id: 'race' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.rest('POST', '/customers', { body })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 2003)).toHaveLength(49);
    expect(await api.database.db().customer.count({ where: { ...api.ownRows(), external_id: 'race' } })).toBe(1);
  });

  it('lets another merchant use the same external_id', async () => {
    const { id, private_key: key } = api.merchants().other;
    await create({ external_id: 'shared' });
    const body = { ...maria, external_id: 'shared' };
    expect((await sendRequest(`${api.origin()}/v1/${id}/customers`, 'POST', { key, body })).status).toBe(201);
  });
});

describe('PUT /customers/{id}', () => {
  it('changes only the fields that are sent, and accepts a complete received object', async () => {
    const before = await create({ last_name: 'Gómez', external_id: 'put-1', customer_address: { city: 'Cali' } });
    const body = { ...before, name: 'Ana', id: 'x', balance: 5, status: 'deleted' };
    const changed = await api.rest('PUT', `/customers/${before.id}`, { body });
    expect([changed.status, changed.body]).toEqual([200, { ...before, name: 'Ana' }]);
    const moved = await api.rest('PUT', `/customers/${before.id}`, {
      body: { ...maria, customer_address: { city: 'Pasto' } },
    });
    expect(moved.body).toEqual({ ...before, customer_address: { city: 'Pasto' } });
  });

  it('clears an optional field with an empty text, and returns null for it over both APIs', async () => {
    const customer_address = { city: 'Cali', additional: 'Calle 5' };
    const full = { last_name: 'Gómez', phone_number: '3001234567', customer_address };
    const { id } = await create(full);
    const cleared = await api.rest('PUT', `/customers/${id}`, {
      body: { ...maria, last_name: '', phone_number: '', customer_address: { city: 'Cali', additional: '' } },
    });
    expect(cleared.body).toMatchObject({ last_name: null, phone_number: null });
    expect(cleared.body.customer_address).toEqual({ city: 'Cali' });
    const { id: other } = await create(full);
    const change = `mutation($id: ID!, $c: UpdateCustomer!) {
      updateCustomer(customer_id: $id, customer: $c) { last_name phone_number customer_address { city additional } } }`;
    const answer = await api.graphql(change, {
      id: other,
      c: { ...maria, last_name: '', phone_number: '', customer_address: { city: '', additional: '' } },
    });
    expect(answer.body.data.updateCustomer).toEqual({
      last_name: null,
      phone_number: null,
      customer_address: { city: null, additional: null },
    });
    for (const fields of [{ name: '' }, { email: '' }])
      expect(errorOf(await api.rest('PUT', `/customers/${id}`, { body: { ...maria, ...fields } }))).toBe(1001);
  });

  it('fails with 1005 for a customer of another merchant, and changes nothing', async () => {
    const before = await create();
    const { id, private_key: key } = api.merchants().other;
    const url = `${api.origin()}/v1/${id}/customers/${before.id}`;
    const answer = await sendRequest(url, 'PUT', { key, body: { ...maria, name: 'Ana' } });
    expect([answer.status, errorOf(answer)]).toEqual([404, 1005]);
    expect((await api.rest('GET', `/customers/${before.id}`)).body).toEqual(before);
  });

  it('fails with 1001 without a name, and with 1005 for an unknown customer, with any body', async () => {
    const { id } = await create();
    expect(errorOf(await api.rest('PUT', `/customers/${id}`, { body: { email: 'a@b.co' } }))).toBe(1001);
    for (const body of [maria, {}, '{', '']) {
      const answer = await api.rest('PUT', '/customers/a0000000000000000000', { body });
      expect([answer.status, errorOf(answer)]).toEqual([404, 1005]);
    }
  });
});

describe('DELETE /customers/{id}', () => {
  it('responds 204 with an empty body once; afterwards the customer is not found', async () => {
    const { id } = await create();
    const first = await api.rest('DELETE', `/customers/${id}`);
    expect([first.status, first.text]).toEqual([204, '']);
    for (const [method, body] of [['DELETE'], ['GET'], ['PUT', maria]] as const) {
      const answer = await api.rest(method, `/customers/${id}`, body ? { body } : {});
      expect([answer.status, errorOf(answer)]).toEqual([404, 1005]);
    }
    const { body } = await api.rest('GET', '/customers?limit=1000');
    expect(body.map((customer: { id: string }) => customer.id)).not.toContain(id);
  });
});

describe('GET /v1/{merchant_id}', () => {
  it('returns the merchant', async () => {
    const { status, body } = await api.rest('GET', '');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: api.merchants().own.id,
      name: 'Tienda',
      email: 'tienda@example.com',
      phone: '6011234567',
      website: null,
      support_email: null,
      support_phone: null,
      logo: null,
      colour: null,
      subscription_emails: false,
      max_installments: 1,
      payer_actions: [],
      payer_emails: [],
      suspended_at: null,
      suspension_reason: null,
      status: 'active',
      bank_account: null,
      pending_bank_account: null,
      balance: 0,
      available: 0,
      reserve: 0,
      customers_balance: 0,
      creation_date: expect.stringMatching(/-05:00$/),
    });
  });
});
