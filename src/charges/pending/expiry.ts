/** What was only begun runs out: a reserved charge that nobody captures, a payment that nobody makes. */
import { formatMoment } from '../../../workflows/calendar';
import type { ExpiryActivities, ExpiryStep } from '../../../workflows/contract';
import type { Acquirers } from '../../acquirer/open';
import { clockOf } from '../../database/clock';
import type { Database } from '../../database/connection';
import { finishVoid } from '../card/capture';
import type { PaymentServices } from '../card/charge';
import { AUTHORIZATION_SECONDS, CHARGE_LEASE_SECONDS } from '../card/prepare';
import { settle } from '../card/settle';
import type { TransactionRow } from '../view';
import { expiredOutcome, finishWithdrawal } from './decide';

/** Somebody is just capturing, cancelling or paying it. */
const BUSY_RETRY_MS = 10_000;

export const expiryActivities = (db: Database, acquirers: Acquirers): ExpiryActivities => ({
  async expire(id: string): Promise<ExpiryStep> {
    const row = await db.transaction.findUnique({
      where: { id },
      include: { merchant: { select: { environment: true } } },
    });
    if (!row) return { over: 'unknown' };
    if (row.progress === 'settled') return { over: row.status };
    const { merchant, ...own } = row;
    const { due, now, at } = await expiryTimes(db, own);
    const waitMs = due.getTime() - now.getTime();
    if (waitMs > 0) return { waitMs, until: formatMoment(due.getTime()) };
    if (own.page_key !== null && own.method === 'card') return expirePage(db, own, at);
    const acquirer = acquirers[merchant.environment];
    const begun = acquirer && (await startExpiry(db, own));
    if (!begun) return { waitMs: BUSY_RETRY_MS };
    return { over: (await finishExpiry({ db, acquirer }, begun, at)).status };
  },
});

/** When it runs out, what time it is for it, and the date that its end has. */
export async function expiryTimes(db: Database, row: TransactionRow): Promise<{ due: Date; now: Date; at: Date }> {
  // An older program wrote no date down for a reservation.
  const due = row.expires_at ?? new Date(row.creation_date.getTime() + AUTHORIZATION_SECONDS * 1000);
  const { now, offset } = await clockOf(db, row.merchant_id, row.customer_id);
  // Where a test clock has jumped over the moment, it keeps its own date.
  return { due, now, at: offset > row.clock_offset ? due : now };
}

/** Ends at the acquirer what was begun there: an authorization is reversed, a voucher or bank payment is withdrawn. */
export const finishExpiry = (work: PaymentServices, row: TransactionRow, at: Date): Promise<TransactionRow> =>
  row.page_key === null ? finishVoid(work, row, at) : finishWithdrawal(work, row, at);

/** Nobody else knows of it: it is paid or over by whoever comes first. */
async function expirePage(db: Database, row: TransactionRow, at: Date): Promise<ExpiryStep> {
  const isOver = row.progress === 'pending' && (await settle(db, 'pending', expiredOutcome(row, at)));
  return isOver ? { over: 'cancelled' } : { waitMs: BUSY_RETRY_MS };
}

async function startExpiry(db: Database, row: TransactionRow): Promise<TransactionRow | undefined> {
  const [begun] = await db.transaction.updateManyAndReturn({
    where: { id: row.id, progress: { in: ['authorized', 'pending'] } },
    data: { progress: 'voiding', work_id: 'expiry', lease_until: new Date(Date.now() + CHARGE_LEASE_SECONDS * 1000) },
  });
  return begun ?? (row.progress === 'voiding' && row.work_id === 'expiry' ? row : undefined);
}
