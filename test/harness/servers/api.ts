import pino from 'pino';
import type { Environment } from '../../../prisma/generated/enums';
import { HttpAcquirer } from '../../../src/acquirer/client';
import { FraudRuleCache } from '../../../src/fraud/ruleCache';
import { FraudScreening } from '../../../src/fraud/screening';
import { Admission } from '../../../src/http/admission/admission';
import type { NeighbourPages } from '../../../src/http/pages/front/view';
import { createServer } from '../../../src/http/server';
import { Buckets } from '../../../src/limits/buckets';
import { DeclineLimits } from '../../../src/limits/declines';
import { LIMIT_VARIABLES, type LimitSettings } from '../../../src/limits/settings';
import { createMerchant } from '../../../src/merchants/accounts';
import { ApiKeyCache } from '../../../src/merchants/apiKeyCache';
import { variables } from '../../../src/platform/config/variables';
import { openTemporal } from '../../../src/platform/temporal';
import { assertListed } from '../api/listedErrors';
import { assertNoCardData, saveForLeakSearch } from '../cards/canaries';
import { atTheEnd } from '../flow/atTheEnd';
import { testAcquirer } from './acquirer';
import { testDatabase } from './database';
import { testPort } from './port';
import { secrets, vault } from './secrets';
import { temporalAddress } from './temporal';

export interface ApiResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests check its shape
  body: any;
  text: string;
}

interface Merchant {
  id: string;
  private_key: string;
  public_key: string;
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

export const NO_LIMITS = Object.fromEntries(LIMIT_VARIABLES.map(name => [name, 1_000_000])) as LimitSettings;

/** For tests in which the acquirer is silent. Longer than a busy machine takes for what it does answer. */
export const SHORT_TIMEOUT_MS = 6000;

interface TestApiOptions {
  patienceMs?: number;
  namespace?: string;
  /** As a rule so long that no busy machine reaches it. */
  acquirerTimeoutMs?: number;
  /** As a rule so much that no test reaches it. */
  limits?: Partial<LimitSettings>;
  /** What the front page leads to. */
  neighbours?: NeighbourPages;
}

/** An API server on a test database, with two merchants in the sandbox and one in production. */
export function testApi({
  patienceMs,
  namespace = 'default',
  acquirerTimeoutMs = 60_000,
  limits,
  neighbours = {},
}: TestApiOptions = {}) {
  const database = testDatabase();
  const acquirer = testAcquirer();
  const secret = variables.API_KEY_SECRET.defaultValue;
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: line => void lines.push(line) });
  let merchants: Record<'own' | 'other' | 'production', Merchant>;
  let apiKeyCache: ApiKeyCache;
  let sandboxOrigin: string;
  const temporal = openTemporal(temporalAddress(), namespace);

  const startServer = async (environment: Environment): Promise<string> => {
    const client = new HttpAcquirer({ ...acquirer.credentials(), vault, log, timeoutMs: acquirerTimeoutMs });
    atTheEnd(() => client.close());
    const buckets = new Buckets(database.db());
    atTheEnd(() => buckets.close());
    const settings = { ...NO_LIMITS, ...limits };
    const admission = new Admission(buckets, settings);
    const declines = new DeclineLimits(database.db(), buckets, settings.LIMIT_DECLINES_PER_HOUR);
    const fraudRules = new FraudRuleCache(database.db(), database.url());
    atTheEnd(() => fraudRules.close());
    const port = await testPort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const server = createServer({
      environment,
      publicUrl,
      mayCallPrivateHosts: environment === 'sandbox',
      db: database.db(),
      temporal,
      apiKeyCache,
      admission,
      declines,
      fraud: new FraudScreening(database.db(), vault, fraudRules),
      vault,
      acquirer: client,
      acquirerKey: secrets.ACQUIRER_KEY,
      log,
      requestTimeoutMs: patienceMs,
      neighbours,
    });
    atTheEnd(() => server.close());
    await server.listen({ port, host: '127.0.0.1' });
    return publicUrl;
  };

  beforeAll(async () => {
    atTheEnd(() => saveForLeakSearch('api.log', lines.join('')));
    atTheEnd(() => temporal.connection.close());
    apiKeyCache = new ApiKeyCache(database.db(), database.url(), secret);
    atTheEnd(() => apiKeyCache.close());
    sandboxOrigin = await startServer('sandbox');
    acquirer.notifyApiAt(sandboxOrigin);
    const newMerchant = (environment: Environment) =>
      createMerchant(
        database.db(),
        { environment, name: 'Tienda', email: 'tienda@example.com', phone: '6011234567' },
        secret,
      );
    merchants = {
      own: await newMerchant('sandbox'),
      other: await newMerchant('sandbox'),
      production: await newMerchant('production'),
    };
  });

  const origin = (): string => sandboxOrigin;
  /** Starts the server of production, for the test that asks for it. */
  const startProduction = (): Promise<string> => startServer('production');
  /** Another server of the sandbox, which shares nothing with the first but the database. */
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
    database,
    acquirer,
    temporal,
    origin,
    startProduction,
    startAnother,
    rest,
    graphql,
    lines,
    secret,
    merchants: () => merchants,
  };
}

/** The error code of a response, whether REST or GraphQL. */
export const errorOf = ({ body }: ApiResponse): number => body?.error_code ?? body?.errors?.[0]?.extensions?.error_code;
