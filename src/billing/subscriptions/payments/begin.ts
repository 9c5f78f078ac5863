/** Begins the payment of a due period by its payer: the payment and the wait of the subscription are written together. */
import { createPendingPayment } from '../../../payments/charges/pending/create';
import type { TransactionRow } from '../../../payments/charges/rows';
import { findCustomer } from '../../../payments/customers/rows';
import { type ChargeMethodName, METHODS } from '../../../payments/methods/methods';
import { ApiError } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import { applyEvent, type RowChange } from '../billing/applyEvent';
import { periodCharge } from '../billing/periodCharge';
import { clockNow, realNow, type SubscriptionRow, stateOf } from '../rows';
import { amountOf } from '../rules/invoices';
import { payableUntil } from '../rules/periodPayments';
import type { PeriodPayment } from '../rules/state';
import { insertPeriodPayment } from './rows';

const CENTAVOS_PER_PESO = 100n;
/** In the order in which payers are offered them. */
const BY_EASE: readonly ChargeMethodName[] = ['bre_b', 'bank_account', 'store', 'card'];

/** The methods by which the due period can be paid now, each with the time until which it can be. */
export function offeredPayments(row: SubscriptionRow): (PeriodPayment & { method: ChargeMethodName })[] {
  const state = stateOf(row);
  const isWhole = amountOf(state, row.current_period_number) % CENTAVOS_PER_PESO === 0n;
  return BY_EASE.flatMap(method => {
    const { expiryHours, needsWholePesos } = METHODS[method];
    const until = needsWholePesos && !isWhole ? undefined : payableUntil(state, clockNow(row), expiryHours);
    return until === undefined ? [] : [{ method, until }];
  });
}

/** Throws if the period cannot be paid by this method any more. The payment credits the account of the renewal. */
export async function beginPeriodPayment(
  context: Context,
  row: SubscriptionRow,
  name: string | null,
): Promise<TransactionRow> {
  const payment = offeredPayments(row).find(({ method }) => method === name);
  if (!payment) throw new ApiError('not_allowed', 'changed_meanwhile');
  const begun = (transaction_id: string): RowChange =>
    applyEvent(
      row,
      {
        type: 'prepared',
        realTime: realNow(row),
        attempt: { period: row.current_period_number, attempt: row.attempts, free: false },
        transaction_id,
        payment,
      },
      { row: { transaction_id }, outbox: ['nudge'] },
    );
  const { amount, iva, description, ...charge } = periodCharge(begun('').after, clockNow(row));
  const { subscription_id, period, invoice, account, creation_date, operation_date, clock_offset } = charge;
  const { method, until } = payment;
  return createPendingPayment(
    context,
    {
      ...{ method, amount, description: description ?? '', due: new Date(until) },
      ...(iva !== null && { iva }),
      period: { subscription_id, period, invoice, account, creation_date, operation_date, clock_offset },
    },
    await findCustomer(context, row.customer_id),
    ({ db, environment }, created) => insertPeriodPayment(db, begun(created.id), { ...created, environment }),
  );
}
