import type { Issuer, SealedCard } from '../acquirer/port';
import { rethrowUnavailable } from '../acquirer/unavailable';
import type { Context } from '../context';
import type { AttemptOrigin } from '../limits/declines';
import { ApiError } from '../platform/errors';

/**
 * What the acquirer knows of the card. Throws if it declines the card, or it has expired at that time. A repeated request
 * must pass the same key.
 */
export async function verifyCard(
  { acquirer, declines, merchant_id }: Context,
  key: string,
  card: SealedCard,
  origin: AttemptOrigin,
  at: Date,
): Promise<Partial<Issuer>> {
  const attempt = await declines.begin(merchant_id, origin);
  const answer = await acquirer.verify(`verify-${key}`, card, at).catch(async error => {
    await attempt.end(undefined);
    return rethrowUnavailable(error);
  });
  await attempt.end(answer);
  if (!answer.approved) throw new ApiError(answer.kind, { fraud_rules: answer.fraud_rules });
  return saidOf(answer.issuer);
}

/** Only what was said: the rest stays as it is. */
const saidOf = (issuer: Partial<Issuer> = {}): Partial<Issuer> =>
  Object.fromEntries(Object.entries(issuer).filter(([, value]) => value !== null));

/** The same of a verification whose answer was lost with the process that asked for it. */
export async function earlierVerification({ acquirer }: Context, key: string): Promise<Partial<Issuer>> {
  const operation = await acquirer.find(`verify-${key}`).catch(rethrowUnavailable);
  if (!operation.known) return {};
  const { answer } = operation;
  if (!answer.approved) throw new ApiError(answer.kind, { fraud_rules: answer.fraud_rules });
  return saidOf(answer.issuer);
}
