import type { PaymentLink, PaymentLinkStatusName } from './fields';
import type { PaymentLinkRow } from './rows';

export const linkUrl = ({ page_origin, page_key }: Pick<PaymentLinkRow, 'page_origin' | 'page_key'>): string =>
  `${page_origin}/links/${page_key}`;

/** A link that is in use does not expire before its payment or first charge has ended. */
export function statusOf({
  status,
  expires_at,
  now,
  transaction_id,
  subscription_id,
}: PaymentLinkRow): PaymentLinkStatusName {
  const isUnused = transaction_id === null && subscription_id === null;
  return status === 'active' && isUnused && expires_at <= now ? 'expired' : status;
}

export const toPaymentLink = (row: PaymentLinkRow): PaymentLink => ({
  currency: 'COP',
  ...row,
  status: statusOf(row),
  url: linkUrl(row),
});
