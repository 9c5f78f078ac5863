/**
 * A worker whose subscriptions are due again 10 ms after every charge. Reports its counts to the parent process on
 * request. Its task queue may be named.
 */
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { subscriptionActivities } from '../src/billing/subscriptions/billing/activities';
import { openAcquirers } from '../src/gateway/acquirer/acquirers';
import { FraudRuleCache } from '../src/gateway/fraud/ruleCache';
import { FraudScreening } from '../src/gateway/fraud/screening';
import { readConfig } from '../src/platform/config/config';
import { openDatabase } from '../src/platform/database/connection';
import { createLog } from '../src/platform/log';
import { patchTemporalWorker } from '../src/platform/patches/temporalWorker';
import { fromRoot } from '../src/platform/root';
import { createVaultKeys } from '../src/platform/vault/keys';
import { ACQUIRER_VARIABLES } from '../src/programs/variables';
import { TASK_QUEUE } from '../workflows/contract';
import { SUBSCRIPTION_ACTIONS } from '../workflows/subscriptionContract';

const RENEWAL_DELAY_MS = 10;

async function main(): Promise<void> {
  const telemetryOptions = { logging: { forward: {}, filter: 'OFF' } };
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions });
  const config = readConfig(['DATABASE_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_WORKER_PATCH', ...ACQUIRER_VARIABLES]);
  const db = openDatabase(config.DATABASE_URL);
  const vault = createVaultKeys(config.VAULT_KEYS, config.VAULT_FINGERPRINT_KEY);
  const fraud = new FraudScreening(db, vault, new FraudRuleCache(db, config.DATABASE_URL));
  const log = createLog('bench');
  const real = subscriptionActivities(db, openAcquirers(config, vault, log), fraud);
  const counts = { empty: 0, renewals: 0 };
  const renew = async (id: string) => {
    const snapshot = await real.charge(id);
    counts.renewals++;
    // Moves its clock to the next charge.
    await db.$executeRaw`
      update subscriptions set clock_offset = ceil(extract(epoch from due_at - now()))::integer, version = version + 1 where id = ${id}`;
    return { ...snapshot, wake_at: Date.now() + RENEWAL_DELAY_MS };
  };
  const activities = {
    ...real,
    async nothing() {
      counts.empty++;
    },
    ...Object.fromEntries(SUBSCRIPTION_ACTIONS.map(action => [action, renew])),
  };
  const workflowsPath = fromRoot('dist/bench/workflows.js');
  const worker = await Worker.create({
    ...(config.TEMPORAL_WORKER_PATCH && (await patchTemporalWorker(log))),
    connection: await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS }),
    taskQueue: process.argv[2] ?? TASK_QUEUE,
    workflowsPath,
    // Same options as the bundle of the program.
    bundlerOptions: { preloadModules: ['@temporalio/workflow', workflowsPath] },
    activities,
    maxCachedWorkflows: 200,
  });
  process.on('message', () => process.send?.(counts));
  process.once('disconnect', () => worker.shutdown());
  process.send?.('ready');
  await worker.run();
  process.exit(0);
}

main();
