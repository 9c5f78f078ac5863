import { join } from 'node:path';
import { request } from 'undici';
import type { Log } from '../../platform/log';
import type { Command } from '../processes/childProcesses';
import { ManagedProcess } from '../processes/managedProcess';

export interface TemporalOptions {
  dataDir: string;
  binary: string;
  port: number;
  uiPort: number;
  namespace: string;
  yields?: boolean;
  /** Values of the server's dynamic configuration. */
  settings?: Record<string, string>;
}

const DEFAULT_SETTINGS = {
  // Merchants take turns within a task queue.
  'matching.enableFairness': 'true',
  // The HTTP API, which we do not use, answers no website whose name resolves to this machine.
  'frontend.httpAllowedHosts': '["localhost:*","127.0.0.1:*"]',
};

/** Development server with web UI: one process with its state in one file. */
export function temporalProcess(options: TemporalOptions, log: Log): ManagedProcess {
  const { dataDir, binary, port, uiPort, namespace, yields = false, settings = {} } = options;
  const flags = ['--ip', '127.0.0.1', '--port', `${port}`, '--ui-port', `${uiPort}`, '--namespace', namespace];
  // Syncs to disk rarely: after a power loss, lost workflows are restored from the database.
  const pragmas = ['journal_mode=wal', 'synchronous=normal'].flatMap(pragma => ['--sqlite-pragma', pragma]);
  const databaseFlags = ['--db-filename', join(dataDir, 'temporal.db'), ...pragmas];
  const settingFlags = Object.entries({ ...DEFAULT_SETTINGS, ...settings }).flatMap(([name, value]) => [
    '--dynamic-config-value',
    `${name}=${value}`,
  ]);
  const command: Command = {
    name: 'temporal',
    file: binary,
    args: ['server', 'start-dev', ...flags, ...databaseFlags, ...settingFlags, '--log-level', 'warn'],
    stopSignal: 'SIGTERM',
    yields,
    logFile: join(dataDir, 'temporal.log'),
  };
  // Unlike fetch, this also connects to ports that browsers refuse.
  const uiAnswers = async () => (await request(`http://127.0.0.1:${uiPort}`)).body.dump();
  return new ManagedProcess(dataDir, command, uiAnswers, log);
}
