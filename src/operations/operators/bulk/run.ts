/** Performs bulk actions, a second of their rate at a time. A worker that dies is replaced when its lease ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { OperatorRequestName } from '../../../../workflows/operating/requests';
import { performOperatorRequest } from '../../../billing/subscriptions/operating/requests';
import { findVisible } from '../../../billing/subscriptions/rows';
import type { Database } from '../../../platform/database/connection';
import type { Environments } from '../../../platform/database/environments';
import { ApiError } from '../../../platform/errors';
import type { Log } from '../../../platform/log';
import type { Actor } from '../../../schema/operation/context';
import type { BulkActionName } from './fields';
import { readFound } from './find';
import {
  addItems,
  type BulkRow,
  claimBulk,
  continueInASecond,
  countTry,
  finishBulk,
  readPending,
  renewLease,
  settleItem,
} from './rows';

const PAGE_SIZE = 1000;
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 1000;

const REQUESTS: Readonly<Record<BulkActionName, OperatorRequestName>> = {
  cancel: 'cancel',
  hold: 'hold',
  release: 'release',
  retry: 'retryNow',
  ask_acquirer: 'askAcquirerNow',
};

interface BulkServices {
  db: Database;
  temporal: Client;
  log: Log;
}

export async function runBulkLoop(
  services: BulkServices,
  environments: Environments,
  stop: AbortSignal,
): Promise<void> {
  for (let delayMs = MIN_DELAY_MS; !stop.aborted; ) {
    const isActive = await continueBulk(services, environments).catch(error => {
      services.log.warn(`bulk action: failed, retrying: ${error.message}`);
      return false;
    });
    delayMs = isActive ? MIN_DELAY_MS : Math.min(delayMs * 2, MAX_DELAY_MS);
    await sleep(delayMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** Returns false if no bulk action was due. */
async function continueBulk(services: BulkServices, environments: Environments): Promise<boolean> {
  const { db, temporal } = services;
  const row = await claimBulk(db, environments);
  if (!row) return false;
  if (row.state === 'listing') {
    const { ids, next } = await readFound(temporal, row, PAGE_SIZE, row.page_token);
    await addItems(db, row, ids, next);
  } else await performSecond(services, row);
  return true;
}

async function performSecond({ db, log }: BulkServices, row: BulkRow): Promise<void> {
  const items = await readPending(db, row);
  if (items.length === 0) return void (await finishBulk(db, row));
  let leased = row;
  for (const { subscription_id } of items) {
    const renewed = await renewLease(db, leased);
    if (!renewed) return;
    leased = renewed;
    await performItem(db, row, subscription_id).catch(async error => {
      log.warn({ subscription: subscription_id }, `bulk action: failed, retrying: ${error.message}`);
      await countTry(db, row.id, subscription_id);
    });
  }
  await continueInASecond(db, leased, row.again_at);
}

/** Performed again after a crash, it only settles the item: the audit log has the `request_id`. */
async function performItem(
  db: Database,
  { id, action, reason, ...row }: BulkRow,
  subscription_id: string,
): Promise<void> {
  const actor: Actor = { kind: row.actor as Actor['kind'], id: row.actor_id };
  const request = { request_id: `${id}/${subscription_id}`, reason };
  try {
    const subscription = await findVisible(db, subscription_id);
    if (!subscription) throw new ApiError('not_found', 'unknown_subscription', { id: subscription_id });
    await performOperatorRequest(db, subscription, REQUESTS[action], request, async () => actor);
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind === 'unavailable') throw error;
    return void (await settleItem(db, id, subscription_id, 'refused', error.message));
  }
  await settleItem(db, id, subscription_id, 'done');
}
