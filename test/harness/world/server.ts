/** An API server of a test world, in this process. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Environment } from '../../../prisma/generated/enums';
import type { ApiKeyCache } from '../../../src/accounts/merchants/apiKeyCache';
import { Admission } from '../../../src/api/admission/admission';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { DeclineLimits } from '../../../src/gateway/declines';
import { FraudRuleCache } from '../../../src/gateway/fraud/ruleCache';
import { FraudScreening } from '../../../src/gateway/fraud/screening';
import type { Database } from '../../../src/platform/database/connection';
import { Buckets } from '../../../src/platform/limits/buckets';
import { LIMIT_VARIABLES, type LimitSettings } from '../../../src/platform/limits/settings';
import { openTemporal } from '../../../src/platform/temporal';
import type { NeighbourPages } from '../../../src/web/front/view';
import { createServer } from '../../../src/web/server';
import { type ClaimedPort, claimPort } from './port';
import { secrets, vault } from './secrets';
import { temporalAddress } from './temporal';

/** Signs notifications of the mail provider. */
export const MAIL_KEY = 'the-mail-provider-of-all-tests-000000';

export const NO_LIMITS = Object.fromEntries(LIMIT_VARIABLES.map(name => [name, 1_000_000])) as LimitSettings;

export interface ServerOptions {
  environment?: Environment;
  acquirerTimeoutMs: number;
  patienceMs?: number | undefined;
  namespace?: string | undefined;
  limits?: Partial<LimitSettings> | undefined;
  /** Proxies whose X-Forwarded-For is trusted, for clients with several addresses. */
  trustedProxies?: string[] | undefined;
  /** Addresses that the front page links to. */
  neighbours?: NeighbourPages | undefined;
}

/** The parts that all servers of a world share. */
interface SharedParts {
  db: Database;
  databaseUrl: string;
  temporal: Client;
  apiKeyCache: ApiKeyCache;
  acquirer: { url: string };
  log: Logger;
}

export interface RunningServer {
  origin: string;
  close(): Promise<void>;
}

export async function startServer(world: SharedParts, options: ServerOptions): Promise<RunningServer> {
  const { environment = 'sandbox', acquirerTimeoutMs, patienceMs, limits, trustedProxies, neighbours = {} } = options;
  const { db, log } = world;
  const temporal = options.namespace ? openTemporal(temporalAddress(), options.namespace) : world.temporal;
  const acquirer = new HttpAcquirer({
    url: world.acquirer.url,
    key: secrets.ACQUIRER_KEY,
    vault,
    log,
    timeoutMs: acquirerTimeoutMs,
  });
  const buckets = new Buckets(db);
  const settings = { ...NO_LIMITS, ...limits };
  const fraudRules = new FraudRuleCache(db, world.databaseUrl);
  const claim: ClaimedPort = await claimPort();
  const origin = `http://127.0.0.1:${claim.port}`;
  const server = createServer({
    environment,
    publicUrl: origin,
    mayCallPrivateHosts: environment === 'sandbox',
    bankAccountWaitHours: 48,
    db,
    temporal,
    apiKeyCache: world.apiKeyCache,
    admission: new Admission(buckets, settings),
    declines: new DeclineLimits(db, buckets, settings.LIMIT_DECLINES_PER_HOUR),
    fraud: new FraudScreening(db, vault, fraudRules),
    vault,
    acquirer,
    acquirers: { [environment]: acquirer.connection },
    temporalUiUrl: neighbours.temporalUi,
    acquirerKey: secrets.ACQUIRER_KEY,
    mailKey: MAIL_KEY,
    log,
    requestTimeoutMs: patienceMs,
    trustedProxies,
    neighbours,
  });
  await server.listen({ port: claim.port, host: '127.0.0.1' });
  const close = async (): Promise<void> => {
    await server.close();
    claim.release();
    await fraudRules.close();
    await buckets.close();
    await acquirer.close();
    if (temporal !== world.temporal) await temporal.connection.close();
  };
  return { origin, close };
}
