/** Cancels the subscriptions of a deleted customer in the same database transaction. */
import { auditEntry } from '../../accounts/auditLog/entry';
import { registerCustomerDependents } from '../../payments/customers/deletion';
import { applyEvent } from './billing/applyEvent';
import { writeChangesInTransaction } from './billing/rows';
import { lockLiveSubscriptions } from './rows';

registerCustomerDependents(async (tx, context, customer_id) => {
  const subscriptions = await lockLiveSubscriptions(tx, customer_id);
  const changes = subscriptions.map(row => {
    const change = { object_id: row.id, before: { status: row.status }, after: { status: 'cancelled' } };
    return applyEvent(
      row,
      { type: 'cancel', reason: 'customer_deleted' },
      { outbox: ['nudge'], audit: auditEntry(context, 'subscription.cancelled', change) },
    );
  });
  return () => writeChangesInTransaction(tx, changes);
});
