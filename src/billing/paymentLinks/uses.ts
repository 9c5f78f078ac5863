/**
 * The uses of a link: each payer of a reusable link, and of a link whose amount or customer the payer enters, gets a link of
 * their own, which is used once. The database counts them and refuses those beyond `max_payments`.
 */
import { NO_LINK_PLACE } from '../../payments/charges/rows';
import type { CreateCustomer } from '../../payments/customers/fields';
import { insertCustomer } from '../../payments/customers/rows';
import { violates } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import { idsFrom } from '../../platform/identifiers';
import type { Money } from '../../platform/money';
import type { Context } from '../../schema/operation/context';
import { findLink, type PaymentLinkRow } from './rows';

export interface NewUse {
  /** Drawn when the form was rendered, so that a form that is sent twice finds the link of its first run. */
  id: string;
  amount?: Money | null;
  coupon?: string | null;
  /** The payer of a subscription, who becomes a customer. */
  payer?: CreateCustomer | undefined;
}

export async function openUse(
  context: Context,
  parent: PaymentLinkRow,
  { id, amount = parent.amount, coupon = null, payer }: NewUse,
): Promise<PaymentLinkRow> {
  const { db, merchant_id, newId } = context;
  const { kind, methods, iva, description, plan_id, redirect_url, expires_at, page_origin } = parent;
  const { quantity, accepts_coupons } = parent;
  const customer_id = payer ? (await insertCustomer(idsOfUse(context, id), payer)).id : parent.customer_id;
  const link = {
    ...{ coupon, quantity, accepts_coupons },
    ...{ id, merchant_id, kind, methods, amount, iva, description, customer_id, plan_id, redirect_url, expires_at },
    ...{ parent_id: parent.id, creation_date: parent.now, page_key: newId('page'), page_origin },
  };
  try {
    await db.paymentLink.createMany({ data: [link], skipDuplicates: true });
  } catch (error) {
    throw violates(error, NO_LINK_PLACE) ? new ApiError('not_found') : error;
  }
  const use = await findLink(context, id);
  if (use.parent_id !== parent.id) throw new ApiError('not_found');
  return use;
}

/** A form that is sent twice finds the customer of its first run. */
const idsOfUse = (context: Context, id: string): Context => ({ ...context, newId: idsFrom(Buffer.from(id)) });
