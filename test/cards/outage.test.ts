/** Saving a card while the acquirer is not what it should be. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { HttpAcquirer } from '../../src/acquirer/client';
import { createServer as createApi } from '../../src/http/server';
import { ApiKeyCache } from '../../src/merchants/keyring';
import { openTemporal } from '../../src/platform/temporal';
import { visa } from '../harness/cards/testCards';
import { type Answer, ask, errorOf, testApi } from '../harness/servers/api';
import { secrets, vault } from '../harness/servers/secrets';
import { temporalAddress } from '../harness/servers/temporal';

const api = testApi();
const log = pino({ level: 'silent' });
let act: RequestListener;
let acting: Server;
let server: ReturnType<typeof createApi>;
let acquirer: HttpAcquirer;
let keyring: ApiKeyCache;
const temporal = openTemporal(temporalAddress(), 'default');

beforeAll(async () => {
  acting = createServer((request, reply) => act(request, reply));
  await new Promise<void>(resolve => acting.listen(0, '127.0.0.1', resolve));
  keyring = new ApiKeyCache(api.database.db(), api.database.url(), api.secret);
  await start();
});
afterAll(async () => {
  await server.close();
  await Promise.all([keyring.close(), acquirer.close(), temporal.connection.close()]);
  acting.closeAllConnections();
  acting.close();
});

/** An API with a client of its own, whose breaker has seen nothing yet. */
async function start(): Promise<void> {
  const url = `http://127.0.0.1:${(acting.address() as AddressInfo).port}`;
  acquirer = new HttpAcquirer({ url, key: secrets.ACQUIRER_KEY, vault, log, patienceMs: 400 });
  const parts = {
    environment: 'sandbox',
    db: api.database.db(),
    temporal,
    publicUrl: 'http://127.0.0.1:1',
    keyring,
    vault,
    acquirer,
    acquirerKey: secrets.ACQUIRER_KEY,
    log,
  } as const;
  server = createApi(parts);
  await server.listen({ port: 0, host: '127.0.0.1' });
}

const post = (path: string, body: object, headers = {}): Promise<Answer> => {
  const { id, private_key: key } = api.merchants().own;
  const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return ask(`${origin}/v1/${id}${path}`, 'POST', { key, body, headers });
};
const approve: RequestListener = (_, reply) => reply.end('{"response":"00","authorization":"1"}');

describe.each<[string, RequestListener]>([
  ['closes the connection', request => request.socket.destroy()],
  [
    'closes it half way',
    (_, reply) => {
      reply.writeHead(200, { 'content-length': '50' });
      reply.write('{"resp');
      setTimeout(() => reply.destroy(), 10);
    },
  ],
  ['answers rubbish', (_, reply) => reply.end('OK')],
  ['answers 500', (_, reply) => reply.writeHead(500).end('{}')],
  ['never answers', () => undefined],
])('an acquirer that %s', (name, behaviour) => {
  it('1004 with Retry-After, no card, and the token is not used up', async () => {
    act = behaviour;
    const before = await api.database.db().card.count();
    const refused = await post('/cards', visa);
    expect([refused.status, errorOf(refused), refused.headers.get('retry-after')]).toEqual([503, 1004, '5']);
    const token = (await post('/tokens', visa)).body.id;
    const use = { token_id: token, device_session_id: 'device' };
    expect(errorOf(await post('/cards', use))).toBe(1004);
    expect(await api.database.db().card.count()).toBe(before);
    act = approve;
    const saved = await post('/cards', use);
    expect([saved.status, saved.body.id]).toEqual([201, token]);
  });

  it('leaves a repeat under the same Idempotency-Key to finish the work', async () => {
    act = behaviour;
    const headers = { 'idempotency-key': `outage ${name}` };
    expect(errorOf(await post('/cards', visa, headers))).toBe(1004);
    act = approve;
    const [first, second] = [await post('/cards', visa, headers), await post('/cards', visa, headers)];
    expect([first.status, second.text]).toEqual([201, first.text]);
  });
});

it('a dead acquirer is not waited for again and again, and is used again when it is back', async () => {
  act = () => undefined;
  for (let i = 0; i < 5; i++) expect(errorOf(await post('/cards', visa))).toBe(1004);
  let asked = 0;
  act = (request, reply) => {
    asked += 1;
    approve(request, reply);
  };
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('/cards', visa)));
  expect(new Set(answers.map(errorOf))).toEqual(new Set([1004]));
  expect(asked).toBe(0);
  const deadline = Date.now() + 10_000;
  let status = 503;
  while (status === 503 && Date.now() < deadline) status = (await post('/cards', visa)).status;
  expect(status).toBe(201);
});
