/** Every kind of caller, with a real key or session, has the rights in the table of test/schema/permissions.test.ts. */
import { suspendMerchant } from '../../src/accounts/merchants/suspension';
import { readScope } from '../../src/accounts/sessions/scope';
import { CALLERS, type CallerName, type Environment, pathOf, refusal, rootFields } from '../harness/api/permissions';
import { until } from '../harness/flow/until';
import { testKeys } from '../harness/merchant/keys';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { testOperators } from '../harness/merchant/operators';
import { bearer, testSessions } from '../harness/merchant/sessions';
import { basic, errorOf, sendRequest, testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { keys } = testOperators(api);
const { newKey, works } = testKeys(api);
const { newSession } = testSessions(api);

/** One field for each different line of the table. */
const fields = [
  ...new Map(
    rootFields.map(each => {
      const codes = (['sandbox', 'production'] as Environment[]).flatMap(environment =>
        CALLERS.map(name => refusal(name, each.field, environment)?.message),
      );
      return [JSON.stringify([each.type, codes]), each] as const;
    }),
  ).values(),
];

const headersOf = {} as Record<CallerName, Record<string, string>>;

beforeAll(async () => {
  const { own, other } = api.merchants();
  const isNameable = (name: string, isOfCustomer: boolean): boolean => {
    try {
      return readScope([name], isOfCustomer).includes(name);
    } catch {
      return false;
    }
  };
  const scopes = (isOfCustomer: boolean) => ({
    read: ['read'],
    named: fields.map(({ field }) => field.name).filter(name => isNameable(name, isOfCustomer)),
    all: ['all'],
  });
  const customer_id = await shop.newCustomer();
  for (const [word, scope] of Object.entries(scopes(false)))
    headersOf[`session: ${word}` as CallerName] = bearer((await newSession({ scope })).token);
  for (const [word, scope] of Object.entries(scopes(true)))
    headersOf[`customer session: ${word}` as CallerName] = bearer((await newSession({ scope, customer_id })).token);
  for (const [role, { key }] of Object.entries(keys))
    headersOf[`operator: ${role}` as CallerName] = { authorization: basic(key) };
  const readOnly = await newKey({ read_only: true });
  await works(readOnly.key);
  headersOf['private key: active'] = { authorization: basic(own.private_key) };
  headersOf['private key: read-only'] = { authorization: basic(readOnly.key) };
  headersOf['public key: active'] = { authorization: basic(own.public_key) };
  headersOf['private key: suspended'] = { authorization: basic(other.private_key) };
  const operator = { actor: { kind: 'operator', id: 'test' } } as const;
  await suspendMerchant(api.database.db(), operator, other.id, 'Documents are missing');
  await until(async () => {
    const headers = headersOf['private key: suspended'];
    const answer = await sendRequest(`${api.origin()}/v1/${other.id}/tokens`, 'POST', { headers, body: '{' });
    return errorOf(answer) === 1008;
  });
});

/** Sends an invalid document: an authorized caller gets a validation error, and no field is executed. */
async function call(origin: string, headers: Record<string, string>, each: (typeof fields)[number]) {
  const { type, field } = each;
  const query = `${type.toLowerCase()} { ${field.name}(nothing: 1) { nothing } }`;
  const answer = await sendRequest(`${origin}${pathOf(each)}`, 'POST', { headers, body: { query } });
  return [field.name, answer.status, errorOf(answer)];
}

const expected = (name: CallerName, environment: Environment) =>
  fields.map(({ field }) => {
    const refused = refusal(name, field, environment);
    return [field.name, refused?.http_code ?? 400, refused?.error_code ?? 1001];
  });

it.each(CALLERS)('%s', async name => {
  const answers = await Promise.all(fields.map(each => call(api.origin(), headersOf[name], each)));
  expect(answers).toEqual(expected(name, 'sandbox'));
});

it('a private key in production', async () => {
  const headers = { authorization: basic(api.merchants().production.private_key) };
  const origin = await api.startProduction();
  const answers = await Promise.all(fields.map(each => call(origin, headers, each)));
  expect(answers).toEqual(expected('private key: active', 'production'));
});
