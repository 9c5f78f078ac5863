/**
 * Adds entries to the hash chain of their merchant shortly after they are written, so that no writer waits for another.
 * `npm run audit` verifies the hashes, which the database computes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/database/connection';
import type { Environments } from '../../platform/database/environments';
import type { Log } from '../../platform/log';
import { sealEntries } from './rows';

const INTERVAL_MS = 1000;

export async function runSealingLoop(
  db: Database,
  environments: Environments,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  for (let isFailing = false; !stop.aborted; ) {
    const sealed = await sealEntries(db, environments).catch(error => {
      if (!isFailing) log.warn(`audit log: sealing failed, retrying: ${error.message}`);
      return undefined;
    });
    isFailing = sealed === undefined;
    if (sealed) continue;
    await sleep(INTERVAL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
