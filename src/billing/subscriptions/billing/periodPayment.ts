/**
 * The payment of a due period by its payer. The subscription waits for it as for the answer to a charge, so no retry is
 * sent meanwhile. Its outcome is written with an outbox row, and applied here.
 */
import type { AcquirerServices } from '../../../gateway/acquirer/operation';
import { NoAnswerError } from '../../../gateway/acquirer/port';
import { endUnpaid } from '../../../payments/charges/expiry';
import { reloadTransaction, type TransactionRow } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import { clockNow, realNow, reloadSubscription, type SubscriptionRow } from '../rows';
import { hasUnpaidPeriod } from '../rules/periods';
import type { BillingEvent } from '../rules/state';
import { applyEvent } from './applyEvent';
import { applyAndWrite, type BillingStep, clockColumns } from './attempt';
import { writeChange } from './rows';

const isPaid = ({ status }: TransactionRow): boolean => status !== 'failed' && status !== 'cancelled';

/** Idempotent; false if there is no outcome yet. A payment for which the subscription did not wait any more is credited to it. */
export async function applyPeriodPayment(db: Database, id: string, at = 0): Promise<boolean> {
  const payment = await reloadTransaction(db, id);
  const { subscription_id, progress } = payment;
  if (subscription_id === null || progress !== 'settled') return false;
  for (;;) {
    const row = await reloadSubscription(db, subscription_id);
    const appliedAt = Math.max(clockNow(row), at, row.clock_at ? payment.operation_date.getTime() : 0);
    const event = await eventOf(db, row, payment, appliedAt);
    if (!event) return true;
    const change = applyEvent(row, event, { row: clockColumns(row, appliedAt), outbox: ['nudge'] });
    if (await writeChange(db, change)) return true;
  }
}

async function eventOf(
  db: Database,
  row: SubscriptionRow,
  payment: TransactionRow,
  at: number,
): Promise<BillingEvent | undefined> {
  const { id: transaction_id, amount } = payment;
  if (row.open?.transaction_id === transaction_id)
    return { type: 'answered', at, outcome: isPaid(payment) ? 'paid' : 'not_made' };
  if (!isPaid(payment)) return undefined;
  // Read after the row, whose version would have changed since.
  const applied = { subscription_id: row.id, transaction_id, event: { in: ['charged', 'payment_credited'] } };
  const isApplied = (await db.subscriptionLine.findFirst({ where: applied })) !== null;
  if (isApplied) return undefined;
  const isOfUnpaidPeriod = payment.period === row.current_period_number && hasUnpaidPeriod(row) && !row.open;
  return isOfUnpaidPeriod
    ? { type: 'paid_late', at, transaction_id, method: payment.method }
    : { type: 'credited', at, transaction_id, amount };
}

/** Withdraws the payment, unless it was made. A card that is being charged on its page decides, so it is tried again. */
export async function endPeriodPayment(
  services: AcquirerServices,
  row: SubscriptionRow,
  at: number,
): Promise<BillingStep | undefined> {
  const { db } = services;
  const id = row.open?.transaction_id ?? '';
  const payment = await reloadTransaction(db, id);
  try {
    if (payment.progress !== 'settled') await endUnpaid(services, payment);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return applyAndWrite(db, row, { type: 'unanswered', realTime: realNow(row) });
  }
  const isOver = await applyPeriodPayment(db, id, at);
  return isOver
    ? { row: await reloadSubscription(db, row.id), lines: [] }
    : applyAndWrite(db, row, { type: 'unanswered', realTime: realNow(row) });
}
