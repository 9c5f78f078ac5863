/**
 * Starts the two Temporal servers that are measured: the development server of `npm start`, and the production server
 * on PostgreSQL.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { retryUntilAnswered } from '../src/embedded/managedProcess';
import { reporter } from '../src/embedded/progress';
import { freePort } from '../src/embedded/savedPorts';
import { cachedBinary, findTemporal } from '../src/embedded/temporal/binary';
import { temporalProcess } from '../src/embedded/temporal/server';
import { waitForTemporal } from '../src/embedded/temporal/waitForTemporal';
import { createLog } from '../src/platform/log';
import { openTemporal } from '../src/platform/temporal';

const VERSION = 'v1.31.2';
const NAMESPACE = 'default';

export interface TemporalServer {
  name: string;
  address: string;
  down(): Promise<unknown>;
}

async function startDevelopmentServer(dataDir: string): Promise<TemporalServer> {
  const binary = await findTemporal(reporter('Temporal server'), new AbortController().signal);
  const [port, uiPort] = [await freePort(), await freePort()];
  const temporal = temporalProcess({ dataDir, binary, port, uiPort, namespace: NAMESPACE }, createLog('bench'));
  const address = `127.0.0.1:${port}`;
  await temporal.up();
  await waitForTemporal(address, NAMESPACE);
  return { name: 'development server', address, down: () => temporal.down() };
}

/** Builds the server with Go the first time, which takes some minutes, and caches it beside the development server. */
function buildProductionServer(): string {
  const folder = join(dirname(cachedBinary()), `temporal-production-${VERSION}-${process.platform}-${process.arch}`);
  const packages = ['cmd/server', 'cmd/tools/sql'].map(name => `go.temporal.io/server/${name}@${VERSION}`);
  if (existsSync(join(folder, 'server')) && existsSync(join(folder, 'sql'))) return folder;
  console.info(`Building the production server of Temporal ${VERSION} with Go, some minutes, once …`);
  for (const name of packages)
    execFileSync('go', ['install', '-trimpath', name], {
      env: { ...process.env, CGO_ENABLED: '0', GOBIN: folder },
      stdio: 'inherit',
    });
  return folder;
}

async function startProductionServer(dataDir: string, databaseUrl: string): Promise<TemporalServer> {
  const folder = buildProductionServer();
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
  await writeFile(file, buildConfiguration(ports, { port, username, password }));
  const child: ChildProcess = spawn(join(folder, 'server'), ['--config-file', file, '--allow-no-auth', 'start'], {
    stdio: 'ignore',
  });
  const address = `127.0.0.1:${ports[0]}`;
  const { connection, workflowService } = openTemporal(address, NAMESPACE);
  const day = { seconds: 86_400 as never };
  await retryUntilAnswered(
    () => workflowService.registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod: day }),
    60,
  );
  await connection.close();
  await waitForTemporal(address, NAMESPACE);
  const exited = new Promise(resolve => child.once('exit', resolve));
  return {
    name: 'production server',
    address,
    down: async () => {
      child.kill('SIGTERM');
      await exited;
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      for (const database of ['temporal', 'temporal_visibility']) await client.query(`drop database ${database}`);
      await client.end();
    },
  };
}

/** The server reads YAML, of which JSON is a subset. */
function buildConfiguration(ports: number[], database: { port: string; username: string; password: string }): string {
  const store = (databaseName: string) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `127.0.0.1:${database.port}`,
      connectProtocol: 'tcp',
      user: database.username,
      password: database.password,
      maxConns: 20,
      maxIdleConns: 20,
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
      numHistoryShards: 4,
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
    publicClient: { hostPort: `127.0.0.1:${ports[0]}` },
  });
}

/** Both, to be started one after the other. */
export const temporalServers = ({ dataDir, databaseUrl }: { dataDir: string; databaseUrl: string }) => [
  (): Promise<TemporalServer> => startDevelopmentServer(dataDir),
  (): Promise<TemporalServer> => startProductionServer(dataDir, databaseUrl),
];
