import type { SealedCard } from '../acquirer/port';
import { rethrowUnavailable } from '../acquirer/unavailable';
import type { Context } from '../context';
import { ApiError } from '../platform/errors';

/** A card that the acquirer declines is not kept. The key is the same for a repeat of the same work. */
export async function verifyCard({ acquirer }: Context, key: string, card: SealedCard): Promise<void> {
  const outcome = await acquirer.verify(`verify-${key}`, card).catch(rethrowUnavailable);
  if (!outcome.approved) throw new ApiError(outcome.kind, undefined, outcome.fraud_rules);
}

/** What was answered to a verification that this process knows nothing of any more. */
export async function rethrowEarlierDecline({ acquirer }: Context, key: string): Promise<void> {
  const found = await acquirer.find(`verify-${key}`).catch(rethrowUnavailable);
  if (found.known && !found.outcome.approved)
    throw new ApiError(found.outcome.kind, undefined, found.outcome.fraud_rules);
}
