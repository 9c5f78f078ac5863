import { Client, Connection } from '@temporalio/client';
import { TASK_QUEUE } from '../../workflows/contract';
import { withinTimeout } from './timeout';

/** Without these a channel that met a dead server sleeps up to two minutes after the server is back. */
const reconnectBackoff = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 1000 };

/** Connects when first used, so a process may start before its Temporal server. */
export function openTemporal(address: string, namespace: string): Client {
  // A proxy of the environment is for the world outside.
  const local = /^(localhost|127\.|\[::1\])/.test(address);
  const channelArgs = { ...reconnectBackoff, ...(local ? { 'grpc.enable_http_proxy': 0 } : {}) };
  return new Client({ connection: Connection.lazy({ address, channelArgs }), namespace });
}

/** Who polls the workers' task queue; undefined where Temporal does not answer in time. The deadline ends the SDK's own retries too. */
export const findPollers = (temporal: Client, timeoutMs: number) =>
  withinTimeout(describePollers(temporal, timeoutMs), timeoutMs);

async function describePollers(temporal: Client, timeoutMs: number) {
  const { connection, workflowService, options } = temporal;
  const { pollers } = await connection.withDeadline(Date.now() + timeoutMs, () =>
    workflowService.describeTaskQueue({
      namespace: options.namespace,
      taskQueue: { name: TASK_QUEUE },
      taskQueueType: 1,
    }),
  );
  return pollers;
}
