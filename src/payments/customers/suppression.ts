/** Addresses that get no more e-mails of a merchant, because e-mails bounced or were reported as spam. */
import type { Prisma } from '../../../prisma/generated/client';
import { auditEntry } from '../../accounts/auditLog/entry';
import type { Context } from '../../schema/operation/context';
import type { Customer } from './fields';

interface Address {
  merchant_id: string;
  email: string;
}

const keyOf = ({ merchant_id, email }: Address) => ({ merchant_id, email: email.toLowerCase() });

export async function emailStatusOf({ db }: Pick<Context, 'db'>, address: Address): Promise<Customer['email_status']> {
  const row = await db.suppressedEmail.findUnique({ where: { merchant_id_email: keyOf(address) } });
  return row && (row.reason as Customer['email_status']);
}

export async function suppressEmail(
  tx: Prisma.TransactionClient,
  address: Address,
  reason: 'bounced' | 'complained',
): Promise<void> {
  await tx.suppressedEmail.createMany({ data: [{ ...keyOf(address), reason }], skipDuplicates: true });
}

export async function allowEmail(context: Context, customer: Address & { id: string }): Promise<void> {
  await context.db.$transaction(async tx => {
    const { count } = await tx.suppressedEmail.deleteMany({ where: keyOf(customer) });
    if (count === 0) return;
    await tx.auditEntry.create({ data: auditEntry(context, 'customer.emails_resumed', { object_id: customer.id }) });
  });
}
