/** Validates a charge request by its payment method. Malformed fields are reported before invalid values. */

import { ApiError } from '../../../platform/errors';
import { checkAll } from '../../../schema/checkAll';
import { isTimestamp, readTimestamp } from '../../../schema/time';
import type { CustomerRow } from '../../customers/rows';
import type { CreateCharge } from '../requests';
import type { NewPayment } from './newPayment';
import { validatePse } from './pseRules';
import { parseWebUrl, requireRedirectUrl } from './redirectUrl';

/** Returns undefined for a saved card or a token, which is charged immediately. */
export function readPendingPayment(charge: CreateCharge, customer: CustomerRow | null): NewPayment | undefined {
  const { method, due_date, redirect_url, country = 'COL', send_email = false } = charge;
  const isRedirect = method === 'card' && charge.confirm === false;
  const required = isRedirect ? ['redirect_url'] : method === 'card' ? ['source_id', 'device_session_id'] : [];
  checkAll(
    ...(required as ('redirect_url' | 'source_id' | 'device_session_id')[]).map(name => () => {
      if (!charge[name]) throw new ApiError('malformed', 'is_required', { field: name });
    }),
    () => {
      if (method === 'store' && due_date !== undefined && !isTimestamp(due_date))
        throw new ApiError('malformed', 'not_time', { field: 'due_date' });
    },
    () => requirePayer(charge, customer),
  );
  if (isRedirect && charge.capture === false)
    throw new ApiError('invalid_value', 'capture_on_page', { field: 'capture' });
  if (method !== 'card' && charge.payment_plan)
    throw new ApiError('invalid_value', 'for_cards_only', { field: 'payment_plan' });
  if (method === 'bank_account') {
    validatePse({ ...charge, country });
    rejectAccountHolder(customer);
    // Clients always send a redirect_url, so an unusable one is ignored.
    return { ...charge, send_email: false, redirect_url: parseWebUrl(redirect_url ?? '') };
  }
  // A voucher has no payment page; the merchant delivers it to the payer.
  const withoutPage = { redirect_url: undefined, send_email: false };
  if (method === 'store')
    return { ...charge, ...withoutPage, due: due_date === undefined ? undefined : readDueDate(due_date) };
  return isRedirect ? { ...charge, send_email, redirect_url: requireRedirectUrl(redirect_url ?? '') } : undefined;
}

export function requirePayer(charge: { customer?: CreateCharge['customer'] }, customer: CustomerRow | null): void {
  if (!customer && !charge.customer) throw new ApiError('malformed', 'is_required', { field: 'customer' });
  if (customer && charge.customer) throw new ApiError('invalid_value', 'for_merchant_level', { field: 'customer' });
}

/** Bank payments are credited to the merchant, which a customer with a balance account does not allow. */
export function rejectAccountHolder(customer: CustomerRow | null): void {
  if (customer?.requires_account) throw new ApiError('not_allowed', 'account_customer_by_bank');
}

function readDueDate(due_date: string): Date {
  const due = readTimestamp(due_date);
  if (!due) throw new ApiError('invalid_value', 'impossible_time', { field: 'due_date' });
  return due;
}
