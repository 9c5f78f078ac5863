/** The places of a payment link that several payers use. The database counts them and refuses more. */
import { Prisma } from '../../../../prisma/generated/client';

export const NO_LINK_PLACE = /payment_links_places_check/;

/** The link of one payer cannot be used, because the link that the merchant created was cancelled or has no place left. */
export const LINK_IS_CLOSED = Prisma.sql`coalesce((select parent.status <> 'active' or parent.places >= parent.max_payments
  from payment_links parent where parent.id = payment_links.parent_id), false)`;
