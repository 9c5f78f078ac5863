/** /graphql/stream validates requests like /graphql. */
import { GraphQLError } from 'graphql';
import { merchantSchema } from '../../../src/api/graphql/publishedSchemas';
import { GraphqlServer } from '../../../src/api/graphql/server';
import type { Log } from '../../../src/platform/log';
import type { Context } from '../../../src/schema/operation/context';
import { sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const LIVE =
  'subscription ($types: [EventType!], $object: ID, $after: String) { events(types: $types, object_id: $object, after: $after) { id type object_id } }';

describe('a request to the stream is validated like one to /graphql', () => {
  /** The status and the errors, without the request_id, which differs. */
  const answerOf = async (
    path: string,
    body: unknown,
    key = api.merchants().own.private_key,
    origin = api.origin(),
  ) => {
    const { status, body: answer, headers } = await sendRequest(`${origin}${path}`, 'POST', { key, body });
    for (const { extensions } of answer.errors) expect(extensions.request_id).toBe(headers.get('request-id'));
    return [
      status,
      answer.errors.map(({ extensions, ...error }: { extensions: object }) => ({
        ...error,
        extensions: { ...extensions, request_id: undefined },
      })),
    ];
  };
  const CARD = '4111111111111111';
  const query = LIVE;

  it.each<[string, unknown]>([
    ['a body that is not JSON', '{'],
    ['a body that is a list', [{ query }]],
    ['no query', {}],
    ['an empty query', { query: '' }],
    ['a query that is a number', { query: 7 }],
    ['variables that are a text', { query, variables: 'x' }],
    ['variables that are a list', { query, variables: [] }],
    ['an operationName that is a number', { query, operationName: 7 }],
    ['an operationName that does not exist', { query, operationName: 'b' }],
    [
      'two operations and no operationName',
      { query: 'subscription a { events { id } } subscription b { events { id } }' },
    ],
    ['a document that is not GraphQL', { query: 'nonsense {' }],
    ['a field that does not exist', { query: 'subscription { events { nothing more } }' }],
    ['a literal that must not be repeated', { query: `subscription { events(after: ${CARD}) { id } }` }],
    ['more depth than allowed', { query: `subscription { events { ${'id { '.repeat(14)} id ${'} '.repeat(14)} } }` }],
  ])('%s', async (_, body) => {
    const answer = await answerOf('/graphql/stream', body);
    expect(answer).toEqual(await answerOf('/graphql', body));
    expect(answer[0]).toBe(400);
    expect(JSON.stringify(answer)).not.toContain(CARD);
  });

  it('names the invalid variable and does not repeat its value', async () => {
    const asQuery = query
      .replace('subscription', 'query')
      .replace('types: $types, ', '')
      .replace('$types: [EventType!], ', '')
      .replace('{ id type object_id }', '{ edges { cursor } }');
    const wrong = { object: [CARD], after: { number: CARD } };
    const answer = await answerOf('/graphql/stream', { query, variables: wrong });
    expect(answer).toMatchObject([
      400,
      [{ message: 'object has an invalid format' }, { message: 'after has an invalid format' }],
    ]);
    const [, same] = await answerOf('/graphql', { query: asQuery, variables: wrong });
    expect(answer[1].map(({ message }: Error) => message)).toEqual(same.map(({ message }: Error) => message));
    for (const variables of [{ types: [CARD] }, { types: CARD }, { after: CARD }, { types: { number: CARD } }]) {
      const refused = await answerOf('/graphql/stream', { query, variables });
      expect(JSON.stringify(refused)).not.toContain(CARD);
    }
    expect(JSON.stringify((await api.rest('GET', `/events?type=${CARD}`)).body)).not.toContain(CARD);
  });

  it('checks permissions before the variables and the document', async () => {
    const { public_key } = api.merchants().own;
    const codeOf = async (body: unknown) => (await answerOf('/graphql/stream', body, public_key))[0];
    expect(await codeOf({ query, variables: { types: 7 } })).toBe(403);
    expect(await codeOf({ query: 'subscription { ...f } fragment f on Subscription { events { id } }' })).toBe(403);
    expect(await codeOf({ query: 'subscription { events { nothing } }' })).toBe(403);
  });

  it('suggests no names in production', async () => {
    const body = { query: 'subscription { event { id } }' };
    const { private_key } = api.merchants().production;
    const [, [{ message }]] = await answerOf('/graphql/stream', body, private_key, await api.startProduction());
    expect(message).toBe('Cannot query field "event" on type "Subscription".');
  });

  it('hides the cause when an event cannot be rendered, as other responses do', () => {
    const logged: unknown[] = [];
    const server = new GraphqlServer(merchantSchema, 'sandbox', {
      error: (entry: unknown) => logged.push(entry),
    } as unknown as Log);
    const originalError = new Error('column "number_sealed" does not exist');
    const errors = [new GraphQLError(originalError.message, { originalError, path: ['events'] })];
    const extensions = {
      error_code: 1000,
      code: 'internal',
      http_code: 500,
      category: 'internal',
      problem: 'internal',
      request_id: 'r',
    };
    expect(server.formatResult({ data: null, errors }, { request_id: 'r' } as Context)).toEqual({
      data: null,
      errors: [{ message: 'Internal server error', path: ['events'], extensions }],
    });
    expect(logged).toEqual([{ err: originalError, request_id: 'r' }]);
  });
});
