/** Card charge attempts, which pass the gate unless they only finish an earlier run. */

import type { AttemptOrigin } from '../../../gateway/declines';
import { beginAttempt, type CardAttempt } from '../../../gateway/gate';
import { isId } from '../../../platform/identifiers';
import type { Context } from '../../../schema/operation/context';
import { originOf } from '../../cardDetails/origin';
import { tokenOrigin } from '../../tokens/rows';
import type { CreateCharge } from '../requests';
import { findTransaction } from '../rows';

/** A saved card passed these limits when it was saved, so only tokens add their address and number. */
export async function chargeOrigin(
  context: Context,
  { source_id, device_session_id: device }: CreateCharge,
): Promise<AttemptOrigin> {
  const found = source_id && isId(source_id) ? await tokenOrigin(context.db, source_id) : undefined;
  const token = found?.merchant_id === context.merchant_id ? found : undefined;
  return { ...originOf(context, token?.created_from), device, card_number: token?.card_number };
}

/** Past the limits, a repeated request can finish the charge of its earlier run, but send no new one. */
export const beginCharge = (context: Context, id: string, origin: AttemptOrigin): Promise<CardAttempt> =>
  beginAttempt(context, context.merchant_id, origin).catch(async error => {
    if (!(await findTransaction(context.db, { id, merchant_id: context.merchant_id }))) throw error;
    const refuse = () => Promise.reject(error);
    return { send: refuse, admit: refuse, end: async () => undefined };
  });
