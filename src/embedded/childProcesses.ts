/** Children of the launcher. Each leaves a record in DATA_DIR, so that the next start finds what a killed launcher left running. */
import { execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { linkSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FatalError } from '../platform/lifetime';

export interface Command {
  name: string;
  file: string;
  args: string[];
  env?: Record<string, string | undefined>;
  uid?: number;
  gid?: number;
  stopSignal: NodeJS.Signals;
  /** Where its output goes; absent: to the launcher's own. Our own processes also get a channel that tells them when the launcher dies. */
  logFile?: string;
}

export interface Child {
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
}

const MAX_STOP_MS = 20_000;
const recordsIn = (dataDir: string): string => join(dataDir, 'processes');
const recordOf = (dataDir: string, name: string): string => join(recordsIn(dataDir), `${name}.json`);

/** Detached, so that Ctrl-C reaches the launcher only, which then stops its children in order. */
export function startChild(dataDir: string, command: Command): Child {
  const { name, file, args, env, logFile, uid, gid } = command;
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'w');
  const stdio: StdioOptions = logFile === undefined ? ['ignore', log, log, 'ipc'] : ['ignore', log, log];
  const child = spawn(file, args, { env: { ...process.env, ...env }, uid, gid, stdio, detached: true, cwd: '/' });
  const exited = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', (code, signal) => {
      rmSync(recordOf(dataDir, name), { force: true });
      resolve(signal ?? `exit code ${code}`);
    });
  });
  const pid = child.pid ?? 0;
  if (pid) record(dataDir, name, { pid, born: processStartTime(pid), stopSignal: command.stopSignal });
  const stop = async (): Promise<void> => {
    child.kill(command.stopSignal);
    const late = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS);
    await exited;
    clearTimeout(late);
  };
  return { pid, exited, stop };
}

interface ProcessRecord {
  pid: number;
  born: string | undefined;
  stopSignal: NodeJS.Signals;
}

function record(dataDir: string, name: string, entry: ProcessRecord): void {
  mkdirSync(recordsIn(dataDir), { recursive: true });
  writeFileSync(recordOf(dataDir, name), JSON.stringify(entry));
}

/** When a process began, in the system's own terms: tells a recorded process from a later one with the same number. */
export function processStartTime(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' }).trim();
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

const isAlive = ({ pid, born }: ProcessRecord): boolean => born !== undefined && processStartTime(pid) === born;

function readRecord(path: string): ProcessRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** One launcher for one DATA_DIR. What a dead one left running is stopped. */
export async function claimDataDir(dataDir: string): Promise<void> {
  mkdirSync(recordsIn(dataDir), { recursive: true });
  const path = recordOf(dataDir, 'launcher');
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, born: processStartTime(process.pid), stopSignal: 'SIGTERM' }));
  try {
    while (!tryClaim(mine, path)) setAside(dataDir, path);
  } finally {
    rmSync(mine, { force: true });
  }
  const names = readdirSync(recordsIn(dataDir)).filter(file => /^[a-z]+\.json$/.test(file) && file !== 'launcher.json');
  await Promise.all(names.map(file => stopLeftover(join(recordsIn(dataDir), file))));
}

/** A link is there whole or not at all, and only one can be made. */
function tryClaim(mine: string, path: string): boolean {
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes a dead launcher's record away. If it was a living one's that had just come, that one gets it back. */
function setAside(dataDir: string, path: string): void {
  refuseIfAlive(dataDir, path);
  const aside = `${path}.aside.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // somebody else did
  }
  try {
    refuseIfAlive(dataDir, aside);
  } catch (error) {
    tryClaim(aside, path);
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function refuseIfAlive(dataDir: string, path: string): void {
  const other = readRecord(path);
  if (!other || !isAlive(other)) return;
  throw new FatalError(
    `recaudo already runs on ${dataDir} (process ${other.pid}). Stop it, or set another DATA_DIR and PORT.`,
  );
}

async function stopLeftover(path: string): Promise<void> {
  const leftover = readRecord(path);
  if (leftover && isAlive(leftover)) {
    process.kill(leftover.pid, leftover.stopSignal);
    const deadline = Date.now() + MAX_STOP_MS;
    while (isAlive(leftover) && Date.now() < deadline) await sleep(50);
    if (isAlive(leftover)) process.kill(leftover.pid, 'SIGKILL');
  }
  rmSync(path, { force: true });
}

export const releaseDataDir = (dataDir: string): void => rmSync(recordOf(dataDir, 'launcher'), { force: true });
