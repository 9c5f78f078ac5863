/** An attempt to charge a card, before the limits of declined cards. */

import type { AttemptOrigin, CardAttempt } from '../../../gateway/declines';
import { isId } from '../../../platform/identifiers';
import type { Context } from '../../../schema/operation/context';
import { tokenOrigin } from '../../tokens/rows';
import type { CreateCharge } from '../requests';
import { findTransaction } from '../rows';

/** A saved card was verified when it was saved, so its number is no secret any more: only a token tells of its payer. */
export async function originOf(
  { db, merchant_id }: Context,
  { source_id, device_session_id: device }: CreateCharge,
): Promise<AttemptOrigin> {
  const token = source_id && isId(source_id) ? await tokenOrigin(db, source_id) : undefined;
  return token?.merchant_id === merchant_id
    ? { device, address: token.created_from, card_number: token.card_number }
    : { device };
}

/** What an earlier run of a repeated request has begun is finished, however many cards were declined since. */
export const beginAttempt = (
  { db, declines, merchant_id }: Context,
  id: string,
  origin: AttemptOrigin,
): Promise<CardAttempt> =>
  declines.begin(merchant_id, origin).catch(async error => {
    if (!(await findTransaction(db, { id, merchant_id }))) throw error;
    return { end: async () => undefined };
  });
