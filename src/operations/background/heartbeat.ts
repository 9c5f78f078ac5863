import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from '../../platform/database/connection';
import { environmentsOf } from '../../platform/database/environments';
import { recordWorkerHeartbeat, removeWorker } from '../../platform/database/heartbeats';
import { newId } from '../../platform/identifiers';
import type { Log } from '../../platform/log';
import { programBuild } from '../../platform/root';

const INTERVAL_MS = 2000;

interface Heartbeat {
  /** Aborted when the process stops or an operator drains this worker. */
  stop: AbortSignal;
  /** Call after all work is finished. */
  leave(): Promise<void>;
}

/** Writes this worker's heartbeat. The API treats a worker without recent heartbeats as down. */
export function startHeartbeat(
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
  const heartbeatLoop = async (): Promise<void> => {
    while (!stop.aborted) {
      if (await recordWorkerHeartbeat(db, environmentsOf(environment), worker).catch(() => false)) {
        log.info('heartbeat: drain requested by an operator');
        drain.abort();
      }
      await sleep(INTERVAL_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  };
  const running = heartbeatLoop();
  return {
    stop,
    leave: async () => {
      await running;
      await removeWorker(db, worker);
    },
  };
}
