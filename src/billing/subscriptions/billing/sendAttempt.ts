/** Sends the charge of a period, unless a fraud rule for renewals refuses it. */
import { type AcquirerServices, findOrReverse } from '../../../gateway/acquirer/operation';
import type { Acquirer, AcquirerAnswer, SealedCard } from '../../../gateway/acquirer/port';
import { countryOf } from '../../../gateway/fraud/rule';
import type { FraudScreening } from '../../../gateway/fraud/screening';
import type { CardRow } from '../../../payments/cards/rows';
import type { TransactionRow } from '../../../payments/charges/rows';
import type { SubscriptionRow } from '../rows';

export interface BillingServices extends AcquirerServices {
  fraud: FraudScreening;
}

export interface PeriodCharge {
  subscription: SubscriptionRow;
  /** Undefined if the card number is deleted. */
  card: (SealedCard & Pick<CardRow, 'id' | 'card_number'>) | undefined;
  /** Time by the subscription's clock. */
  at: number;
}

export async function sendRenewal(
  acquirer: Acquirer,
  key: string,
  { amount, period }: TransactionRow,
  { card, at }: PeriodCharge,
): Promise<AcquirerAnswer> {
  if (!card) throw new Error(`billing: card of ${key} has no number`);
  const series = period === 1 ? 'first' : 'later';
  const agreed = { initiated_by: 'merchant', stored_credential: true, installments: 1 } as const;
  return acquirer.charge(key, card, amount, { at: new Date(at), series, ...agreed });
}

/**
 * Reverses the key if a rule refuses the charge, so that a charge recorded as declined never takes effect. Returns the
 * actual outcome if another process sent the charge meanwhile.
 */
export const screenRenewal =
  ({ acquirer, fraud }: BillingServices, { id, amount }: TransactionRow, { subscription, card, at }: PeriodCharge) =>
  async (send: () => Promise<AcquirerAnswer | undefined>): Promise<AcquirerAnswer | undefined> => {
    const { merchant_id, customer_id } = subscription;
    const cardFacts = { card_id: card?.id, card_number: card?.card_number, country: card && countryOf(card) };
    const facts = { merchant_id, customer_id, purpose: 'renewals', at: new Date(at), amount, ...cardFacts } as const;
    const answer = await fraud.screen(facts, send);
    const isByRule = answer !== undefined && !answer.approved && answer.fraud_rules !== undefined;
    return isByRule ? ((await findOrReverse(acquirer, id)) ?? answer) : answer;
  };
