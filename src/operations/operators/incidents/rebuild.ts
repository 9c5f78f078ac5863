/** Terminates the workflow of a subscription and restarts it from its row. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { subscriptionWorkflowId } from '../../../../workflows/subscriptionContract';
import { snapshotOf } from '../../../billing/subscriptions/billing/snapshot';
import { findVisible } from '../../../billing/subscriptions/rows';
import { ApiError } from '../../../platform/errors';
import type { ChangePlan } from './plannedChange';
import { temporalProblem, type WorkflowState, workflowState } from './workflows';

/** Must exceed the time that terminating a workflow takes. */
const RESTART_DELAY_MS = 5000;

export const rebuild: ChangePlan = async ({ db, temporal, id }) => {
  const row = await findVisible(db, id);
  if (!row) throw new ApiError('not_found', 'unknown_subscription', { id });
  const { over, status, current_period_number, next } = snapshotOf(row);
  if (over !== null) throw new ApiError('not_allowed', 'workflow_not_needed', { id, over });
  const problem = await temporalProblem(temporal);
  if (!temporal || problem) throw new ApiError('unavailable', 'temporal_problem', { problem: `${problem}` });
  const workflowId = subscriptionWorkflowId(id);
  const before = await workflowState(temporal, workflowId);
  const isOpen = before.status === 'running' || before.status === 'paused';
  const nudge = { kind: 'nudge', object_id: id, environment: row.environment };
  return {
    action: 'subscription.rebuilt',
    object_id: id,
    merchant_id: row.merchant_id,
    steps: [
      isOpen
        ? {
            en: `The workflow ${workflowId} (${describe(before)}) is terminated.`,
            es: `Se termina el workflow ${workflowId} (${describe(before)}).`,
          }
        : {
            en: `The workflow ${workflowId} is not running (${describe(before)}).`,
            es: `El workflow ${workflowId} no está en ejecución (${describe(before)}).`,
          },
      {
        en: `A worker restarts it from the row: ${status}, period ${current_period_number}, next: ${next}.`,
        es: `Un worker lo inicia de nuevo desde la fila: ${status}, período ${current_period_number}, sigue: ${next}.`,
      },
      {
        en: 'The row is not changed. Due actions are performed once.',
        es: 'La fila no cambia. Las acciones pendientes se ejecutan una sola vez.',
      },
    ],
    details: { run_id: before.run_id },
    // Written first: after a crash here, the running workflow is only nudged.
    write: tx =>
      tx.outbox.create({
        data: { ...nudge, again_at: new Date(Date.now() + (isOpen ? RESTART_DELAY_MS : 0)) },
      }),
    afterCommit: async reason => {
      if (!isOpen || before.run_id === null) return;
      // Only this run: a later one started from the current row.
      const handle = temporal.workflow.getHandle(workflowId, before.run_id);
      await handle.terminate(`rebuilt by an operator: ${reason}`).catch(error => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      });
      // The first nudge may have reached the terminated run.
      await db.outbox.create({ data: nudge });
    },
  };
};

function describe({ status, failedTasks, failure, activity }: WorkflowState): string {
  const task = failedTasks > 0 ? `workflow task failed ${failedTasks} times` : null;
  return [status, task, activity, failure].filter(Boolean).join(', ');
}
