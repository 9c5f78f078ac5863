/** Saving a card while the acquirer fails. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { ApiKeyCache } from '../../../src/accounts/merchants/apiKeyCache';
import { Admission } from '../../../src/api/admission/admission';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { DeclineLimits } from '../../../src/gateway/declines';
import { FraudRuleCache } from '../../../src/gateway/fraud/ruleCache';
import { FraudScreening } from '../../../src/gateway/fraud/screening';
import { Buckets } from '../../../src/platform/limits/buckets';
import { openTemporal } from '../../../src/platform/temporal';
import { createServer as createApi } from '../../../src/web/server';
import { visa } from '../../harness/cards/testCards';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { freezeClock } from '../../harness/flow/frozenClock';
import { type ApiResponse, errorOf, sendRequest, testApi } from '../../harness/servers/api';
import { secrets, vault } from '../../harness/world/secrets';
import { NO_LIMITS } from '../../harness/world/server';
import { temporalAddress } from '../../harness/world/temporal';

const api = testApi();
const log = pino({ level: 'silent' });
let behavior: RequestListener;
let apiKeyCache: ApiKeyCache;
let acquirerUrl: string;
/** Timeouts for an acquirer that responds, and for one that does not. */
let [patientOrigin, impatientOrigin] = ['', ''];
const temporal = openTemporal(temporalAddress(), 'default');

beforeAll(async () => {
  const failingAcquirer = createServer((request, reply) => behavior(request, reply)).listen(0, '127.0.0.1');
  atTheEnd(() => {
    failingAcquirer.close();
    failingAcquirer.closeAllConnections();
  });
  await once(failingAcquirer, 'listening');
  acquirerUrl = `http://127.0.0.1:${(failingAcquirer.address() as AddressInfo).port}`;
  atTheEnd(() => temporal.connection.close());
  apiKeyCache = new ApiKeyCache(api.database.db(), api.database.url(), api.secret);
  atTheEnd(() => apiKeyCache.close());
  patientOrigin = await start(60_000);
  impatientOrigin = await start(400);
});

/** Starts an API with its own acquirer client; returns its address. */
async function start(timeoutMs: number): Promise<string> {
  const acquirer = new HttpAcquirer({ url: acquirerUrl, key: secrets.ACQUIRER_KEY, vault, log, timeoutMs });
  atTheEnd(() => acquirer.close());
  const buckets = new Buckets(api.database.db());
  atTheEnd(() => buckets.close());
  const fraudRules = new FraudRuleCache(api.database.db(), api.database.url());
  atTheEnd(() => fraudRules.close());
  const parts = {
    environment: 'sandbox',
    db: api.database.db(),
    temporal,
    publicUrl: 'http://127.0.0.1:1',
    mayCallPrivateHosts: true,
    bankAccountWaitHours: 48,
    apiKeyCache,
    admission: new Admission(buckets, NO_LIMITS),
    declines: new DeclineLimits(api.database.db(), buckets, NO_LIMITS.LIMIT_DECLINES_PER_HOUR),
    fraud: new FraudScreening(api.database.db(), vault, fraudRules),
    vault,
    acquirer,
    acquirers: {},
    temporalUiUrl: undefined,
    acquirerKey: secrets.ACQUIRER_KEY,
    log,
  } as const;
  const server = createApi(parts);
  atTheEnd(() => server.close());
  return server.listen({ port: 0, host: '127.0.0.1' });
}

const post = (path: string, body: object, headers = {}): Promise<ApiResponse> => {
  const { id, private_key: key } = api.merchants().own;
  const origin = behavior === silence ? impatientOrigin : patientOrigin;
  return sendRequest(`${origin}/v1/${id}${path}`, 'POST', { key, body, headers });
};
const silence: RequestListener = () => undefined;
const approve: RequestListener = (_, reply) => reply.end('{"response":"00","authorization":"1"}');

describe.each<[string, RequestListener]>([
  ['closes the connection', request => request.socket.destroy()],
  [
    'closes the connection during the response',
    (_, reply) => {
      reply.writeHead(200, { 'content-length': '50' });
      reply.write('{"resp');
      setTimeout(() => reply.destroy(), 10);
    },
  ],
  ['responds with invalid JSON', (_, reply) => reply.end('OK')],
  ['responds 500', (_, reply) => reply.writeHead(500).end('{}')],
  ['never responds', silence],
])('an acquirer that %s', (name, failure) => {
  it('fails with 1004 and Retry-After, saves no card, and does not use up the token', async () => {
    behavior = failure;
    const before = await api.database.db().card.count({ where: api.ownRows() });
    const refused = await post('/cards', visa);
    expect([refused.status, errorOf(refused), refused.headers.get('retry-after')]).toEqual([503, 1004, '5']);
    const token = (await post('/tokens', visa)).body.id;
    const use = { token_id: token, device_session_id: 'device' };
    expect(errorOf(await post('/cards', use))).toBe(1004);
    expect(await api.database.db().card.count({ where: api.ownRows() })).toBe(before);
    behavior = approve;
    const saved = await post('/cards', use);
    expect([saved.status, saved.body.id]).toEqual([201, token]);
  });

  it('lets a repeated request with the same Idempotency-Key save the card', async () => {
    behavior = failure;
    const headers = { 'idempotency-key': `outage ${name}` };
    expect(errorOf(await post('/cards', visa, headers))).toBe(1004);
    behavior = approve;
    const [first, second] = [await post('/cards', visa, headers), await post('/cards', visa, headers)];
    expect([first.status, second.text]).toEqual([201, first.text]);
  });
});

it('after several failures 1004 is returned without calling the acquirer, until the acquirer works again', async () => {
  const moveClock = freezeClock();
  behavior = request => request.socket.destroy();
  for (let i = 0; i < 5; i++) expect(errorOf(await post('/cards', visa))).toBe(1004);
  let requests = 0;
  behavior = (request, reply) => {
    requests += 1;
    approve(request, reply);
  };
  moveClock(499);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('/cards', visa)));
  expect(new Set(answers.map(errorOf))).toEqual(new Set([1004]));
  expect(requests).toBe(0);
  moveClock(1);
  expect((await post('/cards', visa)).status).toBe(201);
});
