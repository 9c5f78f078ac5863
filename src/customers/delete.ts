import type { Context } from '../context';
import { applyEvent } from '../subscriptions/billing/applyEvent';
import { writeChangesInTransaction } from '../subscriptions/billing/updateRows';
import { lockLiveSubscriptions } from '../subscriptions/rows';

/**
 * Refuses while the customer has a balance or an unfinished transaction. Charges are prepared under a lock of the
 * customer's row, which this waits for. Its subscriptions end in the same database transaction, so that nobody sees one
 * that is alive without its customer.
 */
export const deleteCustomer = ({ db, merchant_id }: Context, id: string): Promise<boolean> =>
  db.$transaction(async tx => {
    await tx.$queryRaw`select 1 from customers where id = ${id} for update`;
    const subscriptions = await lockLiveSubscriptions(tx, id);
    const deleted = await tx.$executeRaw`
      update customers set status = 'deleted' where id = ${id} and merchant_id = ${merchant_id} and status = 'active'
        and account_balance('customer ' || id) = 0
        and not exists (select from transactions where customer_id = ${id}
          and (progress <> 'settled' or status = 'chargeback_pending'))`;
    if (deleted === 0) return false;
    const cancel = { type: 'cancel', reason: 'customer_deleted' } as const;
    await writeChangesInTransaction(
      tx,
      subscriptions.map(row => applyEvent(row, cancel, { outbox: ['nudge'] })),
    );
    return true;
  });
