import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/connection';
import type { Environments } from '../database/environments';
import { beatAsWorker } from '../database/heartbeats';

const INTERVAL_MS = 2000;

/** Tells the API that this worker is neither dead nor stuck. Silence is the message when it cannot. */
export async function keepBeating(db: Database, environments: Environments, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await beatAsWorker(db, environments).catch(() => undefined);
    await sleep(INTERVAL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
