import { openTemporal } from '../../platform/temporal';
import { retryUntilAnswered } from '../processes/managedProcess';

const DAY = { seconds: 86_400 as never };
const ALREADY_EXISTS = 6;

/** Registers a missing namespace and waits until it accepts workflows. */
export async function ensureNamespace(address: string, namespace = 'default'): Promise<void> {
  const { connection, workflowService } = openTemporal(address, namespace);
  await retryUntilAnswered(() =>
    workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: DAY }).catch(error => {
      if (error.code !== ALREADY_EXISTS) throw error;
    }),
  );
  await retryUntilAnswered(() => workflowService.describeNamespace({ namespace }));
  await connection.close();
}
