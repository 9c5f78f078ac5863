/**
 * `npm run api`: the API process. Serves the environment named by ENVIRONMENT. Without it, serves the sandbox at PORT
 * and, if PRODUCTION_PORT is set, production at that port.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../prisma/generated/enums';
import { taskQueueOf } from '../../workflows/contract';
import { ApiKeyCache } from '../accounts/merchants/apiKeyCache';
import { Admission } from '../api/admission/admission';
import { openAcquirers } from '../gateway/acquirer/acquirers';
import { DeclineLimits } from '../gateway/declines';
import { FraudRuleCache } from '../gateway/fraud/ruleCache';
import { FraudScreening } from '../gateway/fraud/screening';
import { listeningError } from '../local/savedPorts';
import { exposeMetrics } from '../operations/metrics/expose';
import { readConfig } from '../platform/config/config';
import { temporalCredentials } from '../platform/config/security/temporalTls';
import { type Database, openDatabase } from '../platform/database/connection';
import { FatalError, runProgram, untilStopped } from '../platform/lifetime';
import { Buckets } from '../platform/limits/buckets';
import { announcePrivateNetworks, createLog, withoutPassword } from '../platform/log';
import { openTemporal } from '../platform/temporal';
import { startTracing } from '../platform/tracing/export';
import { createVaultKeys, type VaultKeys } from '../platform/vault/keys';
import { verifyVaultKeys } from '../platform/vault/verifyKeys';
import { createServer } from '../web/server';
import { programVariables } from './variables';

runProgram('api', async stop => {
  const config = readConfig(programVariables.api);
  const log = createLog('api');
  const db = openDatabase(config.DATABASE_URL, 5000);
  const temporal = openTemporal(config.TEMPORAL_ADDRESS, config.TEMPORAL_NAMESPACE, temporalCredentials(config));
  announcePrivateNetworks(config, log);
  log.info(`database ${withoutPassword(config.DATABASE_URL)}`);
  log.info(`Temporal ${config.TEMPORAL_ADDRESS}, namespace ${config.TEMPORAL_NAMESPACE}`);

  const apiKeyCache = new ApiKeyCache(db, config.DATABASE_URL, config.API_KEY_SECRET);
  const buckets = new Buckets(db);
  const admission = new Admission(buckets, config);
  const declines = new DeclineLimits(db, buckets, config.LIMIT_DECLINES_PER_HOUR);

  const vault = createVaultKeys(config.VAULT_KEYS, config.VAULT_FINGERPRINT_KEY);
  const fraudRules = new FraudRuleCache(db, config.DATABASE_URL);
  const fraud = new FraudScreening(db, vault, fraudRules);

  const acquirers = openAcquirers(config, vault, log);
  await exposeMetrics(config, { db, acquirers });
  const sendLastSpans = await startTracing('api', config, db);
  type Text = string | undefined;
  const listeners: [Environment, port: number | undefined, publicUrl: Text, acquirerKey: Text][] = [
    ['sandbox', config.PORT, config.PUBLIC_URL, config.ACQUIRER_KEY],
    ['production', config.PRODUCTION_PORT, config.PRODUCTION_PUBLIC_URL, config.PRODUCTION_ACQUIRER_KEY],
  ];
  const { sandbox, production } = acquirers;
  const connections = {
    ...(sandbox && { sandbox: sandbox.connection }),
    ...(production && { production: production.connection }),
  };
  const servers = [];
  for (const [environment, port, publicUrl = `http://127.0.0.1:${port}`, acquirerKey] of listeners) {
    if (port === undefined) continue;
    const acquirer = acquirers[environment];
    if (!acquirer || !acquirerKey) throw new FatalError(`The ${environment} environment has no acquirer.`);
    const services = { db, temporal, apiKeyCache, admission, declines, fraud, vault, acquirer, acquirerKey };
    const options = {
      environment,
      taskQueue: taskQueueOf(config.ENVIRONMENT),
      publicUrl,
      mayCallPrivateHosts: environment === 'sandbox' && config.NODE_ENV !== 'production',
      isTrial: environment === 'production' && config.NODE_ENV !== 'production',
      bankAccountWaitHours: config.BANK_ACCOUNT_WAIT_HOURS,
      trustedProxies: config.TRUSTED_PROXIES,
      mailKey: config.MAIL_WEBHOOK_KEY,
      temporalUiUrl: config.TEMPORAL_UI_URL,
      acquirers: connections,
      neighbours: {
        temporalUi: config.TEMPORAL_UI_URL,
        temporalNamespace: config.TEMPORAL_NAMESPACE,
        inbox: config.INBOX_URL,
        journal: config.JOURNAL_URL,
      },
      log: log.child({ environment }),
    };
    const server = createServer({ ...services, ...options });
    await server.ready();
    await takePort(port, config.HOST);
    await server
      .listen({ host: config.HOST, port, listenTextResolver: address => `${environment} at ${address}` })
      .catch(error => {
        throw error.code === 'EADDRINUSE' ? new FatalError(`Port ${port} is in use by another program.`) : error;
      });
    servers.push(server);
  }

  await Promise.race([untilStopped(stop), verifyKeysWhenReachable(db, vault, stop)]);
  await untilStopped(stop);
  log.info('stopping: waiting for requests in flight');
  await Promise.all(servers.map(server => server.close()));
  await sendLastSpans();
  await buckets.close();
  await Promise.all([
    apiKeyCache.close(),
    fraudRules.close(),
    db.$disconnect(),
    ...Object.values(acquirers).map(acquirer => acquirer.close()),
  ]);
  // Closed last: a retry on a closed connection would throw an uncaught error.
  await temporal.connection.close();
});

const MAX_RELEASE_MS = 10_000;

/** `npm start` answers at the port until this process asks for it. */
async function takePort(port: number, host: string): Promise<void> {
  const deadline = Date.now() + MAX_RELEASE_MS;
  while (process.connected && (await listeningError(port, host)) === 'EADDRINUSE' && Date.now() < deadline) {
    process.send?.('port wanted');
    await sleep(50);
  }
}

/** The database may start later than this process. */
async function verifyKeysWhenReachable(db: Database, vault: VaultKeys, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const isVerified = await verifyVaultKeys(db, vault).then(
      () => true,
      error => {
        if (error instanceof FatalError) throw error;
        return false;
      },
    );
    if (isVerified) return;
    await sleep(1000, undefined, { signal: stop }).catch(() => undefined);
  }
}
