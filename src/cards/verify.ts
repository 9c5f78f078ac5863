import type { SealedCard } from '../acquirer/port';
import { rethrowUnavailable } from '../acquirer/unavailable';
import type { Context } from '../context';
import type { AttemptOrigin } from '../limits/declines';
import { ApiError } from '../platform/errors';

/** Throws if the acquirer declines the card, or it has expired at that time. A repeated request must pass the same key. */
export async function verifyCard(
  { acquirer, declines, merchant_id }: Context,
  key: string,
  card: SealedCard,
  origin: AttemptOrigin,
  at: Date,
): Promise<void> {
  const attempt = await declines.begin(merchant_id, origin);
  const answer = await acquirer.verify(`verify-${key}`, card, at).catch(async error => {
    await attempt.end(undefined);
    return rethrowUnavailable(error);
  });
  await attempt.end(answer);
  if (!answer.approved) throw new ApiError(answer.kind, { fraud_rules: answer.fraud_rules });
}

/** Throws the decline of a verification whose answer was lost with the process that asked for it. */
export async function rethrowEarlierDecline({ acquirer }: Context, key: string): Promise<void> {
  const operation = await acquirer.find(`verify-${key}`).catch(rethrowUnavailable);
  if (operation.known && !operation.answer.approved)
    throw new ApiError(operation.answer.kind, { fraud_rules: operation.answer.fraud_rules });
}
