import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { Environment } from '../../../prisma/generated/enums';
import { HttpAcquirer } from '../../../src/acquirer/client';
import { freePort } from '../../../src/embedded/savedPorts';
import { createServer } from '../../../src/http/server';
import { createMerchant } from '../../../src/merchants/accounts';
import { ApiKeyCache } from '../../../src/merchants/keyring';
import { openTemporal } from '../../../src/platform/temporal';
import { variables } from '../../../src/platform/variables';
import { keepForSearch, refuseCanaries } from '../cards/canaries';
import { testAcquirer } from './acquirer';
import { testDatabase } from './database';
import { secrets, vault } from './secrets';
import { temporalAddress } from './temporal';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  body: any;
  text: string;
}

export interface Merchant {
  id: string;
  private_key: string;
  public_key: string;
}

export interface Ask {
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
}

export const basic = (key: string, password = ''): string =>
  `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`;

export async function ask(url: string, method: string, { body, key, headers }: Ask): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(key ? { authorization: basic(key) } : {}), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  refuseCanaries(`the answer to ${method} ${url}`, text);
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : undefined };
}

/** Longer than the acquirer's slow answers. */
const ACQUIRER_PATIENCE_MS = 3000;

/** Both environments' servers on a database of their own, with a merchant each and another one in the sandbox. */
export function testApi({ patienceMs, namespace = 'default' }: { patienceMs?: number; namespace?: string } = {}) {
  const database = testDatabase();
  const acquirer = testAcquirer();
  const secret = variables.API_KEY_SECRET.defaultValue;
  const lines: string[] = [];
  const servers: Partial<Record<Environment, FastifyInstance>> = {};
  const clients: HttpAcquirer[] = [];
  let keyring: ApiKeyCache;
  let merchants: Record<'own' | 'other' | 'production', Merchant>;
  const temporal = openTemporal(temporalAddress(), namespace);

  beforeAll(async () => {
    const log = pino({ level: 'debug' }, { write: line => void lines.push(line) });
    keyring = new ApiKeyCache(database.db(), database.url(), secret);
    for (const environment of ['sandbox', 'production'] as const) {
      const client = new HttpAcquirer({ ...acquirer.credentials(), vault, log, patienceMs: ACQUIRER_PATIENCE_MS });
      clients.push(client);
      const port = await freePort();
      const parts = {
        environment,
        publicUrl: `http://127.0.0.1:${port}`,
        db: database.db(),
        temporal,
        keyring,
        vault,
        acquirer: client,
        acquirerKey: secrets.ACQUIRER_KEY,
        log,
        patienceMs,
      };
      const server = createServer(parts);
      await server.listen({ port, host: '127.0.0.1' });
      servers[environment] = server;
    }
    acquirer.notifies(origin());
    const make = (environment: Environment) =>
      createMerchant(database.db(), { environment, name: 'Tienda', email: 'tienda@example.com' }, secret);
    merchants = { own: await make('sandbox'), other: await make('sandbox'), production: await make('production') };
  });
  afterAll(async () => {
    await Promise.all(Object.values(servers).map(server => server.close()));
    await Promise.all([keyring.close(), temporal.connection.close(), ...clients.map(client => client.close())]);
    keepForSearch('api.log', lines.join(''));
  });

  const origin = (environment: Environment = 'sandbox'): string => {
    const address = servers[environment]?.server.address() as AddressInfo | undefined;
    return `http://127.0.0.1:${address?.port}`;
  };
  /** Below /v1/{own merchant}, with its private key unless told otherwise. */
  const rest = (method: string, path: string, asked: Ask = {}): Promise<Answer> =>
    ask(`${origin()}/v1/${merchants.own.id}${path}`, method, { key: merchants.own.private_key, ...asked });
  const graphql = (query: string, variables: object = {}, asked: Ask = {}): Promise<Answer> =>
    ask(`${origin()}/graphql`, 'POST', { key: merchants.own.private_key, body: { query, variables }, ...asked });

  return { database, acquirer, temporal, origin, rest, graphql, lines, secret, merchants: () => merchants };
}

/** The error of an answer, whichever door it came through. */
export const errorOf = ({ body }: Answer): number => body?.error_code ?? body?.errors?.[0]?.extensions?.error_code;
