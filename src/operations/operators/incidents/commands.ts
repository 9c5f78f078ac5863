/** The commands for trouble: what is late or stuck, the story of one thing, and what sets it going again. */
import type { OperatorCommand } from '../command';
import { askAcquirer } from './askAcquirer';
import { listOverdue } from './overdue';
import { rebuild } from './rebuild';
import { resend } from './resend';
import { tellStory } from './story';
import { listStuck } from './stuck';

const asksFirst = { takesId: true, needs: ['reason'], asksFirst: true, tables: { steps: ['step', 'text'] } } as const;

export const incidentCommands: Readonly<Record<string, OperatorCommand>> = {
  overdue: {
    about: 'lists what is due and not done, the latest first, with the reason, and sums it up by merchant',
    takes: ['merchant', 'limit', 'offset'],
    tables: {
      overdue: ['kind', 'id', 'merchant_id', 'due_at', 'late', 'amount', 'reason', 'details'],
      merchants: ['merchant_id', 'name', 'subscriptions', 'expiries', 'payouts', 'deliveries', 'amount', 'late'],
    },
    run: listOverdue,
  },
  stuck: {
    about: 'lists unknown outcomes, failing rows of the outbox, broken workflows and refused settlement reports',
    takes: ['limit', 'offset'],
    tables: {
      attempts: ['id', 'merchant_id', 'transaction_type', 'progress', 'amount', 'age', 'tries', 'asked_again_at'],
      outbox: ['id', 'kind', 'object_id', 'environment', 'tries', 'age', 'again_at'],
      workflows: ['workflow_id', 'merchant_id', 'due_at', 'status', 'failed_tasks', 'failure'],
      settlements: ['id', 'environment', 'day', 'reference', 'refused_at', 'reason'],
    },
    run: listStuck,
  },
  story: {
    about: 'tells what happened to a subscription, transaction, delivery or event, in all parts, and how it stands',
    takesId: true,
    takes: ['limit', 'offset'],
    tables: { story: ['at', 'source', 'text'] },
    run: tellStory,
  },
  'ask-acquirer': {
    ...asksFirst,
    about: 'has the acquirer asked at once what became of a transaction, or of the open attempt of a subscription',
    run: askAcquirer,
  },
  resend: {
    ...asksFirst,
    about: 'sends a delivery again, or an event to all webhooks that take it',
    run: resend,
  },
  rebuild: {
    ...asksFirst,
    about: 'terminates the workflow of a subscription and has it started again from the row',
    run: rebuild,
  },
};
