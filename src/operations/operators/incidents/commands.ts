/** Commands for incidents: find overdue and stalled work, show the timeline of an object, and repair it. */
import { CONFIRMED, type OperatorCommand } from '../command';
import { askAcquirer } from './askAcquirer';
import { listOverdue } from './overdue';
import { runPlan } from './plannedChange';
import { rebuild } from './rebuild';
import { resend } from './resend';
import { listStalled } from './stalled';
import { showTimeline } from './timeline';

export const incidentCommands: Readonly<Record<string, OperatorCommand>> = {
  overdue: {
    summary: 'Lists overdue work with the reason, most overdue first, with totals by merchant',
    optional: ['merchant', 'limit', 'offset'],
    tables: {
      overdue: ['kind', 'id', 'merchant_id', 'due_at', 'late', 'amount', 'reason', 'details'],
      merchants: ['merchant_id', 'name', 'subscriptions', 'expiries', 'payouts', 'deliveries', 'amount', 'late'],
    },
    run: listOverdue,
  },
  stuck: {
    summary: 'Lists unknown outcomes, failing outbox rows, broken workflows and refused settlement reports',
    optional: ['limit', 'offset'],
    tables: {
      attempts: ['id', 'merchant_id', 'transaction_type', 'progress', 'amount', 'age', 'tries', 'asked_again_at'],
      outbox: ['id', 'kind', 'object_id', 'environment', 'tries', 'age', 'again_at'],
      workflows: ['workflow_id', 'merchant_id', 'due_at', 'status', 'failed_tasks', 'failure'],
      settlements: ['id', 'environment', 'day', 'reference', 'refused_at', 'reason'],
    },
    run: listStalled,
  },
  story: {
    summary: 'Shows the timeline of a subscription, transaction, delivery, event, customer or plan across all systems',
    hasId: true,
    optional: ['limit', 'offset'],
    tables: { story: ['at', 'source', 'text'] },
    run: showTimeline,
  },
  'ask-acquirer': {
    ...CONFIRMED,
    summary: 'Resolves the unknown outcome of a transaction, or of a subscription, at the acquirer now',
    run: runPlan(askAcquirer),
  },
  resend: {
    ...CONFIRMED,
    summary: 'Resends a delivery, or an event to all subscribed webhooks',
    run: runPlan(resend),
  },
  rebuild: {
    ...CONFIRMED,
    summary: 'Terminates the workflow of a subscription and restarts it from its row',
    run: runPlan(rebuild),
  },
};
