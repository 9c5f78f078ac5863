/**
 * The gate of card attempts that a request or page causes: the limits on declines, then the fraud rules for charges.
 * Renewals do not pass it; they are subject to the rules for renewals only.
 */
import { ApiError } from '../platform/errors';
import type { AcquirerAnswer } from './acquirer/port';
import type { AttemptOrigin, DeclineLimits } from './declines';
import type { FraudFacts } from './fraud/rule';
import type { FraudScreening, PaymentFacts, Reservation } from './fraud/screening';

interface GateServices {
  declines: DeclineLimits;
  fraud: FraudScreening;
}

type RenewalFacts = Omit<PaymentFacts, 'purpose'>;

export interface CardAttempt {
  /** Returns the acquirer's answer, or a refusal by the rules without sending the request. */
  send<T extends AcquirerAnswer | undefined>(
    facts: PaymentFacts,
    request: () => Promise<T>,
  ): Promise<T | AcquirerAnswer>;
  /** Admits a renewal that the request causes and a worker sends. Throws if a fraud rule refuses it. */
  admit(renewal: RenewalFacts): Promise<void>;
  /** Records the outcome of an admitted renewal. Ends an attempt that was not sent. No effect otherwise. */
  end(outcome?: { approved: boolean }): Promise<void>;
}

/** Throws at too many declined or pending attempts. */
export async function beginAttempt(
  { declines, fraud }: GateServices,
  merchant_id: string,
  origin: AttemptOrigin,
): Promise<CardAttempt> {
  const counted = await declines.begin(merchant_id, origin);
  let admitted: Reservation | undefined;
  let card_number: string | undefined;
  const reserve = async (facts: RenewalFacts, purpose: FraudFacts['purpose']): Promise<Reservation> => {
    const reservation = await fraud.reserve({ ...facts, purpose });
    const { refusedBy: fraud_rules, retry_after } = reservation;
    if (fraud_rules.length === 0) return reservation;
    throw retry_after === undefined
      ? new ApiError('fraud', 'fraud', { fraud_rules })
      : new ApiError('too_many', 'fraud_rule_limit', { fraud_rules, retry_after });
  };
  return {
    async send(facts, request) {
      let sent: AcquirerAnswer | undefined;
      try {
        return await fraud.screen(facts, async () => {
          const answer = await request();
          sent = answer;
          return answer;
        });
      } finally {
        // A refusal by a fraud rule does not count as a decline of the card.
        await counted.end(sent, facts.card_number);
      }
    },
    async admit(renewal) {
      card_number = renewal.card_number;
      // The worker reserves these rules when it sends the renewal.
      const preview = await reserve(renewal, 'renewals');
      await preview.end(undefined);
      admitted = await reserve(renewal, 'requested_renewals');
    },
    async end(outcome) {
      await admitted?.end(outcome);
      admitted = undefined;
      await counted.end(outcome, card_number);
    },
  };
}
