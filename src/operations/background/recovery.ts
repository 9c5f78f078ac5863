/** Finishes transactions whose process died. The outcome is always read from the acquirer, never assumed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../../prisma/generated/enums';
import type { HttpAcquirer } from '../../gateway/acquirer/client';
import type { AcquirerServices } from '../../gateway/acquirer/operation';
import type { TransactionRow } from '../../payments/charges/rows';
import type { Database } from '../../platform/database/connection';
import { BOTH_ENVIRONMENTS } from '../../platform/database/environments';
import { ApiError } from '../../platform/errors';
import type { Log } from '../../platform/log';
import { operationOf } from '../acquirerOperations';
import { claimAbandoned } from './rows';

const MAX_BATCH_ROWS = 20;
const POLL_INTERVAL_MS = 2000;

/**
 * Claims and finishes a batch of transactions whose lease has expired, in the environments that have an acquirer. Returns
 * the number of claimed transactions.
 */
export async function recover(
  db: Database,
  acquirers: Partial<Record<Environment, HttpAcquirer>>,
  log: Log,
): Promise<number> {
  const environments = BOTH_ENVIRONMENTS.filter(environment => acquirers[environment]);
  if (environments.length === 0) return 0;
  const rows = await claimAbandoned(db, environments, MAX_BATCH_ROWS);
  await Promise.all(
    rows.map(async ({ environment, ...row }) => {
      const acquirer = acquirers[environment]?.forMerchant(row.merchant_id);
      if (acquirer)
        await finishTransaction({ db, acquirer }, row).catch(({ message }) =>
          log.warn(
            { merchant: row.merchant_id, transaction: row.id, subscription: row.subscription_id ?? undefined },
            `recovery: outcome unknown, retrying: ${message}`,
          ),
        );
    }),
  );
  return rows.length;
}

async function finishTransaction(services: AcquirerServices, row: TransactionRow): Promise<void> {
  const operation = operationOf(row);
  if (!operation) throw new Error(`no operation for progress ${row.progress}`);
  try {
    await operation.recover(services, row);
  } catch (error) {
    // An ApiError is a decline, which is a final outcome.
    if (!(error instanceof ApiError)) throw error;
  }
}

export async function runRecoveryLoop(
  db: Database,
  acquirers: Partial<Record<Environment, HttpAcquirer>>,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const claimedRows = await recover(db, acquirers, log).catch(error => {
      log.warn(`recovery: failed, retrying: ${error.message}`);
      return 0;
    });
    if (claimedRows > 0) log.info(`recovery: resolved ${claimedRows} unfinished transactions`);
    if (claimedRows < MAX_BATCH_ROWS) await sleep(POLL_INTERVAL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
