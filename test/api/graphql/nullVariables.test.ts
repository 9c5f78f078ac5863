import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();

describe('null for a nullable variable in a place that requires a value', () => {
  it.each([
    ['query($id: ID = "x") { customer(customer_id: $id) { id } }', { id: null }, 'id'],
    ['mutation($n: String = "x") { createCustomer(customer: { name: $n, email: "a@b.co" }) { id } }', { n: null }, 'n'],
    ['query($id: ID = "x") { ...f } fragment f on Query { customer(customer_id: $id) { id } }', { id: null }, 'id'],
  ])('fails with 1001 and names the variable: %s', async (query, variables, field) => {
    const answer = await api.graphql(query, variables);
    expect([answer.status, errorOf(answer)]).toEqual([400, 1001]);
    expect(answer.body.errors[0].extensions.field).toBe(field);
    expect(answer.body.errors[0].message).toBe(`${field} must not be null`);
  });

  it('is accepted where null is allowed', async () => {
    const { body } = await api.graphql('query($n: Int = 3) { customers(limit: $n) { nodes { id } } }', { n: null });
    expect(body.errors).toBeUndefined();
  });
});
