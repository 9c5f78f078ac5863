/** What fraud rules are told of a charge. */
import { countryOf } from '../../gateway/fraud/rule';
import type { PaymentFacts } from '../../gateway/fraud/screening';
import type { TransactionRow } from './rows';

export function factsOf(row: TransactionRow, more: Partial<PaymentFacts>): PaymentFacts {
  const { merchant_id, customer_id, amount, card, customer, metadata } = row;
  return {
    ...{ merchant_id, customer_id, amount },
    purpose: 'charges',
    // By the clock of the charge; an attempt on a page may come long after the page.
    at: row.operation_date,
    card_number: card?.card_number,
    country: countryOf(card),
    device: row.device_session_id,
    address: row.payer_address,
    metadata: metadata ?? {},
    ...more,
    email: more.email ?? customer?.email,
  };
}
