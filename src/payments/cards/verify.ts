import type { AcquirerAnswer, Issuer, SealedCard } from '../../gateway/acquirer/port';
import { rethrowUnavailable } from '../../gateway/acquirer/unavailable';
import type { AttemptOrigin } from '../../gateway/declines';
import { countryOf } from '../../gateway/fraud/rule';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';

interface VerifiedCard extends AttemptOrigin {
  fingerprint: Uint8Array | null;
  customer_id: string | null;
}

/**
 * What the acquirer knows of the card. Throws if a fraud rule refuses it, the acquirer declines it, or it has expired at
 * that time. A repeated request
 * must pass the same key.
 */
export async function verifyCard(
  { acquirer, declines, fraud, merchant_id }: Context,
  key: string,
  card: SealedCard,
  origin: VerifiedCard,
  at: Date,
): Promise<Partial<Issuer>> {
  const attempt = await declines.begin(merchant_id, origin);
  const facts = { merchant_id, purpose: 'charges', at, amount: 0n, country: countryOf(card), ...origin } as const;
  let sent: AcquirerAnswer | undefined;
  const verify = async () => {
    sent = await acquirer.verify(`verify-${key}`, card, at);
    return sent;
  };
  const answer = await fraud.screen(facts, verify).catch(async error => {
    await attempt.end(undefined);
    return rethrowUnavailable(error);
  });
  // What a rule has refused says nothing about the card.
  await attempt.end(sent);
  if (!answer.approved) throw new ApiError(answer.kind, answer.kind, { fraud_rules: answer.fraud_rules });
  const country = answer.issuer?.country;
  const refusedBy = country ? await fraud.refusedBy({ ...facts, country }) : [];
  if (refusedBy.length > 0) throw new ApiError('fraud', 'fraud', { fraud_rules: refusedBy });
  return saidOf(answer.issuer);
}

/** Only what was said: the rest stays as it is. */
const saidOf = (issuer: Partial<Issuer> = {}): Partial<Issuer> =>
  Object.fromEntries(Object.entries(issuer).filter(([, value]) => value !== null));

/**
 * The same of a verification whose answer was lost with the process that asked for it. What the acquirer was never
 * asked, a fraud rule has refused.
 */
export async function earlierVerification({ acquirer }: Context, key: string): Promise<Partial<Issuer>> {
  const operation = await acquirer.find(`verify-${key}`).catch(rethrowUnavailable);
  if (!operation.known) throw new ApiError('fraud');
  const { answer } = operation;
  if (!answer.approved) throw new ApiError(answer.kind, answer.kind, { fraud_rules: answer.fraud_rules });
  return saidOf(answer.issuer);
}
