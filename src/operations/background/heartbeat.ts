import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from '../../platform/database/connection';
import { environmentsOf } from '../../platform/database/environments';
import { beatAsWorker, leaveAsWorker } from '../../platform/database/heartbeats';
import { newId } from '../../platform/identifiers';
import type { Log } from '../../platform/log';
import { programBuild } from '../../platform/root';

const INTERVAL_MS = 2000;

interface Heartbeat {
  /** Aborted when the process is ended, or when an operator has asked this worker to finish. */
  stop: AbortSignal;
  /** Once all its work is finished. */
  leave(): Promise<void>;
}

/** Tells the API that this worker is neither dead nor stuck. Silence is the message when it cannot. */
export function startBeating(
  db: Database,
  environment: Environment | undefined,
  log: Log,
  ended: AbortSignal,
): Heartbeat {
  const drain = new AbortController();
  const stop = AbortSignal.any([ended, drain.signal]);
  setMaxListeners(0, stop);
  const worker = {
    id: newId('worker'),
    environment: environment ?? null,
    host: hostname(),
    pid: process.pid,
    build: programBuild(),
    started_at: new Date(),
  };
  const keepBeating = async (): Promise<void> => {
    while (!stop.aborted) {
      if (await beatAsWorker(db, environmentsOf(environment), worker).catch(() => false)) {
        log.info('an operator has asked this worker to finish');
        drain.abort();
      }
      await sleep(INTERVAL_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  };
  const beating = keepBeating();
  return {
    stop,
    leave: async () => {
      await beating;
      await leaveAsWorker(db, worker);
    },
  };
}
