import type { PaymentLink, PaymentLinkFunnel, PaymentLinkStatusName } from './fields';
import type { PaymentLinkRow } from './rows';

export const linkUrl = ({ page_origin, page_key }: Pick<PaymentLinkRow, 'page_origin' | 'page_key'>): string =>
  `${page_origin}/links/${page_key}`;

/** Whether each payer gets a link of their own, with the amount and the customer of that payer. */
export const hasUses = ({ parent_id, reusable, kind, amount, customer_id }: PaymentLinkRow): boolean =>
  parent_id === null && (reusable || (kind === 'payment' ? amount === null : customer_id === null));

/** A link that is in use does not expire before its payment or first charge has ended. */
export function statusOf({
  status,
  expires_at,
  now,
  transaction_id,
  subscription_id,
  payments,
  max_payments,
}: PaymentLinkRow): PaymentLinkStatusName {
  if (status === 'active' && max_payments !== null && payments >= max_payments) return 'completed';
  const isUnused = transaction_id === null && subscription_id === null;
  return status === 'active' && isUnused && expires_at <= now ? 'expired' : status;
}

function funnelOf(row: PaymentLinkRow): PaymentLinkFunnel {
  if (hasUses(row)) return { started: row.started, paid: row.payments };
  const paid = Number(row.status === 'completed');
  return { started: Math.max(paid, Number(row.attempts > 0)), paid };
}

export const toPaymentLink = (row: PaymentLinkRow): PaymentLink => ({
  currency: 'COP',
  ...row,
  status: statusOf(row),
  url: linkUrl(row),
  qr_code_url: `${linkUrl(row)}/qr.svg`,
  suggested_amounts: row.suggested_amounts.length > 0 ? row.suggested_amounts : null,
  max_payments: row.reusable ? row.max_payments : null,
  funnel: funnelOf(row),
});
