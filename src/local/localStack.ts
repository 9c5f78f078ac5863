/** The processes of one `npm start`: their configuration, and the order in which they start and stop. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccount } from '../accounts/merchants/accounts';
import { hashKey } from '../accounts/merchants/keys';
import { createSignInCode } from '../accounts/sessions/signInCodes';
import type { Readiness } from '../api/readiness';
import { createFirstOperator } from '../operations/operators/keys';
import { repairAfterRestore } from '../platform/database/afterRestore';
import { openDatabase } from '../platform/database/connection';
import { migrate } from '../platform/database/migrations';
import { createLog } from '../platform/log';
import { fromRoot } from '../platform/root';
import { apiBanner, openPage, SIGN_IN_LINKS, temporalBanner } from './banner';
import type { Command } from './childProcesses';
import { type Credentials, writeCredentials } from './credentials';
import { ManagedProcess, retryUntilAnswered } from './managedProcess';
import { JoinedMetrics } from './metrics/joined';
import { initialisePostgres, postgresProcess, postgresUrl } from './postgres';
import { reporter } from './progress';
import { loadPorts, type SavedPorts } from './savedPorts';
import { loadOrCreateSecrets, type Secrets } from './secrets';
import { type Settings, urlOf } from './settings';
import { findTemporal } from './temporal/binary';
import { temporalProcess } from './temporal/server';

export class LocalStack {
  private readonly log = createLog('npm start');
  private readonly credentials: Credentials;
  private readonly database: { dataDir: string; port: number; password: string };
  private readonly api: ManagedProcess;
  private readonly worker: ManagedProcess;
  private readonly acquirer?: ManagedProcess;
  private readonly mail?: ManagedProcess;
  private readonly postgres?: ManagedProcess;
  private temporal?: ManagedProcess;
  private readonly metrics: JoinedMetrics;
  private readonly stopping = new AbortController();
  private readonly secrets: Secrets;

  static async create(settings: Settings): Promise<LocalStack> {
    return new LocalStack(settings, await loadPorts(settings.DATA_DIR, [settings.PORT, settings.PRODUCTION_PORT]));
  }

  private constructor(
    private readonly settings: Settings,
    private readonly savedPorts: SavedPorts,
  ) {
    const { DATA_DIR: dataDir, DATABASE_URL, TEMPORAL_ADDRESS, ACQUIRER_URL, SMTP_URL } = settings;
    this.secrets = loadOrCreateSecrets(dataDir);
    this.database = { dataDir, port: savedPorts.postgres_port, password: savedPorts.postgres_password };
    this.metrics = new JoinedMetrics(savedPorts, settings.METRICS_PORT);
    this.credentials = writeCredentials(dataDir, {
      url: urlOf(settings, settings.PORT),
      graphql_url: `${urlOf(settings, settings.PORT)}/graphql`,
      temporal_address: TEMPORAL_ADDRESS ?? `127.0.0.1:${savedPorts.temporal_port}`,
      temporal_ui_url: TEMPORAL_ADDRESS ? null : `http://127.0.0.1:${savedPorts.temporal_ui_port}`,
      temporal_namespace: settings.TEMPORAL_NAMESPACE,
      database_url: DATABASE_URL ?? postgresUrl(this.database),
      acquirer_url: ACQUIRER_URL ?? `http://127.0.0.1:${savedPorts.acquirer_port}`,
      mail_url: SMTP_URL ? null : `http://127.0.0.1:${savedPorts.mail_port}`,
      metrics_url: this.metrics.url,
    });
    const { acquirer_url, mail_url } = this.credentials;
    const acquirerAnswers = () => retryUntilAnswered(() => fetch(`${acquirer_url}/health`));
    if (!ACQUIRER_URL) this.acquirer = this.nodeProcess('acquirer', 'simulator', acquirerAnswers);
    const mailAnswers = () => retryUntilAnswered(() => fetch(`${mail_url}/health`));
    if (mail_url) this.mail = this.nodeProcess('mail', 'mailbox', mailAnswers);
    if (!DATABASE_URL) this.postgres = postgresProcess(this.database, this.log);
    this.api = this.nodeProcess('api', 'api', () => retryUntilAnswered(() => fetch(`${this.credentials.url}/health`)));
    // Without a limit V8 sizes its heap by the machine's memory; the worker needs only what its workflow cache takes.
    // A fleet of renewals can wait for a second; who asks the API does not. The same holds for Temporal's server.
    const ofWorker = { flags: ['--max-old-space-size=256'], yields: true };
    this.worker = this.nodeProcess('worker', 'worker', async () => undefined, ofWorker);
  }

  /** Temporal starts in parallel, since its first start takes minutes. Resolves even when none can be obtained. */
  async up(): Promise<void> {
    const [, hasTemporal] = await Promise.all([this.startApi(), this.startTemporal(this.stopping.signal)]);
    if (hasTemporal) console.info(temporalBanner(this.credentials));
  }

  /** The API stops first, so that requests in flight still find the other parts. */
  async down(): Promise<void> {
    this.stopping.abort();
    for (const managed of [this.api, this.worker, this.acquirer, this.mail, this.temporal, this.postgres])
      await managed?.down();
  }

  private async startApi(): Promise<void> {
    if (this.postgres) await initialisePostgres(this.database);
    await this.postgres?.up();
    await migrate(this.credentials.database_url, fromRoot('prisma/migrations'), this.stopping.signal);
    await repairAfterRestore(this.credentials.database_url);
    const codes = await this.createSandboxMerchant();
    await Promise.all([this.acquirer?.up(), this.mail?.up(), this.api.up(), this.worker.up(), this.metrics.up()]);
    const { PRODUCTION_PORT, DATA_DIR, opensPage } = this.settings;
    const production = PRODUCTION_PORT ? urlOf(this.settings, PRODUCTION_PORT) : undefined;
    console.info(apiBanner(this.credentials, { production, codes, dataDir: DATA_DIR }));
    if (opensPage) openPage(this.credentials.url);
  }

  /** False when no Temporal server can be obtained. */
  private async startTemporal(stop: AbortSignal): Promise<boolean> {
    try {
      if (!this.settings.TEMPORAL_ADDRESS) {
        const binary = await findTemporal(reporter('Temporal server'), stop);
        // Nothing is awaited from here until the child exists, so `down` either prevents its start or finds it.
        stop.throwIfAborted();
        const { temporal_port: port, temporal_ui_port: uiPort } = this.savedPorts;
        const { DATA_DIR: dataDir, TEMPORAL_NAMESPACE: namespace } = this.settings;
        this.temporal = temporalProcess({ dataDir, binary, namespace, port, uiPort, yields: true }, this.log);
        await this.temporal.up();
      }
      await this.apiReachesTemporal(stop);
      return !stop.aborted;
    } catch (error) {
      if (!stop.aborted)
        console.error(`\n${(error as Error).message}\nThe API keeps running; what needs Temporal waits.\n`);
      return false;
    }
  }

  /** Asked of the API, which has a client of Temporal: the launcher needs none. */
  private async apiReachesTemporal(stop: AbortSignal): Promise<void> {
    for (;;) {
      const { temporal } = await fetch(`${this.credentials.url}/ready`, { signal: stop })
        .then(response => response.json() as Promise<Partial<Readiness>>)
        .catch(() => ({ temporal: undefined }));
      if (temporal === 'up' || stop.aborted) return;
      await sleep(200, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  /** The one in credentials.json. Returns codes that sign in as it, none if its key was revoked meanwhile. */
  private async createSandboxMerchant(): Promise<string[]> {
    const { merchant_id: id, ...keys } = this.credentials;
    const names = { name: 'Sandbox', email: 'sandbox@example.com', phone: '6010000000' };
    const merchant = { id, environment: 'sandbox', ...names } as const;
    const db = openDatabase(this.credentials.database_url);
    const by = { actor: { kind: 'system', id: 'npm start' } } as const;
    const { API_KEY_SECRET } = this.settings;
    await openAccount(db, merchant, keys, API_KEY_SECRET, by);
    await createFirstOperator(db, by, this.credentials.operator_key, API_KEY_SECRET);
    const key = await db.apiKey.findUnique({ where: { hash: hashKey(keys.private_key, API_KEY_SECRET) } });
    const codes: string[] = [];
    for (let i = 0; key && i < SIGN_IN_LINKS; i++)
      codes.push(await createSignInCode(db, API_KEY_SECRET, { merchant_id: id, key_id: key.id }));
    await db.$disconnect();
    return codes;
  }

  private nodeProcess(
    name: string,
    program: string,
    waitUntilReady: () => Promise<unknown>,
    { flags = [], yields = false }: { flags?: string[]; yields?: boolean } = {},
  ): ManagedProcess {
    const command: Command = {
      name,
      file: process.execPath,
      args: [...flags, fromRoot(`dist/src/programs/${program}.js`)],
      env: { ...this.childEnvironment(), ...this.metrics.variablesOf(name) },
      stopSignal: 'SIGTERM',
      yields,
    };
    return new ManagedProcess(this.settings.DATA_DIR, command, waitUntilReady, this.log);
  }

  private childEnvironment(): Record<string, string> {
    const { database_url, temporal_address, temporal_ui_url, acquirer_url, mail_url } = this.credentials;
    const { DATA_DIR, SMTP_URL } = this.settings;
    const { acquirer_port, smtp_port, mail_port } = this.savedPorts;
    const { ACQUIRER_KEY, ...vault } = this.secrets;
    return {
      DATABASE_URL: database_url,
      TEMPORAL_ADDRESS: temporal_address,
      ...(temporal_ui_url ? { TEMPORAL_UI_URL: temporal_ui_url } : {}),
      ...(mail_url ? { INBOX_URL: mail_url } : {}),
      ...(this.settings.ACQUIRER_URL ? {} : { JOURNAL_URL: `${acquirer_url}/journal` }),
      ACQUIRER_URL: acquirer_url,
      ACQUIRER_KEY,
      ACQUIRER_PORT: `${acquirer_port}`,
      NOTIFICATION_URL: [this.settings.PORT, this.settings.PRODUCTION_PORT]
        .flatMap(port => (port ? [`${urlOf(this.settings, port)}/notifications/acquirer`] : []))
        .join(','),
      ACQUIRER_JOURNAL: join(DATA_DIR, 'acquirer', 'journal.ndjson'),
      SMTP_URL: SMTP_URL ?? `smtp://127.0.0.1:${smtp_port}`,
      SMTP_PORT: `${smtp_port}`,
      MAIL_PORT: `${mail_port}`,
      MAIL_DIR: join(DATA_DIR, 'mail'),
      // `npm start` is not for production, but its production environment can be tried out against the simulator.
      PRODUCTION_ACQUIRER_URL: process.env.PRODUCTION_ACQUIRER_URL || acquirer_url,
      PRODUCTION_ACQUIRER_KEY: process.env.PRODUCTION_ACQUIRER_KEY || ACQUIRER_KEY,
      ...vault,
    };
  }
}
