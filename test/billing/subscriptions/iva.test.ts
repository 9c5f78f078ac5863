/** The IVA that plans and subscriptions state, on every charge, receipt of the ledger and list. */
import { testBilling } from '../../harness/merchant/subscriptions';
import { basic, errorOf } from '../../harness/servers/api';

const { api, shop, subscribe } = testBilling();
const TAX_19 = { base: 41932.77, rate: 19, amount: 7967.23 };

const taxes = (charges: { iva?: string; tax: object | null }[]) => charges.map(({ iva, tax }) => [iva, tax]);
const csvOf = async (path: string): Promise<string> => {
  const { id, private_key } = api.merchants().own;
  const headers = { accept: 'text/csv', authorization: basic(private_key) };
  return (await fetch(`${api.origin()}/v1/${id}${path}`, { headers })).text();
};

it.concurrent('every charge of a plan with IVA states its tax, also in the statement and in CSV', async () => {
  const subscription = await subscribe('2027-01-31', { plan: { iva: '19%' } });
  expect(subscription.created).not.toHaveProperty('iva');
  await subscription.moveTo('2027-03-31');
  const charges = await subscription.charges();
  expect(taxes(charges)).toEqual([
    ['19%', TAX_19],
    ['19%', TAX_19],
    ['19%', TAX_19],
  ]);
  const of = async (id: string) =>
    (await api.rest('GET', '/statement')).body.movements.find(
      ({ transaction_id }: { transaction_id: string }) => transaction_id === id,
    );
  expect(await of(charges[0].id)).toMatchObject({ amount: 49900, tax: 7967.23 });
  const { refund } = (await shop.post(`/charges/${charges[0].id}/refund`, { amount: 1000 })).body;
  expect(await of(refund.id)).toMatchObject({ amount: -1000, tax: -159.66 });
  const [header = ''] = (await csvOf('/statement')).split('\r\n');
  expect(header.split(',').at(-1)).toBe('tax');
  const csv = await csvOf(`/charges?subscription_id=${subscription.id}`);
  expect(csv.split('\r\n')[1]).toContain('19%,"{""base"":41932.77,""rate"":19,""amount"":7967.23}"');
});

it.concurrent("a subscription's own IVA replaces that of its plan, and a change applies to later charges", async () => {
  const subscription = await subscribe('2027-01-31', { plan: { iva: '19%' }, iva: '5%' });
  expect(subscription.created.iva).toBe('5%');
  const changes = [{ iva: '1900' }, { iva: null }, { iva: '' }, {}];
  const answers = [];
  for (const [i, change] of changes.entries()) {
    answers.push((await subscription.put(change)).body.iva);
    await subscription.moveTo(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'][i] ?? '');
  }
  expect(answers).toEqual(['1900', undefined, undefined, undefined]);
  expect(taxes(await subscription.charges())).toEqual([
    ['5%', { base: 47523.81, rate: 5, amount: 2376.19 }],
    ['1900', { base: 48000, rate: null, amount: 1900 }],
    ['19%', TAX_19],
    ['19%', TAX_19],
    ['19%', TAX_19],
  ]);
});

it.concurrent('a changed IVA of a plan applies to later charges', async () => {
  const subscription = await subscribe('2027-01-31');
  const { plan_id } = subscription.created;
  expect((await api.rest('GET', `/plans/${plan_id}`)).body).not.toHaveProperty('iva');
  expect((await api.rest('PUT', `/plans/${plan_id}`, { body: { iva: 19 } })).body.iva).toBe('19');
  await subscription.moveTo('2027-02-28');
  expect((await api.rest('PUT', `/plans/${plan_id}`, { body: { name: 'Other' } })).body.iva).toBe('19');
  expect((await api.rest('PUT', `/plans/${plan_id}`, { body: { iva: null } })).body).not.toHaveProperty('iva');
  await subscription.moveTo('2027-03-31');
  expect(taxes(await subscription.charges())).toEqual([
    [undefined, null],
    ['19', { base: 49881, rate: null, amount: 19 }],
    [undefined, null],
  ]);
});

it('the IVA has at most 100 characters, and the database stores no empty one', async () => {
  const refused = await shop.post('/plans', { ...shop.plan, iva: 'x'.repeat(101) });
  expect([errorOf(refused), refused.body.field]).toEqual([1001, 'iva']);
  const id = await shop.newPlan({ iva: ' ' });
  expect((await api.rest('GET', `/plans/${id}`)).body).not.toHaveProperty('iva');
  await expect(api.database.db().plan.update({ where: { id }, data: { iva: '' } })).rejects.toThrow('plans_iva_check');
  const query = 'mutation ($plan: CreatePlan!) { createPlan(plan: $plan) { iva } }';
  expect((await api.graphql(query, { plan: { ...shop.plan, iva: '19%' } })).body.data.createPlan).toEqual({
    iva: '19%',
  });
});
