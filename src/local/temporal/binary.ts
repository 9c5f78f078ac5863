/** Finds a Temporal server: on the PATH, in the cache, by the SDK's download, or by a build with Go, in this order. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fromRoot } from '../../platform/root';
import { processStartTime } from '../childProcesses';
import { readJson } from '../jsonFile';
import { buildTemporal } from './build';
import { downloadTemporal } from './download';

export type Report = (progress: string) => void;

/** Its go.mod and go.sum pin every module of the build. */
export const goModule = fromRoot('src/local/temporal/go-module');

/** The download and the build use the same version: the one in go.mod. */
function pinnedVersion(): string {
  const [, version] = /temporalio\/cli (v\S+)/.exec(readFileSync(join(goModule, 'go.mod'), 'utf8')) ?? [];
  if (!version) throw new Error('go.mod names no version of the Temporal CLI');
  return version;
}

/** Outside the checkout, so that a fresh clone can reuse it. */
export function cachedBinary(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'recaudo', `temporal-${pinnedVersion()}-${process.platform}-${process.arch}`);
}

/** Returns the path of a Temporal server that runs on this machine; the error says what was tried and what to do. */
export async function findTemporal(report: Report, stop: AbortSignal): Promise<string> {
  if (await isRunnable('temporal')) return 'temporal';
  const cached = cachedBinary();
  if (await isRunnable(cached)) return cached;
  await mkdir(dirname(cached), { recursive: true });
  return withLock(`${cached}.making`, report, stop, async () => {
    if (await isRunnable(cached)) return cached;
    const sources = { 'the download': downloadTemporal, 'the build with Go': buildTemporal };
    const failures: string[] = [];
    for (const [source, obtain] of Object.entries(sources)) {
      const workDirectory = await mkdtemp(`${cached}-`);
      try {
        await rename(await obtain({ version: pinnedVersion(), goModule, workDirectory, report, stop }), cached);
        return cached;
      } catch (error) {
        if (stop.aborted) throw error;
        failures.push(`${source}: ${(error as Error).message}`);
        report(`${source} did not work (${(error as Error).message})`);
      } finally {
        await rm(workDirectory, { recursive: true, force: true });
      }
    }
    throw new Error(
      [
        'There is no Temporal server yet. What was tried:',
        '  - `temporal` on the PATH: not found',
        `  - the cache (${cached}): empty`,
        ...failures.map(failure => `  - ${failure}`),
        'Any one of these helps, then start again: set TEMPORAL_ADDRESS to a server of your own, put the Temporal CLI on the PATH,',
        'open the network for its download, or install Go 1.21 or newer.',
      ].join('\n'),
    );
  });
}

const isRunnable = (file: string): Promise<boolean> =>
  promisify(execFile)(file, ['--version']).then(
    () => true,
    () => false,
  );

/**
 * When several programs need the binary at once, one obtains it and the others wait. A dead owner's lock is removed.
 */
async function withLock<T>(lock: string, report: Report, stop: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      writeFileSync(lock, JSON.stringify({ pid: process.pid, born: processStartTime(process.pid) }), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = readJson<{ pid: number; born: string }>(lock);
      if (holder && processStartTime(holder.pid) !== holder.born) await rm(lock, { force: true });
      else report(`another program on this machine (process ${holder?.pid}) is making it; waiting for that one`);
      await sleep(1000, undefined, { signal: stop });
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}
