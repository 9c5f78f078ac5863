/** The charge of a period: an ordinary charge, inserted before it is sent in the statement that updates the subscription. */
import type { SealedCharge } from '../../../gateway/acquirer/operation';
import type { SealedCard } from '../../../gateway/acquirer/port';
import { countryOf } from '../../../gateway/fraud/rule';
import type { PaymentFacts } from '../../../gateway/fraud/screening';
import { customerAccount, merchantAccount } from '../../../ledger/accounts';
import { toCard } from '../../../payments/cards/resolver';
import type { CardRow } from '../../../payments/cards/rows';
import { newTransaction } from '../../../payments/charges/newTransaction';
import type { TransactionRow } from '../../../payments/charges/rows';
import { scaledIva } from '../../../payments/charges/tax';
import type { Database } from '../../../platform/database/connection';
import { idsFrom } from '../../../platform/identifiers';
import { realNow, type SubscriptionRow, stateOf } from '../rows';
import { replaced } from '../rules/changes';
import { amountOf, opened } from '../rules/invoices';
import type { Attempt } from '../rules/state';
import { withNumbers } from '../storedAmounts';
import type { RowChange } from './applyEvent';
import { prepareBatch } from './rows';

const MAX_DESCRIPTION_LENGTH = 250;

/**
 * Deterministic for an attempt and its predecessor. A database restored to an earlier moment therefore sends the attempt
 * under the same key and gets its earlier outcome instead of charging twice.
 */
export function nextChargeId(row: SubscriptionRow, { period }: Attempt): string {
  const { id, transaction_id, card_id, current_period_number } = row;
  const state = period > current_period_number ? opened(stateOf(row), period) : stateOf(row);
  return idsFrom(Buffer.from(`${id} ${transaction_id} ${period} ${card_id} ${amountOf(state, period)}`))('transaction');
}

/** Terms and amount of the open attempt. A replacement takes effect when it is paid. */
function chargedTerms(row: SubscriptionRow, period: number) {
  const state = stateOf(row);
  const { terms, invoice, ...billed } = row.open?.replacement ? replaced(state, row.open.replacement) : state;
  const amount = amountOf({ ...billed, terms, invoice }, period);
  return { terms, amount, invoice: invoice?.period === period ? invoice : null };
}

/** `at` is the time by the subscription's clock. */
export function periodCharge(row: SubscriptionRow, at: number): TransactionRow {
  const { id, ...card } = toCard(row.card);
  const { merchant_id, customer_id, open } = row;
  const { terms, amount, invoice } = chargedTerms(row, open?.period ?? 1);
  return newTransaction({
    id: open?.transaction_id ?? '',
    merchant_id,
    customer_id,
    subscription_id: row.id,
    period: open?.period ?? null,
    creation_date: new Date(at),
    operation_date: new Date(at),
    transaction_type: 'charge',
    operation_type: 'in',
    method: 'card',
    amount,
    invoice: invoice && withNumbers(invoice),
    description: [...terms.plan_name].slice(0, MAX_DESCRIPTION_LENGTH).join(''),
    card: { ...card, ...(row.holds_card ? {} : { id }), creation_date: card.creation_date.toISOString() },
    source_id: id,
    account: row.requires_account ? customerAccount(customer_id) : merchantAccount(merchant_id),
    clock_offset: Math.max(0, Math.round((at - realNow(row)) / 1000)),
    iva: scaledIva(row.iva ?? terms.plan_iva, amount, terms.amount),
  });
}

/** The charge as it is sent. */
export const sealedCharge = (card: SealedCard, at: number, series: 'first' | 'later'): SealedCharge => ({
  card,
  details: {
    at: new Date(at),
    initiated_by: 'merchant',
    stored_credential: true,
    series,
    installments: 1,
  },
});

export const renewalFacts = (
  { merchant_id, customer_id, amount }: TransactionRow,
  card: Pick<CardRow, 'id' | 'card_number'>,
  at: number,
): PaymentFacts => ({
  ...{ merchant_id, customer_id, amount },
  purpose: 'renewals',
  at: new Date(at),
  card_id: card.id,
  card_number: card.card_number,
  country: countryOf(card),
});

interface ChargeToSend {
  transaction: TransactionRow;
  card: CardRow & SealedCard;
}

/** Undefined if the row has changed since it was read, customer or card deleted, the merchant suspended, or billing held. */
export async function prepareAttempt(db: Database, change: RowChange, at: number): Promise<ChargeToSend | undefined> {
  const { card, merchant_id } = change.before;
  const prepared = await prepareBatch(db, { change, charge: periodCharge(change.after, at) });
  if (!prepared) return undefined;
  const { number_sealed, cvv2_sealed, ...transaction } = prepared;
  return { transaction, card: { ...card, merchant_id, number_sealed, cvv2_sealed } };
}
