/** Finishes what a process began and did not live to finish. Nothing is assumed: the acquirer is asked. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../prisma/generated/enums';
import type { Acquirer } from '../acquirer/port';
import { finishVoid, resolveCapture } from '../charges/card/capture';
import { type PaymentServices, resolveCharge } from '../charges/card/charge';
import { CHARGE_LEASE_SECONDS, TRANSACTION_COLUMNS } from '../charges/card/prepare';
import { resolveRefund } from '../charges/card/refund';
import { expiryTimes, finishExpiry } from '../charges/pending/expiry';
import { resolvePageAttempt } from '../charges/pending/payByCard';
import type { TransactionRow } from '../charges/view';
import type { Database } from '../database/connection';
import { ApiError } from '../platform/errors';
import type { Log } from '../platform/log';
import { undoFirstCharge } from '../subscriptions/billing/firstCharge';

const MAX_BATCH_ROWS = 20;
const POLL_MS = 2000;

/** Takes the next ones whose lease has run out, each by one process. Answers how many it has dealt with. */
export async function recover(
  db: Database,
  acquirers: Partial<Record<Environment, Acquirer>>,
  log: Log,
): Promise<number> {
  const rows = await db.$queryRaw<(TransactionRow & { environment: Environment })[]>`
    with due as (
      select id from transactions where progress in ('prepared', 'capturing', 'voiding', 'paying') and lease_until < now()
      order by lease_until limit ${MAX_BATCH_ROWS} for update skip locked
    ), mine as (
      update transactions set lease_until = now() + make_interval(secs => ${CHARGE_LEASE_SECONDS}) where id in (select id from due)
      returning ${TRANSACTION_COLUMNS}
    )
    select mine.*, merchants.environment::text as environment from mine join merchants on merchants.id = mine.merchant_id`;
  await Promise.all(
    rows.map(async ({ environment, ...row }) => {
      const acquirer = acquirers[environment];
      if (acquirer)
        await finishTransaction({ db, acquirer }, row).catch(error => log.warn(`${row.id} waits: ${error.message}`));
    }),
  );
  return rows.length;
}

async function finishTransaction(work: PaymentServices, row: TransactionRow): Promise<void> {
  try {
    if (row.progress === 'capturing') await resolveCapture(work, row);
    else if (row.progress === 'voiding' && row.work_id === 'expiry')
      await finishExpiry(work, row, (await expiryTimes(work.db, row)).at);
    else if (row.progress === 'voiding') await finishVoid(work, row);
    else if (row.progress === 'paying') await resolvePageAttempt(work, row);
    else if (row.transaction_type === 'refund') await resolveRefund(work, row);
    else if (row.subscription_id !== null) await undoFirstCharge(work, row);
    else await resolveCharge(work, row);
  } catch (error) {
    // An outcome that a caller would be told as an error is an outcome all the same.
    if (!(error instanceof ApiError)) throw error;
  }
}

/** As long as the process lives. */
export async function keepRecovering(
  db: Database,
  acquirers: Partial<Record<Environment, Acquirer>>,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const done = await recover(db, acquirers, log).catch(error => {
      log.warn(`recovery waits: ${error.message}`);
      return 0;
    });
    if (done > 0) log.info(`${done} unfinished transactions were looked after`);
    if (done < MAX_BATCH_ROWS) await sleep(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
