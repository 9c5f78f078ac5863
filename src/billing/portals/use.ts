/** The payer's use of a portal: its forms call the operations that a merchant would call. */
import type { CreateCard } from '../../payments/cards/fields';
import { findCard } from '../../payments/cards/resolver';
import { deleteCard } from '../../payments/cards/rows';
import { saveCard } from '../../payments/cards/save';
import { acceptsCards, type CardAttempts } from '../../payments/charges/pending/payByCard';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import type { FormOutcome } from '../payerPages/rows';
import { endAttempt, type PortalRow, startAttempt } from './rows';

/** A card that was declined in an earlier form is among the declines already. */
export const portalAttempts = ({ attempts, declines }: PortalRow): CardAttempts => ({
  attempts,
  declines,
  error_code: null,
});

/**
 * Saves a card. Nothing happens while another form is processed, or if one was since the portal was read. The outcome is
 * stored for the next page.
 */
export async function addCard(context: Context, portal: PortalRow, card: CreateCard): Promise<void> {
  const { db } = context;
  if (!acceptsCards(portalAttempts(portal)) || !(await startAttempt(db, portal))) return;
  let result: FormOutcome = { error_code: null, approved: undefined };
  try {
    await saveCard(context, card, portal.customer_id);
    result = { error_code: null, approved: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isDeclined = error.category === 'gateway';
    if (!isDeclined && error.kind !== 'unavailable' && error.kind !== 'card_exists') throw error;
    result = { error_code: error.error_code, approved: isDeclined ? false : undefined };
  } finally {
    await endAttempt(db, portal, result);
  }
}

/** Returns false if a subscription uses the card. A card that was removed before stays removed. */
export async function removeCard(context: Context, customer_id: string, card_id: string): Promise<boolean> {
  await findCard(context, card_id, customer_id);
  return deleteCard(context, card_id);
}
