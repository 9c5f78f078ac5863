import type { SealedCard } from '../acquirer/port';
import { rethrowUnavailable } from '../acquirer/unavailable';
import type { Context } from '../context';
import { ApiError } from '../platform/errors';

/** Throws if the acquirer declines the card. A repeated request must pass the same key. */
export async function verifyCard({ acquirer }: Context, key: string, card: SealedCard): Promise<void> {
  const outcome = await acquirer.verify(`verify-${key}`, card).catch(rethrowUnavailable);
  if (!outcome.approved) throw new ApiError(outcome.kind, undefined, outcome.fraud_rules);
}

/** Throws the decline of a verification whose answer was lost with the process that asked for it. */
export async function rethrowEarlierDecline({ acquirer }: Context, key: string): Promise<void> {
  const operation = await acquirer.find(`verify-${key}`).catch(rethrowUnavailable);
  if (operation.known && !operation.outcome.approved)
    throw new ApiError(operation.outcome.kind, undefined, operation.outcome.fraud_rules);
}
