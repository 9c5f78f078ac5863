/** Creates and reads a customer and a plan over both APIs, with generated types. */
import { readFileSync } from 'node:fs';
import type {
  CreateCustomerMutation,
  CreateCustomerMutationVariables,
  CustomersQuery,
  CustomersQueryVariables,
} from './generated/graphql';
import type { operations } from './generated/rest';

const { RECAUDO_URL, MERCHANT_ID, PRIVATE_KEY } = process.env;
const authorization = `Basic ${btoa(`${PRIVATE_KEY}:`)}`;

type Operations = Pick<operations, 'createPlan' | 'plan'>;
type BodyOf<T> = T extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined;
type AnswerIn<T> = T extends { content: { 'application/json': infer Answer } } ? Answer : never;
type AnswerOf<T extends { responses: object }> = AnswerIn<T['responses'][Extract<keyof T['responses'], 200 | 201>]>;

async function send(method: string, url: string, body?: object): Promise<unknown> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const rest = async <T extends keyof Operations>(
  _operation: T,
  method: 'GET' | 'POST',
  path: string,
  body?: BodyOf<Operations[T]>,
): Promise<AnswerOf<Operations[T]>> =>
  (await send(method, `${RECAUDO_URL}/v1/${MERCHANT_ID}${path}`, body)) as AnswerOf<Operations[T]>;

const query = readFileSync('operations.graphql', 'utf8');

async function graphql<Answer, Variables>(operationName: string, variables: Variables): Promise<Answer> {
  const body = { query, operationName, variables };
  const { data, errors } = (await send('POST', `${RECAUDO_URL}/graphql`, body)) as { data: Answer; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function main(): Promise<void> {
  const { createCustomer } = await graphql<CreateCustomerMutation, CreateCustomerMutationVariables>('CreateCustomer', {
    customer: { name: 'María', email: 'maria@example.com', requires_account: false },
  });
  const created = await rest('createPlan', 'POST', '/plans', {
    name: 'Monthly',
    amount: 49900,
    repeat_every: 1,
    repeat_unit: 'month',
    status_after_retry: 'unpaid',
    trial_days: 0,
  });
  const plan = await rest('plan', 'GET', `/plans/${created.id}`);
  const { customers } = await graphql<CustomersQuery, CustomersQueryVariables>('Customers', { limit: 1 });
  console.log(JSON.stringify({ customer: createCustomer?.id, newest: customers?.nodes[0]?.id, amount: plan.amount }));
}

main().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
