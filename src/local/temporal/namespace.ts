import { openTemporal } from '../../platform/temporal';
import { retryUntilAnswered } from '../managedProcess';

const DAY = { seconds: 86_400 as never };
const ALREADY_EXISTS = 6;

/** Registers the namespace if it is missing, and waits until workflows can be started in it. */
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
