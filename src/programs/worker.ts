/** `npm run worker`: runs the workflows and their activities. It waits for its Temporal server as long as that takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { TASK_QUEUE } from '../../workflows/contract';
import { ACQUIRER_VARIABLES, openAcquirers } from '../acquirer/open';
import { keepDraining, localHandlers, mailHandlers, temporalHandlers } from '../background/outbox';
import { keepRecovering } from '../background/recovery';
import { ensureNamespace } from '../background/schedules';
import { sweepActivities } from '../background/sweep';
import { expiryActivities } from '../charges/pending/expiry';
import { openDatabase } from '../database/connection';
import { openMailer } from '../mail/mailer';
import { readConfig } from '../platform/config';
import { runProgram, untilStopped } from '../platform/lifetime';
import { createLog, type Log, withoutPassword } from '../platform/log';
import { fromRoot } from '../platform/root';
import { openTemporal } from '../platform/temporal';
import { Sender } from '../sending/sender';
import { subscriptionActivities } from '../subscriptions/billing/activities';
import { vaultKeys } from '../vault/keys';
import { Announcer } from '../webhooks/delivery/announcer';
import { DeliveryEngine } from '../webhooks/delivery/engine';
import { deliveryActivities } from '../webhooks/delivery/retries';

const ENSURE_EVERY_MS = 10_000;
const CACHED_WORKFLOWS = 200;
/** Longer than the longest sweep. */
const DATABASE_PATIENCE_MS = 60_000;

runProgram('worker', async stop => {
  const config = readConfig([
    'NODE_ENV',
    'DATABASE_URL',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
    'SMTP_URL',
    'MAIL_FROM',
    ...ACQUIRER_VARIABLES,
  ]);
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = config;
  const log = createLog('worker');
  installLogger(log);
  log.info(`database ${withoutPassword(config.DATABASE_URL)}`);

  const db = openDatabase(config.DATABASE_URL, DATABASE_PATIENCE_MS);
  const vault = vaultKeys(config.VAULT_KEYS, config.VAULT_FINGERPRINT_KEY);
  const acquirers = openAcquirers(config, vault, log);
  // What is unfinished is looked after whether Temporal is there or not.
  const temporal = openTemporal(address, namespace);
  const mailer = openMailer(config.SMTP_URL, config.MAIL_FROM);
  // Each by itself: a mail server that is slow holds up no workflow.
  const tellers = [localHandlers(db), temporalHandlers(db, temporal), mailHandlers(db, mailer)];
  const senders = { sandbox: new Sender({ strict: false }), production: new Sender({ strict: true }) };
  const announcer = new Announcer(db);
  const engine = new DeliveryEngine(db, config.DATABASE_URL, vault, senders, log);
  const tending = Promise.all([
    engine.run(stop),
    keepRecovering(db, acquirers, log, stop),
    ...tellers.map(some => keepDraining(db, some, log, stop)),
  ]);

  const connection = await connect(address, stop, log);
  if (!connection) return void (await tending);
  log.info(`Temporal ${address}, namespace ${namespace}, task queue ${TASK_QUEUE}`);

  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: fromRoot('dist/workflows/bundle.js') },
    activities: announcer.announceAfter({
      ...sweepActivities(db, temporal),
      ...expiryActivities(db, acquirers),
      ...subscriptionActivities(db, acquirers),
      ...deliveryActivities(db, vault, senders, log),
    }),
    // So that its memory does not grow with the number of subscriptions that sleep.
    maxCachedWorkflows: CACHED_WORKFLOWS,
    shutdownGraceTime: '10 seconds',
    shutdownForceTime: '30 seconds',
  });
  const ensuring = keepEnsuring(temporal, log, stop);
  const running = worker.run();
  await Promise.race([untilStopped(stop), running]);
  log.info('stopping: activities in flight are finished first');
  if (worker.getState() === 'RUNNING') worker.shutdown();
  await Promise.all([running, tending, ensuring]);
  await announcer.close();
  await Promise.all([connection.close(), db.$disconnect()]);
  mailer.close();
  await Promise.all(Object.values(senders).map(sender => sender.close()));
  await temporal.connection.close();
});

async function connect(address: string, stop: AbortSignal, log: Log): Promise<NativeConnection | undefined> {
  for (let tries = 0; !stop.aborted; tries++) {
    try {
      return await NativeConnection.connect({ address });
    } catch {
      if (tries % 30 === 0) log.info(`waiting for the Temporal server at ${address}`);
      await sleep(1000, undefined, { signal: stop }).catch(() => undefined);
    }
  }
}

/** A server that was wiped gets back what it needs, and the first sweep begins every workflow again. */
async function keepEnsuring(temporal: Client, log: Log, stop: AbortSignal): Promise<void> {
  for (let first = true; !stop.aborted; ) {
    const ensured = await ensureNamespace(temporal, first).then(
      () => {
        first = false;
        return true;
      },
      error => log.warn(`search attributes and schedules wait: ${error.message}`),
    );
    await sleep(ensured ? ENSURE_EVERY_MS : 1000, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** The SDK's own lines join ours, from warnings up. */
function installLogger(log: Log): void {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => log[levels[level]](toLog(meta), message)),
    telemetryOptions: { logging: { forward: {}, filter: 'WARN' } },
    shutdownSignals: [],
  });
}

/** The SDK's word for what went wrong is not the one that is written out. */
const toLog = ({ error, ...meta }: Record<string, unknown> = {}): object => (error ? { ...meta, err: error } : meta);
