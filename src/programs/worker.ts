/**
 * `npm run worker`: runs workflows and activities for the environment named by ENVIRONMENT, or for both. Waits until the
 * Temporal server is reachable.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { taskQueueOf } from '../../workflows/contract';
import { runSealingLoop } from '../accounts/auditLog/seal';
import { replacementActivities } from '../billing/planReplacements/activities';
import { subscriptionActivities } from '../billing/subscriptions/billing/activities';
import { operatorActivities } from '../billing/subscriptions/operating/requests';
import { openAcquirers } from '../gateway/acquirer/acquirers';
import { FraudRuleCache } from '../gateway/fraud/ruleCache';
import { FraudScreening } from '../gateway/fraud/screening';
import { openMailers } from '../notifications/email/mailer';
import { deliveryActivities } from '../notifications/webhooks/delivery/activities';
import { Announcer } from '../notifications/webhooks/delivery/announcer';
import type { Senders } from '../notifications/webhooks/delivery/attempt';
import { DeliveryEngine } from '../notifications/webhooks/delivery/engine';
import { startHeartbeat } from '../operations/background/heartbeat';
import { operatorLinks } from '../operations/background/operatorLinks';
import { runOutboxLoop } from '../operations/background/outbox';
import { outboxHandlers } from '../operations/background/outboxHandlers';
import { runRecoveryLoop } from '../operations/background/recovery';
import { runRenewalCountLoop } from '../operations/background/renewalMinutes';
import { RenewalLoad } from '../operations/background/renewals';
import { sweepActivities } from '../operations/background/sweep';
import { runNamespaceLoop } from '../operations/background/temporalNamespace';
import { Wakeups } from '../operations/background/wakeups';
import { exposeMetrics } from '../operations/metrics/expose';
import { runBulkLoop } from '../operations/operators/bulk/run';
import { reconciliationActivities } from '../operations/reconciliation/workflowChecks';
import { expiryActivities } from '../payments/charges/expiry';
import { payoutActivities } from '../payments/payouts/send';
import { settlementActivities } from '../payments/settlements/activities';
import { type Config, readConfig } from '../platform/config/config';
import { type TemporalCredentials, temporalCredentials } from '../platform/config/security/temporalTls';
import { setBatchDelay } from '../platform/database/batch';
import { openDatabase } from '../platform/database/connection';
import { environmentsOf } from '../platform/database/environments';
import { listen } from '../platform/database/listen';
import { runProgram, untilStopped } from '../platform/lifetime';
import { announcePrivateNetworks, createLog, type Log, withoutPassword } from '../platform/log';
import { patchTemporalWorker } from '../platform/patches/temporalWorker';
import { fromRoot } from '../platform/root';
import { Sender } from '../platform/sending/sender';
import { openTemporal } from '../platform/temporal';
import { startTracing } from '../platform/tracing/export';
import { traceActivities } from '../platform/tracing/work';
import { createVaultKeys } from '../platform/vault/keys';
import { programVariables } from './variables';

const MAX_CACHED_WORKFLOWS = 200;
/** Must exceed the longest sweep query. */
const DATABASE_TIMEOUT_MS = 60_000;
/** Generous: a missed notification is cheap, and reconnecting to a slow database does not help. */
const LISTEN_PATIENCE_MS = 2000;

runProgram('worker', async ended => {
  const config = readConfig(programVariables.worker);
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = config;
  const credentials = temporalCredentials(config);
  const environments = environmentsOf(config.ENVIRONMENT);
  const taskQueue = taskQueueOf(config.ENVIRONMENT);
  const log = createLog('worker');
  installRuntime(log, config);
  announcePrivateNetworks(config, log);
  log.info(`database ${withoutPassword(config.DATABASE_URL)}`);

  const db = openDatabase(config.DATABASE_URL, DATABASE_TIMEOUT_MS);
  const heartbeat = startHeartbeat(db, config.ENVIRONMENT, log, ended);
  const { stop } = heartbeat;
  const vault = createVaultKeys(config.VAULT_KEYS, config.VAULT_FINGERPRINT_KEY);
  const acquirers = openAcquirers(config, vault, log);
  await exposeMetrics(config, { db, acquirers, worker: { environments, log } });
  const sendLastSpans = await startTracing('worker', config, db);
  const fraudRules = new FraudRuleCache(db, config.DATABASE_URL);
  // The background loops do not depend on Temporal being up.
  const publicUrl = config.PUBLIC_URL ?? config.PRODUCTION_PUBLIC_URL;
  const temporal = openTemporal(address, namespace, credentials, publicUrl ? [operatorLinks(publicUrl)] : []);
  const mailers = openMailers(config);
  const origins = { sandbox: config.PUBLIC_URL, production: config.PRODUCTION_PUBLIC_URL };
  const payerPages = { key: vault.linking, origins };
  const renewals = new RenewalLoad();
  setBatchDelay(db, renewals.pauseMs);
  // Separate groups, so that a slow mail server or acquirer delays no workflow.
  const outboxGroups = [
    outboxHandlers('database', { db }),
    outboxHandlers('temporal', { db, temporal, taskQueue }),
    outboxHandlers('nudges', { db, temporal, taskQueue }),
    outboxHandlers('acquirer', { db, acquirers }),
    outboxHandlers('mail', { db, mailers, payerPages, operatorEmail: config.OPERATOR_EMAIL }),
  ];
  const senders: Senders = Object.fromEntries(
    environments.map(environment => [
      environment,
      new Sender({ strict: config.NODE_ENV === 'production' || environment === 'production' }),
    ]),
  );
  const announcer = new Announcer(db);
  const engine = new DeliveryEngine(db, vault, senders, log);
  const wakeups = new Wakeups();
  stop.addEventListener('abort', () => wakeups.wake());
  const lookForWork = (): void => {
    engine.notify();
    wakeups.wake();
  };
  const listener = {
    onNotification: lookForWork,
    // Work announced while disconnected is found on reconnect.
    onConnection: (isConnected: boolean) => isConnected && lookForWork(),
    patienceMs: LISTEN_PATIENCE_MS,
  };
  const backgroundLoops = Promise.all([
    listen(config.DATABASE_URL, 'deliveries', listener, stop),
    engine.run(stop),
    runRecoveryLoop(db, acquirers, log, stop),
    runSealingLoop(db, environments, { key: vault.auditing, file: config.AUDIT_HEADS_FILE }, log, stop),
    runRenewalCountLoop(db, stop),
    runBulkLoop({ db, temporal, log }, environments, stop),
    runOutboxLoop(db, outboxGroups, environments, wakeups, log, stop),
  ]);

  const connection = await connect({ address, ...credentials }, stop, log);
  if (!connection) return void (await Promise.all([backgroundLoops, fraudRules.close(), heartbeat.leave()]));
  log.info(`Temporal ${address}, namespace ${namespace}, task queue ${taskQueue}`);
  const worker = await Worker.create({
    ...(config.TEMPORAL_WORKER_PATCH && (await patchTemporalWorker(log))),
    connection,
    namespace,
    taskQueue,
    workflowBundle: { codePath: fromRoot('dist/workflows/bundle.js') },
    activities: announcer.announceAfter(
      traceActivities({
        ...sweepActivities(db, temporal, environments, taskQueue),
        ...reconciliationActivities(db, temporal, environments),
        ...expiryActivities(db, acquirers),
        ...renewals.watch(subscriptionActivities(db, acquirers, new FraudScreening(db, vault, fraudRules))),
        ...operatorActivities(db, temporal),
        ...deliveryActivities(db),
        ...payoutActivities(db, acquirers),
        ...replacementActivities(db),
        ...settlementActivities(db),
      }),
    ),
    // A workflow whose history does not replay fails instead of blocking forever; the sweep restarts it from its row.
    workflowFailureErrorTypes: { '*': ['NondeterminismError'] },
    // Keeps memory independent of the number of sleeping subscriptions.
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    shutdownGraceTime: '10 seconds',
    shutdownForceTime: '30 seconds',
  });
  const namespaceLoop = runNamespaceLoop(temporal, taskQueue, log, stop);
  const running = worker.run();
  await Promise.race([untilStopped(stop), running]);
  log.info('stopping: waiting for activities in flight');
  if (worker.getState() === 'RUNNING') worker.shutdown();
  await Promise.all([running, backgroundLoops, namespaceLoop]);
  await sendLastSpans();
  await announcer.close();
  await Promise.all([fraudRules.close(), heartbeat.leave()]);
  await Promise.all([connection.close(), db.$disconnect()]);
  mailers.close();
  await Promise.all(Object.values(senders).map(sender => sender.close()));
  await temporal.connection.close();
});

async function connect(
  server: TemporalCredentials & { address: string },
  stop: AbortSignal,
  log: Log,
): Promise<NativeConnection | undefined> {
  for (let attempts = 0; !stop.aborted; attempts++) {
    try {
      // Compressing costs more processor time than it saves on a network.
      return await NativeConnection.connect({ ...server, grpcCompression: { codec: 'none' } });
    } catch (error) {
      if (attempts % 30 === 0)
        log.info(`waiting for the Temporal server at ${server.address}: ${(error as Error).message}`);
      await sleep(1000, undefined, { signal: stop }).catch(() => undefined);
    }
  }
  return undefined;
}

type RuntimeConfig = Config<'METRICS_HOST' | 'TEMPORAL_METRICS_PORT'>;

/** Forwards the SDK's warnings and errors to our log, and exposes its metrics. */
function installRuntime(log: Log, { METRICS_HOST, TEMPORAL_METRICS_PORT: port }: RuntimeConfig): void {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => log[levels[level]](toLog(meta), message)),
    telemetryOptions: {
      logging: { forward: {}, filter: 'WARN' },
      ...(port && { metrics: { prometheus: { bindAddress: `${METRICS_HOST}:${port}` } } }),
    },
    shutdownSignals: [],
  });
}

/** The SDK uses the field `error`; pino expects `err`. */
const toLog = ({ error, ...meta }: Record<string, unknown> = {}): object => (error ? { ...meta, err: error } : meta);
