/** Finishes transactions whose process died. The outcome is always read from the acquirer, never assumed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { HttpAcquirer } from '../../gateway/acquirer/client';
import type { AcquirerServices } from '../../gateway/acquirer/operation';
import { NEW_LEASE } from '../../payments/charges/card/prepare';
import { TRANSACTION_COLUMNS, type TransactionRow } from '../../payments/charges/rows';
import type { Database } from '../../platform/database/connection';
import { BOTH_ENVIRONMENTS, merchantsOf } from '../../platform/database/environments';
import { idInQuery, idsOf } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import type { Log } from '../../platform/log';
import { LEASED_PROGRESS, operationOf } from '../acquirerOperations';

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
  const rows = await db.$queryRaw<(TransactionRow & { environment: Environment })[]>`
    with abandoned as (
      select id from transactions
      where progress in (${Prisma.raw(LEASED_PROGRESS)}) and lease_until < now()
        and merchant_id in (${merchantsOf(environments)})
      order by lease_until limit ${MAX_BATCH_ROWS} for update skip locked
    ), claimed as (
      update transactions set lease_until = ${NEW_LEASE}
      where id ${idInQuery(idsOf('abandoned'))}
      returning ${TRANSACTION_COLUMNS}
    )
    select claimed.*, merchants.environment::text as environment
    from claimed join merchants on merchants.id = claimed.merchant_id`;
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
