/** A worker for empty workflows, with the options of the program's worker. Reports its count to the parent on request. */
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { readConfig } from '../src/platform/config/config';
import { createLog } from '../src/platform/log';
import { patchTemporalWorker } from '../src/platform/patches/temporalWorker';
import { fromRoot } from '../src/platform/root';

async function main(taskQueue: string): Promise<void> {
  const telemetryOptions = { logging: { forward: {}, filter: 'OFF' } };
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions });
  const config = readConfig(['TEMPORAL_ADDRESS', 'TEMPORAL_WORKER_PATCH']);
  let woken = 0;
  const workflowsPath = fromRoot('dist/bench/workflows.js');
  const worker = await Worker.create({
    ...(config.TEMPORAL_WORKER_PATCH && (await patchTemporalWorker(createLog('bench')))),
    connection: await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS }),
    taskQueue,
    workflowsPath,
    // Same options as the bundle of the program.
    bundlerOptions: { preloadModules: ['@temporalio/workflow', workflowsPath] },
    activities: { nothing: async () => void woken++ },
    maxCachedWorkflows: 200,
  });
  process.on('message', () => process.send?.(woken));
  process.once('disconnect', () => worker.shutdown());
  process.send?.('ready');
  await worker.run();
  process.exit(0);
}

main(process.argv[2] ?? '');
