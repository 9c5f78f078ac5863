/**
 * A complete installation for tests: database, acquirer, API servers and, if renewals or deliveries are tested, a
 * Temporal namespace with a worker process. Test files of a Jest process share one world of each kind and get
 * their own merchants in it. Loaded by Node, not by Jest, so that it outlives a test file.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import pino from 'pino';
import type { Environment } from '../../../prisma/generated/enums';
import { createMerchant } from '../../../src/accounts/merchants/accounts';
import { ApiKeyCache } from '../../../src/accounts/merchants/apiKeyCache';
import { NO_LIMITS } from '../../../src/local/disposableStack';
import { retryUntilAnswered } from '../../../src/local/processes/managedProcess';
import { Stack } from '../../../src/local/stack';
import { variables } from '../../../src/platform/config/variables';
import { type Database, openDatabase } from '../../../src/platform/database/connection';
import { openTemporal } from '../../../src/platform/temporal';
import { canaries, saveForLeakSearch } from '../cards/canaries';
import { RunningAcquirer } from './acquirer';
import { createDatabase, databaseUrl, dropDatabase, inDatabase } from './database';
import { stopAtTheEnd } from './endOfRun';
import { secrets } from './secrets';
import { type RunningServer, type ServerOptions, startServer } from './server';
import { registerNamespace, temporalAddress } from './temporal';

export interface Merchant {
  id: string;
  private_key: string;
  public_key: string;
}

export const API_KEY_SECRET = variables.API_KEY_SECRET.defaultValue;

const newName = (): string => randomBytes(6).toString('hex');

export class World {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly temporal: Client;
  readonly apiKeyCache: ApiKeyCache;
  readonly log: pino.Logger;
  /** The API's log since `beginFile`. */
  readonly lines: string[] = [];
  private readonly servers = new Map<string, Promise<RunningServer>>();
  private workerStack?: Stack;

  private constructor(
    private readonly name: string,
    readonly namespace: string,
    readonly acquirer: RunningAcquirer,
  ) {
    this.databaseUrl = databaseUrl(name);
    this.db = openDatabase(this.databaseUrl);
    this.temporal = openTemporal(temporalAddress(), namespace);
    this.apiKeyCache = new ApiKeyCache(this.db, this.databaseUrl, API_KEY_SECRET);
    this.log = pino({ level: 'debug' }, { write: line => void this.lines.push(line) });
  }

  static async start(kind: 'api' | 'billing', isShared = false): Promise<World> {
    const name = `${isShared ? 'world' : 'test'}_${newName()}`;
    await createDatabase(name);
    const namespace = kind === 'billing' ? name.replace('_', '-') : 'default';
    const world = new World(name, namespace, await RunningAcquirer.start());
    if (kind === 'billing') await registerNamespace(world.temporal);
    return world;
  }

  /** Creates three merchants, and begins a journal and a log. */
  async beginFile(): Promise<Record<'own' | 'other' | 'production', Merchant>> {
    saveForLeakSearch('api.log', this.lines.splice(0).join(''));
    this.acquirer.forgetJournal();
    const newMerchant = (environment: Environment) =>
      createMerchant(
        this.db,
        { environment, name: 'Tienda', email: 'tienda@example.com', phone: '6011234567' },
        API_KEY_SECRET,
      );
    return {
      own: await newMerchant('sandbox'),
      other: await newMerchant('sandbox'),
      production: await newMerchant('production'),
    };
  }

  /** A server that test files share; a server with other options is started by `startServer` and closed by the test. */
  sharedServer(environment: Environment, acquirerTimeoutMs: number): Promise<RunningServer> {
    const key = `${environment} ${acquirerTimeoutMs}`;
    const server = this.servers.get(key) ?? startServer(this, { environment, acquirerTimeoutMs });
    this.servers.set(key, server);
    return server;
  }

  startServer(options: ServerOptions): Promise<RunningServer> {
    return startServer(this, options);
  }

  workerVariables(): Record<string, string> {
    return {
      ...NO_LIMITS,
      ...secrets,
      DATABASE_URL: this.databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: this.namespace,
      PUBLIC_URL: 'http://pages.test',
      ACQUIRER_URL: this.acquirer.url,
    };
  }

  /** Starts the worker that test files share. */
  async startWorker(): Promise<void> {
    const dataDir = join(process.env.TEST_DIRECTORY ?? '', this.name);
    mkdirSync(dataDir);
    const stack = new Stack(dataDir, this.log, { logsToFiles: true });
    this.workerStack = stack;
    await stack.startProgram('worker', this.workerVariables(), () =>
      retryUntilAnswered(async () => {
        if (!readFileSync(stack.logFile('worker'), 'utf8').includes('task queue')) throw new Error('not ready');
      }),
    );
  }

  /** Stops everything, and returns the places where card data was found. */
  async stop(): Promise<string[]> {
    await this.workerStack?.down();
    const servers = await Promise.all(this.servers.values());
    await Promise.all(servers.map(server => server.close()));
    await this.apiKeyCache.close();
    await this.temporal.connection.close();
    await this.db.$disconnect();
    saveForLeakSearch('api.log', this.lines.splice(0).join(''));
    const inJournal = await this.acquirer.stop();
    const inTables = await inDatabase(this.databaseUrl, client => canaries.inTables(client));
    await dropDatabase(this.name);
    return [...inJournal, ...inTables];
  }
}

const shared = new Map<string, Promise<World>>();

/** The world of this Jest process. The kind `billing` has a worker, which the other tests must not have. */
export function sharedWorld(kind: 'api' | 'billing'): Promise<World> {
  const start = async (): Promise<World> => {
    const world = await World.start(kind, true);
    process.once('exit', () => saveForLeakSearch('api.log', world.lines.join('')));
    if (kind === 'billing') await world.startWorker();
    return world;
  };
  const world = shared.get(kind) ?? start();
  shared.set(kind, world);
  return world;
}

stopAtTheEnd.push(async () => {
  const worlds = await Promise.all(shared.values());
  shared.clear();
  return (await Promise.all(worlds.map(world => world.stop()))).flat();
});
