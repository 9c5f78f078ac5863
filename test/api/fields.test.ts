/** An error lists every invalid field of a request. */
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { type ApiResponse, testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const fieldsOf = ({ body }: ApiResponse): string[] => body.fields.map(({ field }: { field: string }) => field);

describe('REST', () => {
  it('reports every invalid field, and describes the first of them in the error itself', async () => {
    const { status, body } = await shop.post('/customers', { last_name: 'x'.repeat(101), customer_address: 'Cali' });
    expect([status, body.error_code]).toEqual([400, 1001]);
    expect(body.fields).toEqual([
      { field: 'customer_address', description: 'customer_address must be an object' },
      { field: 'name', description: 'name is required' },
      { field: 'email', description: 'email is required' },
      { field: 'last_name', description: 'last_name must have at most 100 characters' },
    ]);
    expect([body.field, body.description]).toEqual(['customer_address', 'customer_address must be an object']);
  });

  it('reports malformed fields before invalid values, and lists the accepted values', async () => {
    const wrong = { ...shop.plan, repeat_unit: 'day', amount: -1, trial_days: 'x', name: ' ' };
    const { status, body } = await shop.post('/plans', wrong);
    expect([status, body.error_code, body.field]).toEqual([400, 1001, 'trial_days']);
    expect(body.fields).toEqual([
      { field: 'trial_days', description: 'trial_days has an invalid format' },
      { field: 'name', description: 'name must not be empty' },
      { field: 'repeat_unit', description: 'repeat_unit must be one of week, month, year' },
      { field: 'amount', description: 'amount must be greater than zero' },
    ]);
    const unknown = await shop.post('/plans', { ...shop.plan, status_after_retry: 'paid' });
    expect([unknown.status, unknown.body]).toMatchObject([
      422,
      {
        field: 'status_after_retry',
        description: 'status_after_retry must be one of unpaid, cancelled',
        fields: [{ field: 'status_after_retry' }],
      },
    ]);
  });

  it('reports invalid filters of a list, and lists the accepted values', async () => {
    const answer = await api.rest('GET', '/charges?status=asleep&limit=0&creation=x');
    expect([answer.status, answer.body.error_code]).toEqual([422, 1003]);
    expect(fieldsOf(answer).sort()).toEqual(['creation', 'limit', 'status']);
    expect(answer.text).toContain('must be one of in_progress, completed, refunded');
    const several = await api.rest('GET', '/subscriptions?status=trial,asleep');
    expect(several.body).toMatchObject({
      field: 'status',
      description: 'status must be one of trial, active, past_due, unpaid, cancelled',
    });
  });

  it('reports all missing fields of a card', async () => {
    const answer = await shop.post('/cards', { cvv2: 'x', expiration_month: '13' });
    expect([answer.status, answer.body.error_code]).toEqual([400, 1001]);
    expect(fieldsOf(answer)).toEqual(['holder_name', 'card_number', 'expiration_month', 'expiration_year', 'cvv2']);
  });

  it('reports all missing fields of a charge to a saved card', async () => {
    const { device_session_id: _, ...charge } = shop.charge;
    expect(fieldsOf(await shop.post('/charges', charge))).toEqual(['source_id', 'device_session_id', 'customer']);
  });

  it('reports an invalid event type of a webhook, and lists the accepted types', async () => {
    const answer = await shop.post('/webhooks', { url: 'https://shop.example/', event_types: ['charge.exploded'] });
    expect(answer.body.field).toBe('event_types.0');
    expect(answer.body.description).toContain('charge.succeeded');
    for (const [types, problem] of [
      [
        ['CHARGE.FAILED', 'verification'],
        [1003, 'event_types.1'],
      ],
      [['charge_failed'], [1003, 'event_types.0']],
      [
        ['charge.failed', 7],
        [1001, 'event_types.1'],
      ],
    ]) {
      const { body } = await shop.post('/webhooks', { url: 'https://shop.example/', event_types: types });
      expect([body.error_code, body.field]).toEqual(problem);
    }
  });

  it('reports an unknown plan in the body by its field, like an unknown source', async () => {
    const customer = await shop.newCustomer();
    const path = `/customers/${customer}`;
    const source_id = await shop.newCard(`${path}/cards`);
    const unknown = await shop.post(`${path}/subscriptions`, { plan_id: 'p0000000000000000000', source_id });
    expect([unknown.status, unknown.body]).toMatchObject([404, { error_code: 1005, field: 'plan_id' }]);
    const missing = await shop.post('/customers/a0000000000000000000/subscriptions', { plan_id: 'x', source_id });
    expect([missing.status, missing.body.error_code]).toEqual([404, 1005]);
    expect(missing.body).not.toHaveProperty('field');
    const plan_id = await shop.newPlan();
    const source = await shop.post(`${path}/subscriptions`, { plan_id, source_id: 'k0000000000000000000' });
    expect([source.status, source.body]).toMatchObject([422, { error_code: 1003, field: 'source_id' }]);
  });

  it('omits field and fields when no field is invalid', async () => {
    const { body } = await api.rest('GET', '/customers/a0000000000000000000');
    expect(body).not.toHaveProperty('field');
    expect(body).not.toHaveProperty('fields');
  });
});

describe('GraphQL', () => {
  const create = 'mutation($c: CreateCustomer!) { createCustomer(customer: $c) { id } }';

  it('reports the fields in the extensions', async () => {
    const { body } = await api.graphql(create, { c: { name: ' ', email: 'x', last_name: 'x'.repeat(101) } });
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions).toMatchObject({
      error_code: 1001,
      field: 'name',
      fields: [
        { field: 'name', description: 'name must not be empty' },
        { field: 'last_name', description: 'last_name must have at most 100 characters' },
        { field: 'email', description: 'email must be an e-mail address' },
      ],
    });
  });

  it('reports the fields of all variables in the first error, and one field in each other error', async () => {
    const { body } = await api.graphql(create, { c: { name: 7 } });
    const fields = [
      { field: 'c.name', description: 'c.name has an invalid format' },
      { field: 'c.email', description: 'c.email is required' },
    ];
    expect(body.errors.map(({ extensions }: { extensions: object }) => extensions)).toMatchObject([
      { field: 'c.name', fields },
      { field: 'c.email', fields: [fields[1]] },
    ]);
  });

  it('lists the accepted values of an enum, in a variable and in the document', async () => {
    const accepted = 'must be one of week, month, year';
    const plan = 'mutation($p: CreatePlan!) { createPlan(plan: $p) { id } }';
    const { body } = await api.graphql(plan, { p: { ...shop.plan, repeat_unit: 'day' } });
    expect(body.errors[0]).toMatchObject({ message: `p.repeat_unit ${accepted}`, extensions: { error_code: 1003 } });
    const literal = await api.graphql('{ subscriptions(status: asleep) { nodes { id } } }');
    expect(literal.body.errors[0].message).toContain('trial, active, past_due, unpaid, cancelled');
  });
});
