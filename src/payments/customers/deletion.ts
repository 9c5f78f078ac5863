import type { Prisma } from '../../../prisma/generated/client';
import { auditEntry } from '../../accounts/auditLog/entry';
import { revokeSessionsOf } from '../../accounts/sessions/rows';
import type { Context } from '../../schema/operation/context';
import { lockCustomer, markDeleted } from './rows';

/**
 * Locks the rows that depend on a customer, and returns the function that ends them. That function runs in the same
 * database transaction, and only if the customer is deleted.
 */
type LockDependents = (
  tx: Prisma.TransactionClient,
  context: Context,
  customer_id: string,
) => Promise<() => Promise<unknown>>;

const dependents: LockDependents[] = [];

export const registerCustomerDependents = (lock: LockDependents): void => void dependents.push(lock);

/**
 * Returns false if the customer has a balance or an unfinished transaction. Charges are prepared under a lock of the
 * customer's row, which this waits for.
 */
export const deleteCustomer = (context: Context, id: string): Promise<boolean> =>
  context.db.$transaction(async tx => {
    await lockCustomer(tx, id);
    const endings: (() => Promise<unknown>)[] = [];
    for (const lock of dependents) endings.push(await lock(tx, context, id));
    if (!(await markDeleted(tx, context.merchant_id, id))) return false;
    for (const end of endings) await end();
    await revokeSessionsOf(tx, context, id);
    await tx.auditEntry.create({ data: auditEntry(context, 'customer.deleted', { object_id: id }) });
    return true;
  });
