/** Validates a charge request by its payment method. Malformed fields are reported before invalid values. */

import { ApiError } from '../../../platform/errors';
import { checkAll } from '../../../schema/checkAll';
import { isTimestamp, readTimestamp } from '../../../schema/time';
import type { CustomerRow } from '../../customers/rows';
import { checkCustomer, checkRequest } from '../../methods/checks';
import { METHODS } from '../../methods/methods';
import type { CreateCharge } from '../requests';
import type { NewPayment } from './newPayment';
import { parseWebUrl, requireRedirectUrl } from './redirectUrl';

/** Returns undefined for a saved card or a token, which is charged immediately. */
export function readPendingPayment(charge: CreateCharge, customer: CustomerRow | null): NewPayment | undefined {
  const { method, due_date, redirect_url = '', send_email = false } = charge;
  const { issue } = METHODS[method];
  const isVoucher = issue?.instructions === 'references';
  const hasDueDate = isVoucher || issue?.instructions === 'qr';
  const isRedirect = method === 'card' && charge.confirm === false;
  const required = isRedirect ? ['redirect_url'] : method === 'card' ? ['source_id', 'device_session_id'] : [];
  checkAll(
    ...(required as ('redirect_url' | 'source_id' | 'device_session_id')[]).map(name => () => {
      if (!charge[name]) throw new ApiError('malformed', 'is_required', { field: name });
    }),
    () => {
      if (hasDueDate && due_date !== undefined && !isTimestamp(due_date))
        throw new ApiError('malformed', 'not_time', { field: 'due_date' });
    },
    () => requirePayer(charge, customer),
  );
  if (charge.use_3d_secure) throw new ApiError('invalid_value', 'no_3d_secure', { field: 'use_3d_secure' });
  if (isRedirect && charge.capture === false)
    throw new ApiError('invalid_value', 'capture_on_page', { field: 'capture' });
  if (method !== 'card' && charge.payment_plan)
    throw new ApiError('invalid_value', 'for_cards_only', { field: 'payment_plan' });
  checkRequest(method, charge);
  checkCustomer(method, customer);
  // A voucher has no payment page; the merchant delivers it to the payer.
  const due = hasDueDate && due_date !== undefined ? readDueDate(due_date) : undefined;
  if (isVoucher) return { ...charge, redirect_url: undefined, send_email: false, due };
  // Clients always send a redirect_url, so an unusable one is ignored.
  if (issue) return { ...charge, send_email: false, redirect_url: parseWebUrl(redirect_url), due };
  return isRedirect ? { ...charge, send_email, redirect_url: requireRedirectUrl(redirect_url) } : undefined;
}

export function requirePayer(charge: { customer?: CreateCharge['customer'] }, customer: CustomerRow | null): void {
  if (!customer && !charge.customer) throw new ApiError('malformed', 'is_required', { field: 'customer' });
  if (customer && charge.customer) throw new ApiError('invalid_value', 'for_merchant_level', { field: 'customer' });
}

function readDueDate(due_date: string): Date {
  const due = readTimestamp(due_date);
  if (!due) throw new ApiError('invalid_value', 'impossible_time', { field: 'due_date' });
  return due;
}
