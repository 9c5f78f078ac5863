/** Ends the use of a link: its merchant cancels it, or its payer chooses another method. */
import { endUnpaid } from '../../payments/charges/expiry';
import { reloadTransaction } from '../../payments/charges/rows';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { findLink, markCancelled, type PaymentLinkRow } from './rows';
import { statusOf } from './view';

type LinkServices = Pick<Context, 'db' | 'acquirer' | 'merchant_id'>;

/** Withdraws the payment that the payer has chosen and not made. A payment that was made meanwhile completes the link. */
export async function endPendingPayment(services: LinkServices, { transaction_id }: PaymentLinkRow): Promise<void> {
  if (transaction_id !== null) await endUnpaid(services, await reloadTransaction(services.db, transaction_id));
}

/** A link that is being paid is not cancelled: its payment, or its first charge, decides. */
export async function cancelLink(services: LinkServices, link: PaymentLinkRow): Promise<PaymentLinkRow> {
  if (statusOf(link) === 'completed') throw new ApiError('not_allowed', 'link_completed');
  if (link.status === 'active') await endPendingPayment(services, link);
  await markCancelled(services.db, link.id);
  const row = await findLink(services, link.id);
  if (row.status === 'completed') throw new ApiError('not_allowed', 'link_completed');
  if (row.status === 'active') throw new ApiError('not_allowed', 'link_in_use');
  return row;
}
