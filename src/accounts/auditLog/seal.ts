/**
 * Entries get their place in the chain of their merchant a moment after they were written, so that nobody who acts waits
 * for somebody else. The database makes the hashes, with which `npm run audit` finds what was changed or taken out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/database/connection';
import type { Environments } from '../../platform/database/environments';
import type { Log } from '../../platform/log';
import { sealEntries } from './rows';

const INTERVAL_MS = 1000;

export async function keepSealing(
  db: Database,
  environments: Environments,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  for (let isFailing = false; !stop.aborted; ) {
    const sealed = await sealEntries(db, environments).catch(error => {
      if (!isFailing) log.warn(`the audit log waits to be sealed: ${error.message}`);
      return undefined;
    });
    isFailing = sealed === undefined;
    if (sealed) continue;
    await sleep(INTERVAL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
