/** Operators have a GraphQL schema of their own, at their own path. */
import { type GraphQLSchema, getIntrospectionQuery } from 'graphql';
import { apiSchema } from '../../../src/api/apiSchema';
import { merchantSchema, operatorSchema } from '../../../src/api/graphql/publishedSchemas';
import { testOperators } from '../../harness/merchant/operators';
import { bearer, testSessions } from '../../harness/merchant/sessions';
import { basic, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { keys } = testOperators(api);
const { newSession } = testSessions(api);

const fieldsOf = (schema: GraphQLSchema) =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(type =>
    Object.values(type?.getFields() ?? {}),
  );
const namesOf = (schema: GraphQLSchema) => fieldsOf(schema).map(({ name }) => name);

const send = async (path: string, headers: Record<string, string>, query: string) => {
  const answer = await sendRequest(`${api.origin()}${path}`, 'POST', { headers, body: { query } });
  return [answer.status, errorOf(answer), answer.body.errors?.[0]?.extensions?.problem];
};

describe('the schema', () => {
  it('has no operation and no type of operators for merchants', () => {
    expect(fieldsOf(merchantSchema).filter(({ extensions }) => extensions.operatorRole)).toEqual([]);
    const types = Object.keys(merchantSchema.getTypeMap());
    for (const type of ['MerchantAccount', 'OperatorKey', 'Operations', 'Story', 'BillingHold', 'SettlementReport'])
      expect([type, types.includes(type), type in operatorSchema.getTypeMap()]).toEqual([type, false, true]);
  });

  it('has all operations of operators for operators, and no other', () => {
    const operations = fieldsOf(apiSchema).filter(({ extensions }) => extensions.operatorRole);
    expect(operations.length).toBeGreaterThan(25);
    expect(namesOf(operatorSchema)).toEqual(operations.map(({ name }) => name));
  });
});

describe('a request to the wrong schema', () => {
  const DOCUMENTS = ['{ __typename }', '{ operations { now } }', '{ merchant { id } }', '{ nothing }', 'x {'];

  it('fails with 1010 for every key and session of a merchant and for any document', async () => {
    const { private_key, public_key } = api.merchants().own;
    const { token } = await newSession({ scope: ['all'] });
    for (const headers of [{ authorization: basic(private_key) }, { authorization: basic(public_key) }, bearer(token)])
      for (const query of DOCUMENTS)
        expect(await send('/operator/graphql', headers, query)).toEqual([403, 1010, 'operator_key_needed']);
  });

  it('fails with 1010 for the key of an operator and for any document', async () => {
    const headers = { authorization: basic(keys.admin.key) };
    for (const path of ['/graphql', '/graphql/stream'])
      for (const query of DOCUMENTS)
        expect(await send(path, headers, query)).toEqual([403, 1010, 'merchant_key_needed']);
  });
});

it('introspection shows an operator only its own operations', async () => {
  const headers = { authorization: basic(keys.read.key) };
  const { body } = await sendRequest(`${api.origin()}/operator/graphql`, 'POST', {
    headers,
    body: { query: getIntrospectionQuery() },
  });
  const { types, queryType } = body.data.__schema;
  const query = types.find(({ name }: { name: string }) => name === queryType.name);
  expect(query.fields.map(({ name }: { name: string }) => name)).toEqual(
    Object.keys(operatorSchema.getQueryType()?.getFields() ?? {}),
  );
  expect(body.extensions.cost.requested).toBeLessThan(25_000);
});

it('is not open to other methods', async () => {
  const answer = await sendRequest(`${api.origin()}/operator/graphql`, 'GET', { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers.get('allow'), errorOf(answer)]).toEqual([405, 'POST', 1005]);
});
