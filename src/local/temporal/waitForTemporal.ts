import { openTemporal } from '../../platform/temporal';
import { retryUntilAnswered } from '../managedProcess';

/** Until workflows can be started there. */
export async function waitForTemporal(address: string, namespace: string): Promise<void> {
  const { connection, workflowService } = openTemporal(address, namespace);
  await retryUntilAnswered(() => workflowService.describeNamespace({ namespace }));
  await connection.close();
}
