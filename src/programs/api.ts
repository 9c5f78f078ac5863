/** `npm run api`: the API process. Serves the sandbox at PORT and, if PRODUCTION_PORT is set, production there. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../prisma/generated/enums';
import { ACQUIRER_VARIABLES, openAcquirers } from '../acquirer/acquirers';
import type { HttpAcquirer } from '../acquirer/client';
import { type Database, openDatabase } from '../database/connection';
import { Admission } from '../http/admission/admission';
import { createServer } from '../http/server';
import { Buckets } from '../limits/buckets';
import { DeclineLimits } from '../limits/declines';
import { LIMIT_VARIABLES } from '../limits/settings';
import { ApiKeyCache } from '../merchants/apiKeyCache';
import { readConfig } from '../platform/config/config';
import { FatalError, runProgram, untilStopped } from '../platform/lifetime';
import { createLog, withoutPassword } from '../platform/log';
import { openTemporal } from '../platform/temporal';
import { createVaultKeys, type VaultKeys } from '../vault/keys';
import { verifyVaultKeys } from '../vault/verifyKeys';

runProgram('api', async stop => {
  const config = readConfig([
    'NODE_ENV',
    'HOST',
    'PORT',
    'PRODUCTION_PORT',
    'PUBLIC_URL',
    'PRODUCTION_PUBLIC_URL',
    'TRUSTED_PROXIES',
    'DATABASE_URL',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
    'API_KEY_SECRET',
    ...ACQUIRER_VARIABLES,
    ...LIMIT_VARIABLES,
  ]);
  const log = createLog('api');
  const db = openDatabase(config.DATABASE_URL, 5000);
  const temporal = openTemporal(config.TEMPORAL_ADDRESS, config.TEMPORAL_NAMESPACE);
  log.info(`database ${withoutPassword(config.DATABASE_URL)}`);
  log.info(`Temporal ${config.TEMPORAL_ADDRESS}, namespace ${config.TEMPORAL_NAMESPACE}`);

  const apiKeyCache = new ApiKeyCache(db, config.DATABASE_URL, config.API_KEY_SECRET);
  const buckets = new Buckets(db);
  const admission = new Admission(buckets, config);
  const declines = new DeclineLimits(db, buckets, config.LIMIT_DECLINES_PER_HOUR);

  const vault = createVaultKeys(config.VAULT_KEYS, config.VAULT_FINGERPRINT_KEY);

  const acquirers = openAcquirers(config, vault, log);
  const { PORT, PRODUCTION_PORT, PUBLIC_URL, PRODUCTION_PUBLIC_URL } = config;
  const listeners: [Environment, number, string | undefined, HttpAcquirer | undefined, string | undefined][] = [
    ['sandbox', PORT, PUBLIC_URL, acquirers.sandbox, config.ACQUIRER_KEY],
  ];
  if (PRODUCTION_PORT) {
    const { PRODUCTION_ACQUIRER_KEY } = config;
    listeners.push([
      'production',
      PRODUCTION_PORT,
      PRODUCTION_PUBLIC_URL,
      acquirers.production,
      PRODUCTION_ACQUIRER_KEY,
    ]);
  }
  const servers = [];
  for (const [environment, port, publicUrl = `http://127.0.0.1:${port}`, acquirer, acquirerKey] of listeners) {
    if (!acquirer || !acquirerKey) throw new FatalError(`The ${environment} environment has no acquirer.`);
    const { TRUSTED_PROXIES: trustedProxies } = config;
    const services = { db, temporal, apiKeyCache, admission, declines, vault, acquirer, acquirerKey };
    const options = { environment, publicUrl, trustedProxies, log: log.child({ environment }) };
    const server = createServer({ ...services, ...options });
    await server
      .listen({ host: config.HOST, port, listenTextResolver: address => `${environment} at ${address}` })
      .catch(error => {
        throw error.code === 'EADDRINUSE' ? new FatalError(`Port ${port} is taken by another program.`) : error;
      });
    servers.push(server);
  }

  await Promise.race([untilStopped(stop), proveKeysOnceReachable(db, vault, stop)]);
  await untilStopped(stop);
  log.info('stopping: requests in flight are finished first');
  await Promise.all(servers.map(server => server.close()));
  await buckets.close();
  await Promise.all([
    apiKeyCache.close(),
    db.$disconnect(),
    ...Object.values(acquirers).map(acquirer => acquirer.close()),
  ]);
  // Closed last: a call that is retried on a closed connection would throw an uncaught error.
  await temporal.connection.close();
});

/** The database may start later than this process; the vault keys are verified as soon as it answers. */
async function proveKeysOnceReachable(db: Database, vault: VaultKeys, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const isProven = await verifyVaultKeys(db, vault).then(
      () => true,
      error => {
        if (error instanceof FatalError) throw error;
        return false;
      },
    );
    if (isProven) return;
    await sleep(1000, undefined, { signal: stop }).catch(() => undefined);
  }
}
