import { takeEmailQuota } from '../../payments/charges/pending/emailQuota';
import { customerById } from '../../payments/customers/rows';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { findLink, type PaymentLinkRow } from './rows';
import { statusOf } from './view';

/** Queues an e-mail with the link, by default to its customer. A request that is repeated after a crash sends one e-mail. */
export async function queueLinkMail(
  context: Context,
  link: PaymentLinkRow,
  recipient: string | undefined,
): Promise<PaymentLinkRow> {
  const { db, merchant_id, environment, newId } = context;
  const status = statusOf(link);
  if (status !== 'active') throw new ApiError('not_allowed', 'link_status', { status });
  const owner = link.customer_id === null ? undefined : await customerById(db, link.customer_id);
  const email = recipient ?? owner?.email;
  if (!email) throw new ApiError('malformed', 'is_required', { field: 'email' });
  await takeEmailQuota(db, merchant_id, email);
  await db.$transaction([
    db.paymentLink.update({ where: { id: link.id }, data: { email, email_id: newId('email') } }),
    db.outbox.create({ data: { kind: 'payment_link_mail', object_id: link.id, environment } }),
  ]);
  return findLink(context, link.id);
}
