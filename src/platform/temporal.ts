import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { TASK_QUEUE } from '../../workflows/contract';
import type { TemporalCredentials } from './config/security/temporalTls';
import { withinTimeout } from './timeout';

/** Otherwise a channel may take two minutes to reconnect to a recovered server. */
const reconnectBackoff = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 1000 };

/** Connects on first use, so a process may start before its Temporal server. */
export function openTemporal(
  address: string,
  namespace: string,
  credentials: TemporalCredentials = {},
  interceptors: WorkflowClientInterceptor[] = [],
): Client {
  // A proxy configured in the environment must not be used for local connections.
  const isLocal = /^(localhost|127\.|\[::1\])/.test(address);
  const channelArgs = { ...reconnectBackoff, ...(isLocal ? { 'grpc.enable_http_proxy': 0 } : {}) };
  const connection = Connection.lazy({ address, channelArgs, ...credentials });
  return new Client({ connection, namespace, interceptors: { workflow: interceptors } });
}

/** The pollers of the task queue; undefined if Temporal does not respond in time. The deadline also ends SDK retries. */
export const findPollers = (temporal: Client, timeoutMs: number, taskQueue = TASK_QUEUE) =>
  withinTimeout(describePollers(temporal, timeoutMs, taskQueue), timeoutMs);

async function describePollers(temporal: Client, timeoutMs: number, taskQueue: string) {
  const { connection, workflowService, options } = temporal;
  const { pollers } = await connection.withDeadline(Date.now() + timeoutMs, () =>
    workflowService.describeTaskQueue({
      namespace: options.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: 1,
    }),
  );
  return pollers;
}
