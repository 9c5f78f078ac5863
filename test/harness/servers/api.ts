import { assertListed } from '../api/listedErrors';
import { assertNoCardData } from '../cards/canaries';
import { atTheEnd } from '../flow/atTheEnd';
import type { ServerOptions } from '../world/server';
import { API_KEY_SECRET, type Merchant, sharedWorld, World } from '../world/world';
import { acquirerCalls } from './acquirer';

export interface ApiResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests check its shape
  body: any;
  text: string;
}

export interface RequestOptions {
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
}

export const basic = (key: string, password = ''): string =>
  `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`;

export async function sendRequest(
  url: string,
  method: string,
  { body, key, headers }: RequestOptions,
): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers: { ...(key ? { authorization: basic(key) } : {}), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  assertNoCardData(`the answer to ${method} ${url}`, text);
  const answer = text ? JSON.parse(text) : undefined;
  assertListed(method, url, answer);
  return { status: response.status, headers: response.headers, text, body: answer };
}

/** A timeout for tests in which the acquirer does not respond, beyond any response time on a busy machine. */
export const SHORT_TIMEOUT_MS = 6000;

/** A timeout that no busy machine reaches. */
const LONG_TIMEOUT_MS = 60_000;

interface TestApiOptions extends Omit<ServerOptions, 'acquirerTimeoutMs' | 'environment'> {
  acquirerTimeoutMs?: number;
  /** For files that reach the limits per client address. */
  ownServer?: boolean;
  /** For files that kill, migrate, count or hold across merchants. */
  ownWorld?: boolean;
  /** `billing` has a worker; without a worker there is no background activity. */
  kind?: 'api' | 'billing';
}

/** An API server, with two sandbox merchants and one production merchant that only this test file uses. */
export function testApi({
  ownServer = false,
  ownWorld = false,
  kind = 'api',
  acquirerTimeoutMs = LONG_TIMEOUT_MS,
  ...options
}: TestApiOptions = {}) {
  let world: World;
  let merchants: Record<'own' | 'other' | 'production', Merchant>;
  let sandboxOrigin: string;
  const isSharedServer = !ownServer && Object.keys(options).length === 0;

  const startServer = async (environment: 'sandbox' | 'production'): Promise<string> => {
    const server = await world.startServer({ environment, acquirerTimeoutMs, ...options });
    atTheEnd(() => server.close());
    return server.origin;
  };

  beforeAll(async () => {
    if (ownWorld) {
      world = await World.start(kind);
      atTheEnd(async () => expect(await world.stop()).toEqual([]));
    } else world = await sharedWorld(kind);
    merchants = await world.beginFile();
    sandboxOrigin = isSharedServer
      ? (await world.sharedServer('sandbox', acquirerTimeoutMs)).origin
      : await startServer('sandbox');
    world.acquirer.notifyApiAt(sandboxOrigin);
  });

  const origin = (): string => sandboxOrigin;
  /** Starts the production server, for the test that requests it. */
  const startProduction = async (): Promise<string> =>
    isSharedServer ? (await world.sharedServer('production', acquirerTimeoutMs)).origin : startServer('production');
  /** Another sandbox server, which shares only the database with the first one. */
  const startAnother = (): Promise<string> => startServer('sandbox');
  /** Sends a request below /v1/{own merchant}, with its private key by default. */
  const rest = (method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> =>
    sendRequest(`${origin()}/v1/${merchants.own.id}${path}`, method, { key: merchants.own.private_key, ...options });
  const graphql = (query: string, variables: object = {}, options: RequestOptions = {}): Promise<ApiResponse> =>
    sendRequest(`${origin()}/graphql`, 'POST', {
      key: merchants.own.private_key,
      body: { query, variables },
      ...options,
    });

  return {
    world: () => world,
    database: { url: () => world.databaseUrl, db: () => world.db },
    acquirer: acquirerCalls(() => world.acquirer),
    temporal: () => world.temporal,
    origin,
    startProduction,
    startAnother,
    rest,
    graphql,
    lines: () => world.lines,
    secret: API_KEY_SECRET,
    merchants: () => merchants,
    /** A `where` condition for the records of this file's merchants. */
    ownRows: () => ({ merchant_id: { in: Object.values(merchants).map(({ id }) => id) } }),
  };
}

/** The error code of a response, whether REST or GraphQL. */
export const errorOf = ({ body }: ApiResponse): number => body?.error_code ?? body?.errors?.[0]?.extensions?.error_code;
