/**
 * Generated requests that the OpenAPI document allows are accepted as well-formed, and all responses match the
 * document.
 */
import fc from 'fast-check';
import { openapi } from '../../../src/api/rest/openapi';
import { Contract, type DocumentedOperation } from '../../harness/api/contract';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const RUNS = 10;

const api = testApi();
const shop = merchantCalls(api);
const contract = new Contract(openapi('sandbox'));
const named = (operations: DocumentedOperation[]) =>
  operations.map(each => [`${each.method} ${each.path || '/'}`, each] as const);

/** A fraud rule that refuses none of the requests below. */
const RULE = { name: 'one', kind: 'attempts', scope: 'address', max: 1_000_000, minutes: 60 };

type Ids = Record<string, string>;
/** The values of the path parameters, for merchant-level and customer-level paths. */
let ofMerchant: Ids;
let ofCustomer: Ids;
/** A card that no other request charges: a scripted outcome may be that the acquirer does not respond. */
let ofScript: Ids;
/** A customer without due charges, so that moving its clock waits for no charge. */
let idleCustomer: string;

beforeAll(async () => {
  const customer_id = await shop.newCustomer({ requires_account: false });
  const below = `/customers/${customer_id}`;
  const [card_id, saved_card_id] = [await shop.newCard(`${below}/cards`), await shop.newCard()];
  const paid = await shop.post(`${below}/charges`, { ...shop.charge, source_id: card_id });
  const terms = { amount: 1000, repeat_every: 1, repeat_unit: 'month', status_after_retry: 'unpaid', trial_days: 10 };
  const plan_id = (await shop.post('/plans', { name: 'Monthly', ...terms })).body.id;
  const subscription = await shop.post(`${below}/subscriptions`, { plan_id, source_id: card_id });
  const webhook_id = (await shop.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.id;
  const account = await shop.newCustomer();
  const source_id = await shop.newCard(`/customers/${account}/cards`);
  await shop.post(`/customers/${account}/charges`, { ...shop.charge, source_id });
  const fee = await shop.post('/fees', { customer_id: account, amount: 10, description: 'Fee' });
  const subscription_id = subscription.body.id;
  const extra = { description: 'Messages', amount: 1 };
  const extra_id = (await shop.post(`${below}/subscriptions/${subscription_id}/extras`, extra)).body.id;
  ofCustomer = { customer_id, card_id, transaction_id: paid.body.id, subscription_id, extra_id };
  ofMerchant = {
    customer_id,
    plan_id,
    webhook_id,
    saved_card_id,
    card_id: saved_card_id,
    transaction_id: await shop.newCharge(saved_card_id),
    fee_id: fee.body.id,
    key_id: (await shop.post('/keys', { kind: 'public' })).body.id,
    coupon_id: (await shop.post('/coupons', { code: 'one', percent_off: 10, duration: 'forever' })).body.id,
    payment_link_id: (await shop.post('/payment_links', { kind: 'card', customer_id: account })).body.id,
    fraud_rule_id: (await shop.post('/fraud_rules', RULE)).body.id,
  };
  ofScript = { saved_card_id: await shop.newCard() };
  idleCustomer = await shop.newCustomer();
});

function idsOf({ path, operation }: DocumentedOperation): Ids {
  if (operation.operationId === 'scriptCard') return ofScript;
  return /^\/customers\/\{\w+\}\/./.test(path) ? ofCustomer : ofMerchant;
}
const filled = (documented: DocumentedOperation): string =>
  documented.path.replace(/\{(\w+)\}/g, (_, name) => idsOf(documented)[name] ?? 'unknown');

/** Replaces generated IDs by existing ones, because a well-formed but unknown ID would fail early. */
function reachable(documented: DocumentedOperation, body: Record<string, unknown>): object {
  const { card_id } = idsOf(documented);
  const existing: Record<string, unknown> = {
    ...ofMerchant,
    source_id: card_id,
    card_id,
    plan_ids: [ofMerchant.plan_id],
    // A closed plan would be missing afterwards.
    close: false,
  };
  const values = Object.entries(body).map(([name, value]) => [
    name,
    value && name in existing ? existing[name] : value,
  ]);
  const soon = new Date(Date.now() + 60_000).toISOString().replace(/\.\d+Z/, 'Z');
  const isClock = documented.operation.operationId === 'moveClock';
  return {
    ...Object.fromEntries(values),
    ...(isClock ? { to: soon, customer_id: idleCustomer, subscription_id: null } : {}),
  };
}

it('another merchant cannot reach any resource by its ID: 1005, and nothing changes', async () => {
  const { other } = api.merchants();
  const operations = contract.operations().filter(({ path }) => path.includes('{'));
  const reads = operations.filter(({ method }) => method === 'GET');
  const read = async (each: DocumentedOperation) => {
    const { body } = await api.rest('GET', filled(each));
    return [each.path, { ...body, request_id: undefined }];
  };
  const readAll = () => Promise.all(reads.map(read));
  const before = await readAll();
  for (const documented of operations) {
    const { method, operation } = documented;
    const schema = operation.requestBody?.content['application/json'].schema;
    const [body] = schema ? contract.sampler.resolved(schema).examples : [];
    const url = `${api.origin()}/v1/${other.id}${filled(documented)}`;
    const answer = await sendRequest(url, method, { key: other.private_key, body });
    expect([method, documented.path, answer.status, errorOf(answer)]).toEqual([method, documented.path, 404, 1005]);
  }
  expect(await readAll()).toEqual(before);
});

describe('a body that the document allows', () => {
  const operations = contract.operations().filter(({ operation }) => operation.requestBody);

  it.each(named(operations))('is accepted as well-formed: %s', async (_, documented) => {
    const bodies = contract.bodiesOf(documented) as fc.Arbitrary<Record<string, unknown>>;
    await fc.assert(
      fc.asyncProperty(bodies, async body => {
        const answer = await api.rest(documented.method, filled(documented), { body: reachable(documented, body) });
        expect([1000, 1001, 1005]).not.toContain(errorOf(answer));
        expect(contract.differences(documented, answer)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the example of a body', () => {
  const operations = contract.operations().filter(({ operation }) => operation.requestBody);

  it.each(named(operations))('matches its schema and is accepted as well-formed: %s', async (_, documented) => {
    const schema = documented.operation.requestBody.content['application/json'].schema;
    const [body] = contract.sampler.resolved(schema).examples;
    expect(contract.sampler.differences(schema, body)).toEqual([]);
    const answer = await api.rest(documented.method, filled(documented), { body: reachable(documented, body) });
    expect([1000, 1001, 1005]).not.toContain(errorOf(answer));
  });
});

/** An object has a parameter for each of its members (`deepObject`). */
const parametersOf = ([name, value]: [string, unknown]): [string, string][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([key, member]) => [`${name}[${key}]`, String(member)])
    : [[name, String(value)]];

describe('a query that the document allows', () => {
  const operations = contract.operations().filter(({ method, operation }) => {
    const hasFilters = operation.parameters.some((each: { in?: string }) => each.in === 'query');
    return method === 'GET' && hasFilters;
  });

  it.each(named(operations))('succeeds: %s', async (_, documented) => {
    // Filters that name a resource would fail for an unknown ID, and a first day may be after the last.
    const naming = ['after', 'customer_id', 'subscription_id', 'from'];
    await fc.assert(
      fc.asyncProperty(contract.queriesOf(documented), async query => {
        const known = Object.entries(query).filter(([name]) => !naming.includes(name));
        const search = new URLSearchParams(known.flatMap(parametersOf));
        const answer = await api.rest('GET', `${filled(documented)}?${search}`);
        expect([answer.status, contract.differences(documented, answer)]).toEqual([200, []]);
      }),
      { numRuns: RUNS },
    );
  });
});

it('detects a document that accepts or promises too much', async () => {
  const document = JSON.parse(JSON.stringify(openapi('sandbox')));
  const { CreateCustomer, Customer } = document.components.schemas;
  CreateCustomer.properties.email = { type: 'string' };
  Customer.properties.customer_address = { $ref: '#/components/schemas/CustomerAddress' };
  const contradicting = new Contract(document);
  const [creation] = contradicting.operations().filter(({ operation }) => operation.operationId === 'createCustomer');
  const bodies = contradicting.bodiesOf(creation as DocumentedOperation) as fc.Arbitrary<object>;
  const codes = [];
  for (const body of fc.sample(bodies, RUNS)) codes.push(errorOf(await shop.post('/customers', body)));
  expect(codes).toContain(1001);
  const answer = await shop.post('/customers', shop.payer);
  expect(contradicting.differences(creation as DocumentedOperation, answer)).toEqual([
    '/customer_address must be object',
  ]);
});
