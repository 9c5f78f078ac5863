/**
 * The uses of a link: each payer of a reusable link, and of a link whose amount or customer the payer enters, gets a link of
 * their own, which is used once. The database counts them and refuses those beyond `max_payments`.
 */
import { NO_LINK_PLACE } from '../../payments/charges/rows';
import type { CreateCustomer } from '../../payments/customers/fields';
import { insertCustomer } from '../../payments/customers/rows';
import { violates } from '../../platform/database/connection';
import { takeQuota } from '../../platform/database/quota';
import { ApiError } from '../../platform/errors';
import { idsFrom } from '../../platform/identifiers';
import { networkOf } from '../../platform/limits/network';
import type { Money } from '../../platform/money';
import type { Context } from '../../schema/operation/context';
import { networkHash } from './places';
import { findLink, type PaymentLinkRow } from './rows';

/** High, because payers at one event share a network, and many phones the address of their mobile operator. */
const MAX_USES_PER_NETWORK_PER_HOUR = 100;
const MAX_USES_PER_HOUR = 2000;

export interface NewUse {
  /** Drawn when the form was rendered, so that a form that is sent twice finds the link of its first run. */
  id: string;
  amount?: Money | null;
  coupon?: string | null;
  /** The payer of a subscription, who becomes a customer. */
  payer?: CreateCustomer | undefined;
}

/** A form that is sent again with another amount, as after going back in the browser, opens another use. */
export async function openUse(context: Context, parent: PaymentLinkRow, form: NewUse): Promise<PaymentLinkRow> {
  const { id, amount = parent.amount } = form;
  const isKnown = await context.db.paymentLink.findUnique({ where: { id }, select: { id: true } });
  if (!isKnown) await insertUse(context, parent, { ...form, amount });
  const use = await findLink(context, id);
  if (use.parent_id !== parent.id) throw new ApiError('not_found');
  if (use.amount === amount) return use;
  return openUse(context, parent, { ...form, id: idsFrom(Buffer.from(`${id} ${amount}`))('payment_link') });
}

/** Does nothing if another run of the form has just inserted it. */
async function insertUse(context: Context, parent: PaymentLinkRow, form: NewUse & { amount: Money | null }) {
  const { db, merchant_id, newId } = context;
  const { id, amount, coupon = null, payer } = form;
  const { kind, methods, iva, description, plan_id, redirect_url, expires_at, page_origin } = parent;
  const { quantity, accepts_coupons } = parent;
  await takeUseQuotas(context, parent);
  const customer_id = payer ? (await insertCustomer(idsOfUse(context, id), payer)).id : parent.customer_id;
  const link = {
    ...{ coupon, quantity, accepts_coupons },
    ...{ id, merchant_id, kind, methods, amount, iva, description, customer_id, plan_id, redirect_url, expires_at },
    ...{ parent_id: parent.id, creation_date: parent.now, page_key: newId('page'), page_origin },
    network_hash: networkHash(context, parent),
  };
  try {
    await db.paymentLink.createMany({ data: [link], skipDuplicates: true });
  } catch (error) {
    throw violates(error, NO_LINK_PLACE) ? new ApiError('not_found') : error;
  }
}

/** The network's is taken first, so that a client that it stops does not use up the quota of the link. */
async function takeUseQuotas({ db, merchant_id, address }: Context, { id }: PaymentLinkRow): Promise<void> {
  const [name, problem] = [`uses of ${id}`, 'hourly_link_uses'] as const;
  const ofNetwork = { name: `${name} from ${networkOf(address)}`, max: MAX_USES_PER_NETWORK_PER_HOUR };
  await takeQuota(db, { merchant_id, problem, ...ofNetwork });
  await takeQuota(db, { merchant_id, problem, name, max: MAX_USES_PER_HOUR });
}

/** A form that is sent twice finds the customer of its first run. */
const idsOfUse = (context: Context, id: string): Context => ({ ...context, newId: idsFrom(Buffer.from(id)) });
