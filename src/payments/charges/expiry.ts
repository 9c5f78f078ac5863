/** Cancels expired authorizations and pending payments. */
import { formatMoment } from '../../../workflows/calendar';
import type { ExpiryActivities, ExpiryStep } from '../../../workflows/contract';
import type { Acquirers } from '../../gateway/acquirer/acquirers';
import { AcquirerOperation, type AcquirerServices, reverse } from '../../gateway/acquirer/operation';
import { clockOf } from '../../platform/database/clock';
import type { Database } from '../../platform/database/connection';
import { cancelledOutcome, EXPIRY_WORK_ID } from './card/capture';
import { settle, settleOrReload } from './outcome/rows';
import { expiredOutcome, withdrawnOutcome } from './pending/decide';
import { markExpiring, narrowTransaction, type TransactionRow } from './rows';

/** Delay while another request is capturing, voiding or paying the transaction. */
const BUSY_RETRY_MS = 10_000;

/** Reverses an authorization; withdraws a payment that the acquirer issued. Input: the cancellation date. */
export const expiry = new AcquirerOperation<TransactionRow, Date>({
  progress: 'voiding',
  matches: ({ work_id }) => work_id === EXPIRY_WORK_ID,
  recoveredBy: 'lease',
  whenUnknown: 'repeat',
  key: ({ id }) => id,
  send: (acquirer, key, { page_key }) => (page_key === null ? reverse(acquirer, key) : acquirer.withdraw(key)),
  async record({ db }, row, answer, at) {
    const date = at ?? (await expiryTimes(db, row)).at;
    const outcome = row.page_key === null ? cancelledOutcome(row, date) : withdrawnOutcome(row, answer, date);
    return settleOrReload(db, 'voiding', outcome);
  },
});

export const expiryActivities = (db: Database, acquirers: Acquirers): ExpiryActivities => ({
  async expire(id: string): Promise<ExpiryStep> {
    const row = await db.transaction.findUnique({
      where: { id },
      include: { merchant: { select: { environment: true } } },
    });
    if (!row) return { over: 'unknown' };
    if (row.progress === 'settled') return { over: row.status };
    const { merchant, ...model } = row;
    const transaction = narrowTransaction(model);
    const { due, now, at } = await expiryTimes(db, transaction);
    const waitMs = due.getTime() - now.getTime();
    if (waitMs > 0) return { waitMs, until: formatMoment(due.getTime()) };
    if (transaction.page_key !== null && transaction.method === 'card') return expirePage(db, transaction, at);
    const acquirer = acquirers[merchant.environment]?.forMerchant(transaction.merchant_id);
    const started = acquirer && (await startExpiry(db, transaction));
    if (!started) return { waitMs: BUSY_RETRY_MS };
    return { over: (await expiry.run({ db, acquirer }, started, at)).status };
  },
});

/** Cancels a payment that its payer has not made. A card that is being charged, or a payment that was made, wins. */
export async function endUnpaid(services: AcquirerServices, row: TransactionRow): Promise<void> {
  const { at } = await expiryTimes(services.db, row);
  if (row.method === 'card') return void (await settleUnpaid(services.db, row, at));
  const started = await startExpiry(services.db, row);
  if (started) await expiry.run(services, started, at);
}

/** Expiry time, current time by the transaction's clock, and the date of its cancellation. */
async function expiryTimes(db: Database, row: TransactionRow): Promise<{ due: Date; now: Date; at: Date }> {
  const due = row.expires_at;
  if (!due) throw new Error(`${row.id} does not expire`);
  const { now, offset } = await clockOf(db, row.merchant_id, row.customer_id);
  // If a test clock passed the expiry, the cancellation is dated at the expiry.
  return { due, now, at: offset > row.clock_offset ? due : now };
}

/** The acquirer does not know unpaid payment pages, so only the row changes. */
async function expirePage(db: Database, row: TransactionRow, at: Date): Promise<ExpiryStep> {
  return (await settleUnpaid(db, row, at)) ? { over: 'cancelled' } : { waitMs: BUSY_RETRY_MS };
}

const settleUnpaid = async (db: Database, row: TransactionRow, at: Date): Promise<boolean> =>
  row.progress === 'pending' && settle(db, 'pending', expiredOutcome(row, at));

async function startExpiry(db: Database, row: TransactionRow): Promise<TransactionRow | undefined> {
  const started = await markExpiring(db, row.id, EXPIRY_WORK_ID);
  if (started) return started;
  return row.progress === 'voiding' && row.work_id === EXPIRY_WORK_ID ? row : undefined;
}
