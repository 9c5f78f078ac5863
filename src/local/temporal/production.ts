/** Temporal's production server on PostgreSQL, built from the same modules as the development server. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Client } from 'pg';
import { createLog } from '../../platform/log';
import { setVisibilityIndexes } from '../../platform/patches/temporalIndexes';
import type { Command } from '../processes/childProcesses';
import { ManagedProcess } from '../processes/managedProcess';
import { reporter } from '../progress';
import { freePort } from '../savedPorts';
import { cachedBinary, goModule } from './binary';
import { buildPackages } from './build';
import { ensureNamespace } from './namespace';

/** Schema directory by database. */
const SCHEMAS = { temporal: 'temporal', temporal_visibility: 'visibility' };
/** Prepares each statement once, unlike `postgres12`. */
const PLUGIN = 'postgres12_pgx';
const PACKAGES = ['go.temporal.io/server/cmd/server', 'go.temporal.io/server/cmd/tools/sql'];
/**
 * Cached beside the development server. After a build of that server only seven packages are compiled; otherwise the build
 * takes some minutes, once.
 */
async function buildProductionServer(): Promise<string> {
  const cached = cachedBinary();
  const folder = join(dirname(cached), basename(cached).replace('temporal-', 'temporal-production-'));
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const workDirectory = await mkdtemp(`${folder}-`);
  try {
    const options = { goModule, report: reporter('Temporal production server'), stop: new AbortController().signal };
    await buildPackages(PACKAGES, `${workDirectory}/`, options);
    // Another process may have built it meanwhile.
    await rename(workDirectory, folder).catch(error => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(workDirectory, { recursive: true, force: true });
  }
  return folder;
}

/** Server settings, as in docker-compose.yml. */
const SETTINGS = {
  'matching.enableFairness': [{ value: true }],
};

const withDatabase = (databaseUrl: string, name: string): string => {
  const url = new URL(databaseUrl);
  url.pathname = name;
  return url.href;
};

export interface ProductionOptions {
  dataDir: string;
  databaseUrl: string;
  shards?: number;
  /** PostgreSQL connections of each of the four services. */
  connections?: number;
  yields?: boolean;
}

export interface ProductionTemporal {
  address: string;
  /** Starts a process on the existing databases; one at a time. */
  newProcess(): ManagedProcess;
  dropDatabases(): Promise<void>;
}

/** Runs commands of Temporal's tool for its database schemas. */
export async function schemaTool(databaseUrl: string, database: string) {
  const { port, username, password } = new URL(databaseUrl);
  const server = ['--plugin', PLUGIN, '--ep', '127.0.0.1', '-p', port, '-u', username, '--pw', password];
  const file = join(await buildProductionServer(), 'sql');
  return (...args: string[]): Buffer => execFileSync(file, [...server, '--db', database, ...args], { stdio: 'pipe' });
}

export async function installProductionTemporal({
  dataDir,
  databaseUrl,
  shards = 4,
  connections = 20,
  yields = false,
}: ProductionOptions): Promise<ProductionTemporal> {
  const folder = await buildProductionServer();
  const { port, username, password } = new URL(databaseUrl);
  for (const [database, schema] of Object.entries(SCHEMAS)) {
    const sql = await schemaTool(databaseUrl, database);
    sql('create');
    sql('setup-schema', '-v', '0.0');
    sql('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
  await setVisibilityIndexes(withDatabase(databaseUrl, 'temporal_visibility'), 'partial');
  const ports: number[] = [];
  for (let i = 0; i < 8; i++) ports.push(await freePort(ports));
  const directory = join(dataDir, 'temporal-production');
  await mkdir(directory, { recursive: true });
  const [file, settingsFile] = [join(directory, 'config.yaml'), join(directory, 'settings.yaml')];
  await writeFile(file, buildConfiguration(ports, { port, username, password, connections }, shards, settingsFile));
  await writeFile(settingsFile, JSON.stringify(SETTINGS));
  const address = `127.0.0.1:${ports[0]}`;
  const command: Command = {
    name: 'temporal',
    file: join(folder, 'server'),
    args: ['--config-file', file, '--allow-no-auth', 'start'],
    stopSignal: 'SIGTERM',
    yields,
    logFile: join(directory, 'temporal.log'),
  };
  return {
    address,
    newProcess: () => new ManagedProcess(dataDir, command, () => ensureNamespace(address), createLog('temporal')),
    dropDatabases: async () => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      for (const database of Object.keys(SCHEMAS)) await client.query(`drop database ${database} with (force)`);
      await client.end();
    },
  };
}

/** The server reads YAML; JSON is a subset of it. */
function buildConfiguration(
  ports: number[],
  database: { port: string; username: string; password: string; connections: number },
  numHistoryShards: number,
  settingsFile: string,
): string {
  const store = (databaseName: string) => ({
    sql: {
      pluginName: PLUGIN,
      databaseName,
      connectAddr: `127.0.0.1:${database.port}`,
      connectProtocol: 'tcp',
      user: database.username,
      password: database.password,
      maxConns: database.connections,
      maxIdleConns: database.connections,
    },
  });
  const service = (i: number) => ({
    rpc: { grpcPort: ports[2 * i], membershipPort: ports[2 * i + 1], bindOnIP: '127.0.0.1' },
  });
  const active = { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: `127.0.0.1:${ports[0]}` };
  return JSON.stringify({
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards,
      datastores: { default: store('temporal'), visibility: store('temporal_visibility') },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: { frontend: service(0), matching: service(1), history: service(2), worker: service(3) },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active },
    },
    dynamicConfigClient: { filepath: settingsFile, pollInterval: '60s' },
    publicClient: { hostPort: `127.0.0.1:${ports[0]}` },
  });
}
