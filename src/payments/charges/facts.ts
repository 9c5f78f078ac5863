/** Facts of a charge for fraud rules. */
import { countryOf } from '../../gateway/fraud/rule';
import type { PaymentFacts } from '../../gateway/fraud/screening';
import type { TransactionRow } from './rows';

export function factsOf(row: TransactionRow, overrides: Partial<PaymentFacts>): PaymentFacts {
  const { merchant_id, customer_id, amount, card, customer, metadata } = row;
  return {
    ...{ merchant_id, customer_id, amount },
    purpose: 'charges',
    // The time of the attempt, which can be long after the creation of a payment page.
    at: row.operation_date,
    card_number: card?.card_number,
    country: countryOf(card),
    device: row.device_session_id,
    address: row.payer_address,
    metadata: metadata ?? {},
    ...overrides,
    email: overrides.email ?? customer?.email,
  };
}
