/** The payer's use of the page: each form calls the operation that a merchant would call, if the profile allows it. */
import type { CreateCard } from '../../payments/cards/fields';
import { acceptsCards, countedAttempts } from '../../payments/charges/pending/payByCard';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import type { SubscriptionRow } from '../subscriptions/rows';
import type { CancelReason } from '../subscriptions/rules/cancelReasons';
import { hasUnpaidPeriod } from '../subscriptions/rules/periods';
import { updateSubscription } from '../subscriptions/update';
import { writeUpdate } from '../subscriptions/writeUpdate';
import { endAttempt, type SubscriptionLinkRow, startAttempt } from './rows';

/**
 * Changes the card, and charges it at once for a period that is due. Nothing happens while another form is processed, or
 * if one was since the link was read. The outcome is stored for the next page.
 */
export async function changeCard(
  context: Context,
  found: SubscriptionRow,
  link: SubscriptionLinkRow,
  card: CreateCard,
): Promise<void> {
  const { db } = context;
  if (!acceptsCards(countedAttempts(link)) || !(await startAttempt(db, found.id, link.attempts))) return;
  let result: Parameters<typeof endAttempt>[3] = { error_code: null, approved: undefined };
  try {
    const row = await updateSubscription(context, found, { card });
    // The declined charge of a verified card is shown with the period that is due.
    result = { error_code: null, approved: !hasUnpaidPeriod(row) };
  } catch (error) {
    const isOutcome = error instanceof ApiError && (error.category === 'gateway' || error.kind === 'unavailable');
    if (!isOutcome) throw error;
    result = { error_code: error.error_code, approved: error.category === 'gateway' ? false : undefined };
  } finally {
    await endAttempt(db, found.id, link.attempts + 1, result);
  }
}

export const scheduleEnd = (context: Context, row: SubscriptionRow, cancel_reason?: CancelReason) =>
  writeUpdate(context, row, { cancel_at_period_end: true, ...(cancel_reason && { cancel_reason }) });
