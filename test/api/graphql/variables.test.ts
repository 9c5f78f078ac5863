/** Every error of a variable names the invalid part and never repeats the value. */
import { getOperationAST, parse } from 'graphql';
import { variableErrors } from '../../../src/api/graphql/errors';

const DOCUMENT = `mutation ($c: CreateCustomer!, $h: CreateWebhook, $d: Day, $n: Int! = 7, $p: CreatePlan) {
  createCustomer(customer: $c) { id }
}`;
const ana = { name: 'Ana', email: 'ana@example.com' };

const errorsOf = (variables: Record<string, unknown>) => {
  const operation = getOperationAST(parse(DOCUMENT));
  if (!operation) throw new Error('there is one');
  return variableErrors(operation, variables);
};
const saidOf = (variables: Record<string, unknown>) =>
  errorsOf(variables).map(({ error: { field, message, kind } }) => [field, message, kind]);

it('accepts valid and omitted variables and defaults', () => {
  expect(errorsOf({ c: ana, d: null })).toEqual([]);
});

it.each([
  [{ c: { name: 'Ana' } }, 'c.email', 'c.email is required', 'malformed'],
  [{ c: { ...ana, name: 4111 } }, 'c.name', 'c.name has an invalid format', 'malformed'],
  [{ c: { ...ana, more: 4111 } }, 'c', 'c has an invalid format', 'malformed'],
  [
    { c: { ...ana, customer_address: 4111 } },
    'c.customer_address',
    'c.customer_address has an invalid format',
    'malformed',
  ],
  [{ c: ana, d: '4111-11-31' }, 'd', 'd is a date that does not exist', 'invalid_value'],
  [
    { c: ana, h: { url: 'x', event_types: ['charge_succeeded', '4111'] } },
    'h.event_types[1]',
    expect.stringMatching(/^h\.event_types\[1\] must be one of charge_created, /),
    'invalid_value',
  ],
  [{}, 'c', 'Variable "$c" of required type "CreateCustomer!" was not provided.', 'malformed'],
  [{ c: null }, 'c', 'Variable "$c" of non-null type "CreateCustomer!" must not be null.', 'malformed'],
  [{ c: ana, n: null }, 'n', 'Variable "$n" of non-null type "Int!" must not be null.', 'malformed'],
])('%j', (variables, ...said) => expect(saidOf(variables)).toEqual([said]));

it('reports several errors at once, each with the position of the variable in the document', () => {
  const errors = errorsOf({ c: { name: 7 }, d: 'x' });
  expect(errors.map(({ error, locations }) => [error.field, locations?.[0]?.column])).toEqual([
    ['c.name', 11],
    ['c.email', 11],
    ['d', 51],
  ]);
});

it('stops after fifty errors', () => {
  expect(errorsOf({ c: ana, h: { url: 'x', event_types: Array(100).fill('4111') } })).toHaveLength(50);
});
