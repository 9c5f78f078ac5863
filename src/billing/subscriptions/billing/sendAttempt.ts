/** Sends an attempt to the acquirer, unless a rule of the merchant refuses it. */
import type { Acquirer, AcquirerAnswer, SealedCard } from '../../../gateway/acquirer/port';
import { findOrReverse } from '../../../gateway/acquirer/resolveOutcome';
import { countryOf } from '../../../gateway/fraud/rule';
import type { FraudScreening } from '../../../gateway/fraud/screening';
import type { CardRow } from '../../../payments/cards/rows';
import type { PaymentServices } from '../../../payments/charges/card/charge';
import type { TransactionRow } from '../../../payments/charges/rows';
import type { SubscriptionRow } from '../rows';

export interface BillingServices extends PaymentServices {
  fraud: FraudScreening;
}

/**
 * Where a rule for renewals refuses it, its key is reversed, or its outcome recorded where somebody who took this
 * process for dead has sent it meanwhile: what the books call declined is never charged.
 */
export async function screenAndSend(
  { acquirer, fraud }: BillingServices,
  transaction: TransactionRow,
  card: SealedCard & Pick<CardRow, 'id' | 'card_number'>,
  { merchant_id, customer_id }: SubscriptionRow,
  time: number,
): Promise<AcquirerAnswer | undefined> {
  const at = new Date(time);
  const { amount } = transaction;
  const ofCard = { card_id: card.id, card_number: card.card_number, country: countryOf(card) };
  const facts = { merchant_id, customer_id, purpose: 'renewals', at, amount, ...ofCard } as const;
  const answer = await fraud.screen(facts, () => sendCharge(acquirer, transaction, card, at));
  const isByRule = answer !== undefined && !answer.approved && answer.fraud_rules !== undefined;
  return isByRule ? ((await findOrReverse(acquirer, transaction.id)) ?? answer) : answer;
}

/** A refusal may come from our own reversal of the key. Then it is no decline: the charge was not made. */
async function sendCharge(
  acquirer: Acquirer,
  { id: key, amount, period }: TransactionRow,
  card: SealedCard,
  at: Date,
): Promise<AcquirerAnswer | undefined> {
  const series = period === 1 ? 'first' : 'later';
  const agreed = { initiated_by: 'merchant', stored_credential: true, installments: 1 } as const;
  const answer = await acquirer.charge(key, card, amount, { at, series, ...agreed });
  return answer.approved || answer.kind !== 'not_allowed' ? answer : findOrReverse(acquirer, key);
}
