/**
 * Adds entries to the hash chain of their merchant shortly after they are written, so that no writer waits for another,
 * and signs the chains in batches. `npm run audit` verifies both.
 */
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/database/connection';
import type { Environments } from '../../platform/database/environments';
import type { Log } from '../../platform/log';
import { type AuditBatch, headLine } from './batch';
import { sealEntries } from './rows';

const INTERVAL_MS = 1000;
/** A head covers all batches before it, so not every batch is published. */
const PUBLISH_INTERVAL_MS = 60_000;

interface Publishing {
  /** Key of the signatures. */
  key: Buffer;
  /** File of published heads. */
  file: string | undefined;
}

export async function runSealingLoop(
  db: Database,
  environments: Environments,
  { key, file }: Publishing,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  let unpublished: AuditBatch | undefined;
  let publishedAt = 0;
  for (let isFailing = false; !stop.aborted; ) {
    const sealed = await sealEntries(db, environments, key).then(
      found => {
        isFailing = false;
        return found;
      },
      error => {
        if (!isFailing) log.warn(`audit log: sealing failed, retrying: ${error.message}`);
        isFailing = true;
        return undefined;
      },
    );
    unpublished = sealed?.batch ?? unpublished;
    if (Date.now() - publishedAt >= PUBLISH_INTERVAL_MS) await publish();
    if (!sealed?.isFull) await sleep(INTERVAL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  await publish();

  async function publish(): Promise<void> {
    if (!unpublished) return;
    const line = headLine(unpublished);
    log.info(line);
    if (file)
      await appendFile(file, `${line}\n`).catch(error => log.error(`audit log: head not stored: ${error.message}`));
    unpublished = undefined;
    publishedAt = Date.now();
  }
}
