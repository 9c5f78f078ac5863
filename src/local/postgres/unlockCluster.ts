/**
 * PostgreSQL mistakes a zombie for a running server and refuses to start ("lock file postmaster.pid already exists").
 * Deletes the lock file if our record identifies the zombie and no process uses the directory.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findZombie, processStartTime } from '../processes/childProcesses';

/** Time for the processes of a killed server to exit. */
const MAX_WAIT_MS = 20_000;

export async function unlockCluster(dataDir: string, cluster: string): Promise<void> {
  const zombie = findZombie(dataDir, 'postgres');
  const lockFile = join(cluster, 'postmaster.pid');
  if (zombie === undefined || readHolder(lockFile) !== zombie) return;
  const deadline = Date.now() + MAX_WAIT_MS;
  while (isWorkedIn(cluster)) {
    // PostgreSQL then fails with its own error.
    if (Date.now() > deadline) return;
    await sleep(50);
  }
  rmSync(lockFile, { force: true });
}

function readHolder(lockFile: string): number | undefined {
  try {
    return Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** Every process of a PostgreSQL server has its data directory as working directory; a zombie has none. */
function isWorkedIn(cluster: string): boolean {
  const directory = realpathSync(cluster);
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .some(pid => processStartTime(Number(pid)) !== undefined && workingDirectory(pid) === directory);
}

function workingDirectory(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
