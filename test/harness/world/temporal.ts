import type { Client } from '@temporalio/client';
import { retryUntilAnswered } from '../../../src/local/processes/managedProcess';

export const temporalAddress = (): string => process.env.TEST_TEMPORAL_ADDRESS ?? '';

/** Registers the client's namespace and waits until the server's caches contain it. */
export async function registerNamespace(client: Client): Promise<void> {
  await client.workflowService.registerNamespace({
    namespace: client.options.namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  await retryUntilAnswered(() => client.workflow.list({ pageSize: 1 })[Symbol.asyncIterator]().next());
}
