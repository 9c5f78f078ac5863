import type { Issuer, SealedCard } from '../../gateway/acquirer/port';
import { rethrowUnavailable } from '../../gateway/acquirer/unavailable';
import type { AttemptOrigin } from '../../gateway/declines';
import { countryOf } from '../../gateway/fraud/rule';
import { beginAttempt } from '../../gateway/gate';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';

interface VerifiedCard extends AttemptOrigin {
  fingerprint: Uint8Array | null;
  customer_id: string | null;
}

/**
 * Returns the issuer data of a good card. Throws if a fraud rule or the acquirer declines it. A repeated request must pass
 * the same key.
 */
export async function verifyCard(
  context: Context,
  key: string,
  card: SealedCard,
  origin: VerifiedCard,
  at: Date,
): Promise<Partial<Issuer>> {
  const { acquirer, fraud, merchant_id } = context;
  const attempt = await beginAttempt(context, merchant_id, origin);
  const facts = { merchant_id, purpose: 'charges', at, amount: 0n, country: countryOf(card), ...origin } as const;
  const verify = () => acquirer.verify(`verify-${key}`, card, at);
  const answer = await attempt.send(facts, verify).catch(rethrowUnavailable);
  if (!answer.approved) throw new ApiError(answer.kind, answer.kind, { fraud_rules: answer.fraud_rules });
  const country = answer.issuer?.country;
  const refusedBy = country ? await fraud.refusedBy({ ...facts, country }) : [];
  if (refusedBy.length > 0) throw new ApiError('fraud', 'fraud', { fraud_rules: refusedBy });
  return knownIssuerData(answer.issuer);
}

/** Drops unknown members, so that they do not overwrite stored data. */
const knownIssuerData = (issuer: Partial<Issuer> = {}): Partial<Issuer> =>
  Object.fromEntries(Object.entries(issuer).filter(([, value]) => value !== null));

/**
 * Returns the outcome of a verification whose answer was lost in a crash. A key unknown to the acquirer means that a fraud
 * rule refused the card.
 */
export async function earlierVerification({ acquirer }: Context, key: string): Promise<Partial<Issuer>> {
  const operation = await acquirer.find(`verify-${key}`).catch(rethrowUnavailable);
  if (!operation.known) throw new ApiError('fraud');
  const { answer } = operation;
  if (!answer.approved) throw new ApiError(answer.kind, answer.kind, { fraud_rules: answer.fraud_rules });
  return knownIssuerData(answer.issuer);
}
