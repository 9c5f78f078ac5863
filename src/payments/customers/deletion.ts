/** The operation on customers that is here because it ends subscriptions. */
import { Ctx, Mutation, Resolver } from 'type-graphql';
import { auditEntry } from '../../accounts/auditLog/entry';
import { revokeSessionsOf } from '../../accounts/sessions/rows';
import { Customer } from '../../payments/customers/fields';
import { findCustomer, toCustomer } from '../../payments/customers/resolver';
import { ApiError } from '../../platform/errors';
import { Id } from '../../schema/arguments';
import type { Context } from '../../schema/operation/context';
import { AllowCustomerSession } from '../../schema/operation/guard';
import { applyEvent } from './billing/applyEvent';
import { writeChangesInTransaction } from './billing/updateRows';
import { lockLiveSubscriptions } from './rows';

@Resolver()
export class CustomerDeletion {
  @Mutation(() => Customer, {
    description: 'Deletes a customer for good, and ends its subscriptions. Refused while it has a balance',
  })
  @AllowCustomerSession()
  async deleteCustomer(@Ctx() context: Context, @Id('customer_id', 'customer') customer_id: string): Promise<Customer> {
    const { balance, ...customer } = await findCustomer(context, customer_id);
    if (balance !== 0n) throw new ApiError('not_allowed', 'customer_has_balance');
    if (!(await deleteCustomer(context, customer_id))) throw new ApiError('not_allowed', 'customer_is_busy');
    return toCustomer({ ...customer, status: 'deleted' }, balance);
  }
}

/**
 * Refuses while the customer has a balance or an unfinished transaction. Charges are prepared under a lock of the
 * customer's row, which this waits for. Its subscriptions end in the same database transaction, so that nobody sees one
 * that is alive without its customer.
 */
const deleteCustomer = (context: Context, id: string): Promise<boolean> =>
  context.db.$transaction(async tx => {
    await tx.$queryRaw`select 1 from customers where id = ${id} for update`;
    const subscriptions = await lockLiveSubscriptions(tx, id);
    const deleted = await tx.$executeRaw`
      update customers set status = 'deleted' where id = ${id} and merchant_id = ${context.merchant_id} and status = 'active'
        and account_balance('customer ' || id) = 0
        and not exists (select from transactions where customer_id = ${id}
          and (progress <> 'settled' or status = 'chargeback_pending'))`;
    if (deleted === 0) return false;
    const cancel = { type: 'cancel', reason: 'customer_deleted' } as const;
    await writeChangesInTransaction(
      tx,
      subscriptions.map(row => {
        const change = { object_id: row.id, before: { status: row.status }, after: { status: 'cancelled' } };
        return applyEvent(row, cancel, {
          outbox: ['nudge'],
          audit: auditEntry(context, 'subscription.cancelled', change),
        });
      }),
    );
    await revokeSessionsOf(tx, context, id);
    await tx.auditEntry.create({ data: auditEntry(context, 'customer.deleted', { object_id: id }) });
    return true;
  });
