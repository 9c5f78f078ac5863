/** A row as both doors show it, and as events keep it. */
import type { TransactionModel } from '../../prisma/generated/models';
import type { ChargedCard, Movement, Payer, Status, Transaction } from './fields';

export type TransactionRow = TransactionModel;

const CURRENCY = 'COP';

export const shownMovement = (row: TransactionRow): Movement => ({
  id: row.id,
  amount: row.amount,
  authorization: row.authorization,
  method: row.method,
  operation_type: row.operation_type,
  transaction_type: row.transaction_type,
  status: row.status as Status,
  conciliated: row.conciliated,
  currency: CURRENCY,
  creation_date: row.creation_date,
  operation_date: row.operation_date,
  description: row.description,
  error_message: row.error_message,
  ...(row.error_code === null ? {} : { error_code: row.error_code }),
  order_id: row.order_id,
  ...(row.customer_id === null ? {} : { customer_id: row.customer_id }),
  ...(row.subscription_id === null ? {} : { subscription_id: row.subscription_id }),
});

export function shownTransaction(row: TransactionRow, refunds: TransactionRow[]): Transaction {
  const given = refunds.map(shownMovement);
  const [latest] = given;
  return {
    ...shownMovement(row),
    ...(row.iva === null ? {} : { iva: row.iva }),
    ...(row.card === null ? {} : { card: datedCard(row.card as unknown as ChargedCard) }),
    ...(row.customer === null ? {} : { customer: payer(row) }),
    ...(row.fee_amount === null || row.fee_tax === null
      ? {}
      : { fee: { amount: row.fee_amount, tax: row.fee_tax, currency: CURRENCY } }),
    ...(row.metadata === null ? {} : { metadata: row.metadata as Record<string, string> }),
    ...(latest ? { refund: latest, refunds: given } : {}),
  };
}

/** JSON keeps a date as a text. */
const datedCard = (card: ChargedCard): ChargedCard => ({ ...card, creation_date: new Date(card.creation_date) });

const payer = ({ customer, creation_date }: TransactionRow): Payer => {
  const { name, email, last_name = null, phone_number = null, external_id = null } = customer as unknown as Payer;
  return { name, last_name, email, phone_number, address: null, creation_date, external_id };
};
