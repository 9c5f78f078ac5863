/** The production server of Temporal on PostgreSQL, built from the modules that the development server is built from. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Client } from 'pg';
import { yielding } from '../src/local/childProcesses';
import { retryUntilAnswered } from '../src/local/managedProcess';
import { reporter } from '../src/local/progress';
import { freePort } from '../src/local/savedPorts';
import { cachedBinary, goModule } from '../src/local/temporal/binary';
import { buildPackages } from '../src/local/temporal/build';
import { waitForTemporal } from '../src/local/temporal/waitForTemporal';
import { openTemporal } from '../src/platform/temporal';
import { endWithBench } from './programs';

const PACKAGES = ['go.temporal.io/server/cmd/server', 'go.temporal.io/server/cmd/tools/sql'];
export const NAMESPACE = 'default';

export interface TemporalServer {
  name: string;
  address: string;
  down(): Promise<unknown>;
}

/**
 * Caches it beside the development server. From the same modules, so that after a build of that one only seven packages
 * are left to compile; otherwise it takes some minutes, once.
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
    // Another process may have been quicker.
    await rename(workDirectory, folder).catch(error => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(workDirectory, { recursive: true, force: true });
  }
  return folder;
}

export interface ServerPlace {
  dataDir: string;
  databaseUrl: string;
}

/** One that can be stopped and started again with what it holds. */
export interface ProductionServer extends TemporalServer {
  pid(): number;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export async function startProductionServer(
  { dataDir, databaseUrl }: ServerPlace,
  { shards = 4, connections = 20 } = {},
): Promise<ProductionServer> {
  const folder = await buildProductionServer();
  const { port, username, password } = new URL(databaseUrl);
  const connectionFlags = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '-p', port, '-u', username, '--pw', password];
  for (const [database, schema] of [
    ['temporal', 'temporal'],
    ['temporal_visibility', 'visibility'],
  ] as const) {
    const sql = (...args: string[]) =>
      execFileSync(join(folder, 'sql'), [...connectionFlags, '--db', database, ...args], { stdio: 'pipe' });
    sql('create');
    sql('setup-schema', '-v', '0.0');
    sql('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
  const ports: number[] = [];
  for (let i = 0; i < 8; i++) ports.push(await freePort());
  const file = join(dataDir, 'temporal-production', 'config.yaml');
  await mkdir(dirname(file), { recursive: true });
  const settingsFile = join(dirname(file), 'settings.yaml');
  await writeFile(file, buildConfiguration(ports, { port, username, password, connections }, shards, settingsFile));
  await writeFile(settingsFile, JSON.stringify({ 'matching.enableFairness': [{ value: true }] }));
  const address = `127.0.0.1:${ports[0]}`;
  const launch = (): ChildProcess =>
    endWithBench(
      spawn(...yielding(join(folder, 'server'), ['--config-file', file, '--allow-no-auth', 'start']), {
        stdio: 'ignore',
      }),
    );
  let child = launch();
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const exited = once(child, 'exit');
    if (child.kill(signal)) await exited;
  };
  const { connection, workflowService } = openTemporal(address, NAMESPACE);
  const day = { seconds: 86_400 as never };
  await retryUntilAnswered(
    () => workflowService.registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod: day }),
    60,
  );
  await connection.close();
  await waitForTemporal(address, NAMESPACE);
  return {
    name: 'production server',
    address,
    pid: () => child.pid ?? 0,
    start: async () => {
      child = launch();
      await waitForTemporal(address, NAMESPACE);
    },
    stop,
    down: async () => {
      await stop();
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      for (const database of ['temporal', 'temporal_visibility']) await client.query(`drop database ${database}`);
      await client.end();
    },
  };
}

/** The server reads YAML, of which JSON is a subset. */
function buildConfiguration(
  ports: number[],
  database: { port: string; username: string; password: string; connections: number },
  numHistoryShards: number,
  settingsFile: string,
): string {
  const store = (databaseName: string) => ({
    sql: {
      pluginName: 'postgres12',
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
