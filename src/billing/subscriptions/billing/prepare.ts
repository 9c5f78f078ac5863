/** Writes the charge of a period before it is sent. */
import type { SealedCard } from '../../../gateway/acquirer/port';
import type { CardRow } from '../../../payments/cards/rows';
import type { TransactionRow } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import type { RowChange } from './applyEvent';
import { periodCharge } from './periodCharge';
import { prepareBatch } from './rows';

interface PreparedCharge {
  transaction: TransactionRow;
  card: CardRow & SealedCard;
}

/** Undefined if the row has changed since it was read, customer or card deleted, the merchant suspended, or billing held. */
export async function prepareAttempt(db: Database, change: RowChange, at: number): Promise<PreparedCharge | undefined> {
  const { card, merchant_id } = change.before;
  const prepared = await prepareBatch(db, { change, charge: periodCharge(change.after, at) });
  if (!prepared) return undefined;
  const { number_sealed, cvv2_sealed, ...transaction } = prepared;
  return { transaction, card: { ...card, merchant_id, number_sealed, cvv2_sealed } };
}
