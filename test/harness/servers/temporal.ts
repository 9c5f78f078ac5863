import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { openTemporal } from '../../../src/platform/temporal';
import { eventually } from '../flow/until';

export const temporalAddress = (): string => process.env.TEST_TEMPORAL_ADDRESS ?? '';

/** A namespace for one test file, so that its worker gets only its own work. */
export function testNamespace(): { name: string; client(): Client } {
  const name = `test-${randomBytes(8).toString('hex')}`;
  let client: Client;
  beforeAll(async () => {
    client = openTemporal(temporalAddress(), name);
    await client.workflowService.registerNamespace({
      namespace: name,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    });
    // The server's caches learn of a new namespace with a delay.
    await eventually(() => client.workflow.list({ pageSize: 1 })[Symbol.asyncIterator]().next());
  });
  afterAll(() => client.connection.close());
  return { name, client: () => client };
}
