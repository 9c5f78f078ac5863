/**
 * Child processes of the launcher. Each has a record in DATA_DIR, so that the next start can stop processes that a killed
 * launcher left running.
 */
import { execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { linkSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FatalError } from '../../platform/lifetime';
import { lowerGroup, yielding } from './priority';

export interface Command {
  name: string;
  file: string;
  args: string[];
  env?: Record<string, string | undefined>;
  uid?: number;
  gid?: number;
  stopSignal: NodeJS.Signals;
  /** Whether it runs with lower CPU priority. */
  yields?: boolean;
  /** A recaudo program: it gets an IPC channel and exits when the channel closes because the launcher died. */
  isProgram?: boolean;
  onMessage?: () => unknown;
  /** Receives the output; programs append to it. Without it the child inherits our output. */
  logFile?: string;
}

export interface Child {
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 20_000;
const recordsDirectory = (dataDir: string): string => join(dataDir, 'processes');
const recordPath = (dataDir: string, name: string): string => join(recordsDirectory(dataDir), `${name}.json`);

/** Detached, so that Ctrl-C reaches only the launcher, which then stops its children in order. */
export function startChild(dataDir: string, command: Command): Child {
  const { name, file, args, env, logFile, uid, gid, isProgram, onMessage } = command;
  const log = logFile === undefined ? 'inherit' : openSync(logFile, isProgram ? 'a' : 'w');
  const stdio: StdioOptions = ['ignore', log, log, ...(isProgram ? (['ipc'] as const) : [])];
  const options = { env: { ...process.env, ...env }, uid, gid, stdio, detached: true, cwd: '/' };
  const child = spawn(...(command.yields ? yielding(file, args) : ([file, args] as const)), options);
  const exited = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', (code, signal) => {
      rmSync(recordPath(dataDir, name), { force: true });
      resolve(signal ?? `exit code ${code}`);
    });
  });
  if (onMessage) child.on('message', onMessage);
  const pid = child.pid ?? 0;
  if (pid && command.yields) lowerGroup(pid);
  if (pid) writeRecord(dataDir, name, { pid, born: processStartTime(pid), stopSignal: command.stopSignal });
  const stop = async (): Promise<void> => {
    child.kill(command.stopSignal);
    const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(killTimer);
  };
  return { pid, exited, stop };
}

interface ProcessRecord {
  pid: number;
  born: string | undefined;
  stopSignal: NodeJS.Signals;
}

function writeRecord(dataDir: string, name: string, entry: ProcessRecord): void {
  mkdirSync(recordsDirectory(dataDir), { recursive: true });
  writeFileSync(recordPath(dataDir, name), JSON.stringify(entry));
}

/** Start time of a process in the system's format, to distinguish a recorded process from a later one with the same pid. */
export function processStartTime(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' }).trim();
    const { state, born } = readStat(pid);
    return state === ZOMBIE ? undefined : born;
  } catch {
    return undefined;
  }
}

/** A zombie keeps its pid until its parent reaps it; in many containers that never happens. */
const ZOMBIE = 'Z';

function readStat(pid: number): { state: string | undefined; born: string | undefined } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return { state: fields[0], born: fields[19] };
}

/** Pid of a recorded child that is a zombie. */
export function findZombie(dataDir: string, name: string): number | undefined {
  const child = readRecord(recordPath(dataDir, name));
  return child && isZombie(child) ? child.pid : undefined;
}

function isZombie({ pid, born }: ProcessRecord): boolean {
  try {
    const stat = readStat(pid);
    return stat.state === ZOMBIE && stat.born === born;
  } catch {
    return false;
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

/** Allows one launcher per DATA_DIR, and stops processes that a dead one left running. */
export async function claimDataDir(dataDir: string): Promise<void> {
  mkdirSync(recordsDirectory(dataDir), { recursive: true });
  const path = recordPath(dataDir, 'launcher');
  const claimFile = `${path}.${process.pid}`;
  writeFileSync(
    claimFile,
    JSON.stringify({ pid: process.pid, born: processStartTime(process.pid), stopSignal: 'SIGTERM' }),
  );
  try {
    while (!tryClaim(claimFile, path)) removeDeadClaim(dataDir, path);
  } finally {
    rmSync(claimFile, { force: true });
  }
  const names = readdirSync(recordsDirectory(dataDir)).filter(
    file => /^[a-z]+\.json$/.test(file) && file !== 'launcher.json',
  );
  await Promise.all(names.map(file => stopLeftover(join(recordsDirectory(dataDir), file))));
}

/** Creating a hard link is atomic and fails if the path exists, so only one launcher succeeds. */
function tryClaim(claimFile: string, path: string): boolean {
  try {
    linkSync(claimFile, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a dead launcher's claim. If a live launcher has claimed the path in the meantime, its claim is restored. */
function removeDeadClaim(dataDir: string, path: string): void {
  refuseIfAlive(dataDir, path);
  const moved = `${path}.aside.${process.pid}`;
  try {
    renameSync(path, moved);
  } catch {
    return; // another launcher has removed it
  }
  try {
    refuseIfAlive(dataDir, moved);
  } catch (error) {
    tryClaim(moved, path);
    throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

function refuseIfAlive(dataDir: string, path: string): void {
  const holder = readRecord(path);
  if (!holder || !isAlive(holder)) return;
  throw new FatalError(
    `recaudo is already running on ${dataDir} (process ${holder.pid}). Stop it, or set another DATA_DIR and PORT.`,
  );
}

async function stopLeftover(path: string): Promise<void> {
  const leftover = readRecord(path);
  if (leftover && isAlive(leftover)) {
    process.kill(leftover.pid, leftover.stopSignal);
    await untilDead(leftover);
    if (isAlive(leftover)) {
      process.kill(leftover.pid, 'SIGKILL');
      await untilDead(leftover);
    }
  }
  // Kept for zombies, to distinguish them from a later process with the same pid; the next child overwrites it.
  if (!leftover || !isZombie(leftover)) rmSync(path, { force: true });
}

async function untilDead(leftover: ProcessRecord): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(leftover) && Date.now() < deadline) await sleep(50);
}

export const releaseDataDir = (dataDir: string): void => rmSync(recordPath(dataDir, 'launcher'), { force: true });
