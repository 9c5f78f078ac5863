/** Card charge attempts, subject to the decline limits. */

import type { AttemptOrigin, CardAttempt } from '../../../gateway/declines';
import { isId } from '../../../platform/identifiers';
import type { Context } from '../../../schema/operation/context';
import { tokenOrigin } from '../../tokens/rows';
import type { CreateCharge } from '../requests';
import { findTransaction } from '../rows';

/** A saved card passed these limits when it was saved, so only tokens add their address and number. */
export async function originOf(
  { db, merchant_id }: Context,
  { source_id, device_session_id: device }: CreateCharge,
): Promise<AttemptOrigin> {
  const token = source_id && isId(source_id) ? await tokenOrigin(db, source_id) : undefined;
  return token?.merchant_id === merchant_id
    ? { device, address: token.created_from, card_number: token.card_number }
    : { device };
}

/** A repeated request finishes the charge of its earlier run regardless of the limits. */
export const beginAttempt = (
  { db, declines, merchant_id }: Context,
  id: string,
  origin: AttemptOrigin,
): Promise<CardAttempt> =>
  declines.begin(merchant_id, origin).catch(async error => {
    if (!(await findTransaction(db, { id, merchant_id }))) throw error;
    return { end: async () => undefined };
  });
