/** What a session may call: every query and mutation, with every kind of scope. */
import { apiSchema } from '../../../src/api/apiSchema';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { bearer, testSessions } from '../../harness/merchant/sessions';
import { basic, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { newSession, ask } = testSessions(api);

/** No session may call these. */
const KEY_ONLY = ['collectLiveKeys', 'createKey', 'createSession', 'revokeKey', 'rotateKey', 'updateKey'];
/** These are read by keys, and sessions, that may do everything. */
const NOT_FOR_READERS = [
  ...['auditLog', 'auditLogConnection', 'key', 'keys', 'keysConnection'],
  ...['session', 'sessions', 'sessionsConnection'],
];
const NAMED = ['createPlan', 'refundCharge'];

const rows = [apiSchema.getQueryType(), apiSchema.getMutationType()].flatMap(type =>
  Object.values(type?.getFields() ?? {}).map(
    field => [`${type?.name}.${field.name}`, type?.name ?? '', field] as const,
  ),
);
const tokens = { read: '', named: '', all: '' };
beforeAll(async () => {
  tokens.read = (await newSession()).token;
  tokens.named = (await newSession({ scope: NAMED })).token;
  tokens.all = (await newSession({ scope: ['all'] })).token;
});

describe.each(['read', 'named', 'all'] as const)('a session with the scope %s', kind => {
  it.each(rows)('%s', async (_, root, field) => {
    const isWrite = root === 'Mutation';
    const isAllowed = {
      read: !isWrite && !NOT_FOR_READERS.includes(field.name),
      named: isWrite ? NAMED.includes(field.name) : !NOT_FOR_READERS.includes(field.name),
      all: !KEY_ONLY.includes(field.name),
    }[kind];
    // A document that lacks what the field needs: nothing is done, and it is refused for another reason.
    const answer = await ask(tokens[kind], `${root.toLowerCase()} { ${field.name}(nothing: 1) { nothing } }`);
    const isOfOperators = field.extensions.operatorRole !== undefined;
    expect([answer.status, errorOf(answer)]).toEqual(isAllowed && !isOfOperators ? [400, 1001] : [403, 1010]);
  });
});

describe('an Idempotency-Key', () => {
  it('of one session is apart from that of another and of the private key', async () => {
    const body = {
      query: 'mutation ($c: CreateCustomer!) { createCustomer(customer: $c) { id } }',
      variables: { c: shop.payer },
    };
    const send = (headers: object) =>
      sendRequest(`${api.origin()}/graphql`, 'POST', { body, headers: { 'idempotency-key': 'shared', ...headers } });
    const second = (await newSession({ scope: ['createCustomer'] })).token;
    const callers = [bearer(tokens.all), bearer(second), { authorization: basic(api.merchants().own.private_key) }];
    const ids = [];
    for (const caller of callers) ids.push((await send(caller)).body.data.createCustomer.id);
    expect(new Set(ids).size).toBe(3);
    for (const [i, caller] of callers.entries()) expect((await send(caller)).body.data.createCustomer.id).toBe(ids[i]);
  });
});
