/** Where the Temporal server comes from: the PATH, the cache, the SDK's own download, a build with Go, in this order. */
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

/** Kept in the project: go.mod and go.sum name every module of the build. */
const goModule = fromRoot('src/embedded/temporal/go-module');

/** One version for the download and the build: the one in go.mod. */
function version(): string {
  const [, found] = /temporalio\/cli (v\S+)/.exec(readFileSync(join(goModule, 'go.mod'), 'utf8')) ?? [];
  if (!found) throw new Error('go.mod names no version of the Temporal CLI');
  return found;
}

/** Outside the checkout, so that a fresh clone finds it. */
export function cachedBinary(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'recaudo', `temporal-${version()}-${process.platform}-${process.arch}`);
}

/** The path of a Temporal server that runs here; when there is none, the error says what was tried and what to do. */
export async function findTemporal(report: Report, stop: AbortSignal): Promise<string> {
  if (await runs('temporal')) return 'temporal';
  const cached = cachedBinary();
  if (await runs(cached)) return cached;
  await mkdir(dirname(cached), { recursive: true });
  return withLock(`${cached}.making`, report, stop, async () => {
    if (await runs(cached)) return cached;
    const ways = { 'the download': downloadTemporal, 'the build with Go': buildTemporal };
    const failures: string[] = [];
    for (const [way, make] of Object.entries(ways)) {
      const workshop = await mkdtemp(`${cached}-`);
      try {
        await rename(await make({ version: version(), goModule, workshop, report, stop }), cached);
        return cached;
      } catch (error) {
        if (stop.aborted) throw error;
        failures.push(`${way}: ${(error as Error).message}`);
        report(`${way} did not work (${(error as Error).message})`);
      } finally {
        await rm(workshop, { recursive: true, force: true });
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

const runs = (file: string): Promise<boolean> =>
  promisify(execFile)(file, ['--version']).then(
    () => true,
    () => false,
  );

/** Two programs that start for the first time at once make one server: the second waits for the first. */
async function withLock<T>(lock: string, report: Report, stop: AbortSignal, make: () => Promise<T>): Promise<T> {
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
    return await make();
  } finally {
    await rm(lock, { force: true });
  }
}
