/** Finds a Temporal server: on the PATH, in the cache, by download, or by a build with Go, in this order. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fromRoot } from '../../platform/root';
import { readJson } from '../jsonFile';
import { processStartTime } from '../processes/childProcesses';
import { buildTemporal } from './build';
import { downloadTemporal } from './download';

export type Report = (progress: string) => void;

/** go.mod and go.sum pin the modules of the build. */
export const goModule = fromRoot('src/local/temporal/go-module');

/** Version in go.mod, used by the download and the build. */
function pinnedVersion(): string {
  const [, version] = /temporalio\/cli (v\S+)/.exec(readFileSync(join(goModule, 'go.mod'), 'utf8')) ?? [];
  if (!version) throw new Error('go.mod has no version of the Temporal CLI');
  return version;
}

/** Outside the checkout, so that clones share it. */
export function cachedBinary(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'recaudo', `temporal-${pinnedVersion()}-${process.platform}-${process.arch}`);
}

/** Returns the path of a Temporal binary that runs on this machine. */
export async function findTemporal(report: Report, stop: AbortSignal): Promise<string> {
  if (await isRunnable('temporal')) return 'temporal';
  const cached = cachedBinary();
  if (await isRunnable(cached)) return cached;
  await mkdir(dirname(cached), { recursive: true });
  return withLock(`${cached}.making`, report, stop, async () => {
    if (await isRunnable(cached)) return cached;
    const sources = { download: downloadTemporal, 'build with Go': buildTemporal };
    const failures: string[] = [];
    for (const [source, obtain] of Object.entries(sources)) {
      const workDirectory = await mkdtemp(`${cached}-`);
      try {
        await rename(await obtain({ version: pinnedVersion(), goModule, workDirectory, report, stop }), cached);
        return cached;
      } catch (error) {
        if (stop.aborted) throw error;
        failures.push(`${source}: ${(error as Error).message}`);
        report(`${source} failed (${(error as Error).message})`);
      } finally {
        await rm(workDirectory, { recursive: true, force: true });
      }
    }
    throw new Error(
      [
        'No Temporal server found:',
        '  - `temporal` on the PATH: not found',
        `  - cache (${cached}): empty`,
        ...failures.map(failure => `  - ${failure}`),
        'Set TEMPORAL_ADDRESS to a running server, put the Temporal CLI on the PATH, allow network access for the download,',
        'or install Go 1.21 or newer. Then start again.',
      ].join('\n'),
    );
  });
}

const isRunnable = (file: string): Promise<boolean> =>
  promisify(execFile)(file, ['--version']).then(
    () => true,
    () => false,
  );

/** Allows one process at a time to obtain the binary. Removes the lock of a dead process. */
async function withLock<T>(lock: string, report: Report, stop: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      writeFileSync(lock, JSON.stringify({ pid: process.pid, born: processStartTime(process.pid) }), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = readJson<{ pid: number; born: string }>(lock);
      if (holder && processStartTime(holder.pid) !== holder.born) await rm(lock, { force: true });
      else report(`waiting for another process that is obtaining it (pid ${holder?.pid})`);
      await sleep(1000, undefined, { signal: stop });
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}
