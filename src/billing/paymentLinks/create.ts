/** Validates and stores a new payment link. */
import { dayOf } from '../../../workflows/calendar';
import { requireRedirectUrl } from '../../payments/charges/pending/redirectUrl';
import { rejectTakenOrderId } from '../../payments/charges/rows';
import type { CustomerRow } from '../../payments/customers/rows';
import { findCustomer } from '../../payments/customers/rows';
import { checkCustomer, checkRequest } from '../../payments/methods/checks';
import type { ChargeMethodName } from '../../payments/methods/methods';
import { clockOf } from '../../platform/database/clock';
import { ApiError } from '../../platform/errors';
import { isBlank } from '../../schema/check';
import { checkAll } from '../../schema/checkAll';
import type { Context } from '../../schema/operation/context';
import { isTimestamp, readTimestamp } from '../../schema/time';
import { redeemable } from '../coupons/redeem';
import { findActivePlan } from '../plans/resolver';
import { checkAmounts, checkReuse, isShared } from './checks';
import { type CreatePaymentLink, DEFAULT_LINK_DAYS, KIND_FIELDS, MAX_LINK_DAYS } from './createFields';
import { findLink, type PaymentLinkRow } from './rows';

const DAY_MS = 86_400_000;

export async function createLink(context: Context, input: CreatePaymentLink): Promise<PaymentLinkRow> {
  const { db, merchant_id, publicUrl, newId } = context;
  const { kind, amount, min_amount, iva, description, order_id, customer_id, plan_id, redirect_url } = input;
  const { reusable = false, max_payments = null, coupon } = input;
  const methods = readMethods(input);
  checkForm(input);
  checkAmounts(input);
  checkReuse(input);
  const customer = customer_id ? await findCustomerOf(context, customer_id) : null;
  const plan = plan_id ? await findActivePlan(context, plan_id) : null;
  const least = amount ?? min_amount;
  if (least !== undefined) checkMethods(methods, least, customer);
  const { now } = await clockOf(db, merchant_id, customer_id ?? null);
  if (plan && coupon) await redeemable(context, coupon, plan.id, dayOf(now.getTime()));
  const id = newId('payment_link');
  const link = {
    ...{ id, merchant_id, kind, methods },
    amount: amount ?? null,
    min_amount: min_amount ?? null,
    max_amount: input.max_amount ?? null,
    suggested_amounts: input.suggested_amounts ?? [],
    reusable,
    max_payments: reusable || !isShared(input) ? max_payments : 1,
    quantity: input.quantity ?? null,
    coupon: coupon || null,
    accepts_coupons: input.accepts_coupons ?? false,
    iva: iva ?? null,
    description: description ?? null,
    order_id: order_id || null,
    customer_id: customer?.id ?? null,
    plan_id: plan_id || null,
    creation_date: now,
    expires_at: readExpiry(input.expires_at, now),
    redirect_url: redirect_url ? requireRedirectUrl(redirect_url) : null,
    page_key: newId('page'),
    page_origin: publicUrl,
  };
  await rejectTakenOrderId(db, merchant_id, order_id);
  // A repeated request finds the link that it created before.
  await db.paymentLink.upsert({ where: { id, merchant_id }, create: link, update: {} });
  return findLink(context, id);
}

function checkForm(input: CreatePaymentLink): void {
  const { kind, expires_at, min_amount, max_amount } = input;
  const isOpen = min_amount !== undefined || max_amount !== undefined;
  const amounts = isOpen ? (['min_amount', 'max_amount'] as const) : (['amount'] as const);
  const required = [...(kind === 'payment' ? amounts : []), ...KIND_FIELDS[kind].required];
  checkAll(
    ...required.map(name => () => {
      const value = input[name];
      if (value === undefined) throw new ApiError('malformed', 'is_required', { field: name });
      if (typeof value === 'string' && isBlank(value)) throw new ApiError('malformed', 'is_empty', { field: name });
    }),
    () => {
      if (expires_at !== undefined && !isTimestamp(expires_at))
        throw new ApiError('malformed', 'not_time', { field: 'expires_at' });
    },
  );
  for (const name of KIND_FIELDS[kind].forbidden)
    if (input[name] !== undefined) throw new ApiError('invalid_value', 'not_for_link_kind', { field: name, kind });
}

function readMethods({ kind, methods = [] }: CreatePaymentLink): ChargeMethodName[] {
  if (kind !== 'payment' && methods.some(method => method !== 'card'))
    throw new ApiError('invalid_value', 'cards_only_link', { field: 'methods', kind });
  return methods.length > 0 ? [...new Set(methods)] : ['card'];
}

function checkMethods(methods: ChargeMethodName[], amount: bigint, customer: CustomerRow | null): void {
  for (const method of methods) {
    checkRequest(method, { amount });
    checkCustomer(method, customer);
  }
}

/** An unknown customer in a body is named. */
const findCustomerOf = (context: Context, customer_id: string): Promise<CustomerRow> =>
  findCustomer(context, customer_id).catch(error => {
    throw error instanceof ApiError ? new ApiError('not_found', 'is_unknown', { field: 'customer_id' }) : error;
  });

function readExpiry(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + DEFAULT_LINK_DAYS * DAY_MS);
  const expiry = readTimestamp(text);
  if (!expiry) throw new ApiError('invalid_value', 'impossible_time', { field: 'expires_at' });
  if (expiry <= now || expiry.getTime() > now.getTime() + MAX_LINK_DAYS * DAY_MS)
    throw new ApiError('invalid_value', 'not_within_days', { field: 'expires_at', max: MAX_LINK_DAYS });
  return expiry;
}
