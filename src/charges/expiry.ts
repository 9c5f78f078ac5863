/** A charge that was reserved and not captured is let go after seven days. */
import type { ExpiryActivities, ExpiryStep } from '../../workflows/contract';
import type { Acquirers } from '../acquirer/open';
import { clockOf } from '../clock';
import type { Database } from '../database';
import { finishVoid } from './capture';
import { LEASE_SECONDS } from './prepare';

export const DAYS = 7;
/** Somebody is just capturing or cancelling it. */
const SOON_MS = 10_000;

export const expiryActivities = (db: Database, acquirers: Acquirers): ExpiryActivities => ({
  async expire(id: string): Promise<ExpiryStep> {
    const row = await db.transaction.findUnique({
      where: { id },
      include: { merchant: { select: { environment: true } } },
    });
    if (!row) return { over: 'unknown' };
    if (row.progress === 'settled') return { over: row.status };
    const due = new Date(row.creation_date.getTime() + DAYS * 86_400_000);
    const { now, offset } = await clockOf(db, row.merchant_id, row.customer_id);
    const waitMs = due.getTime() - now.getTime();
    if (waitMs > 0) return { waitMs };
    const acquirer = acquirers[row.merchant.environment];
    const [begun] = await db.transaction.updateManyAndReturn({
      where: { id, progress: 'authorized' },
      data: { progress: 'voiding', work_id: 'expiry', lease_until: new Date(Date.now() + LEASE_SECONDS * 1000) },
    });
    const own = begun ?? (row.progress === 'voiding' && row.work_id === 'expiry' ? row : undefined);
    if (!own || !acquirer) return { waitMs: SOON_MS };
    // Where a test clock has jumped over the moment, it keeps its own date.
    const at = offset > row.clock_offset ? due : now;
    return { over: (await finishVoid({ db, acquirer }, own, at)).status };
  },
});
