/** Configuration and start order of the processes of `npm start`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readiness } from '../api/readiness';
import { EarlierDatabaseError } from '../platform/database/migrations';
import { FatalError } from '../platform/lifetime';
import { createLog } from '../platform/log';
import { banner, openPage } from './banner';
import { type Credentials, writeCredentials } from './credentials';
import { JoinedMetrics } from './metrics/joined';
import { postgresUrl } from './postgres/server';
import { prepareDatabase, prepareEmbeddedDatabase } from './prepareDatabase';
import { retryWhile } from './processes/managedProcess';
import { reportPart } from './progress';
import { loadPorts, type SavedPorts } from './savedPorts';
import { loadOrCreateSecrets, type Secrets } from './secrets';
import { type Settings, urlOf } from './settings';
import { respondsAt, Stack } from './stack';
import { serveTemporalUi } from './temporal/uiProxy';

export class LocalStack {
  private readonly stack: Stack;
  private readonly credentials: Credentials;
  private readonly database: { port: number; password: string };
  private readonly metrics: JoinedMetrics;
  private readonly stopping = new AbortController();
  private readonly secrets: Secrets;
  private readonly log = createLog('npm start');

  /** `releasePort` frees the port of the API. */
  static async create(settings: Settings, releasePort: () => Promise<void>): Promise<LocalStack> {
    const ports = await loadPorts(settings.DATA_DIR, [settings.PORT, settings.PRODUCTION_PORT]);
    return new LocalStack(settings, ports, releasePort);
  }

  private readonly productionPort: number | undefined;

  private constructor(
    private readonly settings: Settings,
    private readonly savedPorts: SavedPorts,
    releasePort: () => Promise<void>,
  ) {
    const { DATA_DIR: dataDir, DATABASE_URL, TEMPORAL_ADDRESS, ACQUIRER_URL, SMTP_URL } = settings;
    this.secrets = loadOrCreateSecrets(dataDir);
    this.productionPort = settings.PRODUCTION_PORT ?? (settings.hasProduction ? savedPorts.production_port : undefined);
    rmSync(join(dataDir, 'logs'), { recursive: true, force: true });
    const options = { yields: true, logsToFiles: !settings.isVerbose, releasePort };
    this.stack = new Stack(dataDir, this.log, options);
    this.database = { port: savedPorts.postgres_port, password: savedPorts.postgres_password };
    this.metrics = new JoinedMetrics(savedPorts, settings.METRICS_PORT);
    this.credentials = writeCredentials(dataDir, {
      url: urlOf(settings, settings.PORT),
      ...(this.productionPort ? { production_url: urlOf(settings, this.productionPort) } : {}),
      graphql_url: `${urlOf(settings, settings.PORT)}/graphql`,
      temporal_address: TEMPORAL_ADDRESS ?? `127.0.0.1:${savedPorts.temporal_port}`,
      temporal_ui_url: TEMPORAL_ADDRESS ? null : `http://127.0.0.1:${savedPorts.temporal_ui_port}`,
      temporal_namespace: settings.TEMPORAL_NAMESPACE,
      database_url: DATABASE_URL ?? postgresUrl(this.database),
      acquirer_url: ACQUIRER_URL ?? `http://127.0.0.1:${savedPorts.acquirer_port}`,
      mail_url: SMTP_URL ? null : `http://127.0.0.1:${savedPorts.mail_port}`,
      metrics_url: this.metrics.url,
    });
  }

  /** Temporal starts in parallel, because its first start takes minutes. Resolves also without a Temporal server. */
  async up(): Promise<void> {
    const { DATA_DIR: dataDir, isVerbose, opensPage } = this.settings;
    console.info(`recaudo is starting in ${dataDir}${isVerbose ? '' : `, logs in ${join(dataDir, 'logs')}`}`);
    const [codes, hasTemporal] = await Promise.all([this.startPrograms(), this.startTemporal()]);
    const isComplete = hasTemporal && (await this.workerPolls());
    if (this.stopping.signal.aborted) return;
    console.info(banner(this.credentials, { isComplete, codes, dataDir }));
    if (opensPage) openPage(this.credentials.url);
  }

  async down(): Promise<void> {
    this.stopping.abort();
    await this.stack.down();
  }

  /** Returns sign-in codes of the merchant. */
  private async startPrograms(): Promise<string[]> {
    const { url, acquirer_url, mail_url } = this.credentials;
    const { DATABASE_URL, ACQUIRER_URL } = this.settings;
    if (!DATABASE_URL) await reportPart('PostgreSQL', this.stack.startPostgres(this.database));
    const codes = await reportPart('database schema', this.prepareDatabase());
    await Promise.all([
      ACQUIRER_URL || reportPart('simulated acquirer', this.startProgram('acquirer', `${acquirer_url}/health`)),
      mail_url && reportPart('mail catcher', this.startProgram('mail', `${mail_url}/health`)),
      reportPart(`API and pages at ${url}`, this.startProgram('api', `${url}/health`)),
      this.startProgram('worker'),
      this.metrics.up(),
    ]);
    return codes;
  }

  private startProgram(name: 'acquirer' | 'mail' | 'api' | 'worker', address?: string): Promise<unknown> {
    const env = { ...this.childEnvironment(), ...this.metrics.variablesOf(name) };
    return this.stack.startProgram(name, env, address ? respondsAt(address) : undefined);
  }

  private async prepareDatabase(): Promise<string[]> {
    const { DATABASE_URL, DATA_DIR } = this.settings;
    const secret = this.secrets.API_KEY_SECRET;
    const preparation = { credentials: this.credentials, secret, stop: this.stopping.signal };
    if (DATABASE_URL) return prepareDatabase(preparation);
    return prepareEmbeddedDatabase(preparation, this.log).catch(error => {
      if (!(error instanceof EarlierDatabaseError)) throw error;
      throw new FatalError(
        `${DATA_DIR} has data of a version before 1.0.0, which cannot be upgraded. Delete this directory and start again.`,
      );
    });
  }

  /** False without a Temporal server. */
  private async startTemporal(): Promise<boolean> {
    const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE: namespace } = this.settings;
    if (TEMPORAL_ADDRESS) return true;
    const { temporal_port: port, temporal_ui_port, temporal_ui_hidden_port: uiPort } = this.savedPorts;
    const { signal } = this.stopping;
    try {
      await reportPart('Temporal', this.stack.startTemporal({ namespace, port, uiPort }, signal));
      await reportPart('Temporal UI', serveTemporalUi(temporal_ui_port, uiPort));
      return true;
    } catch (error) {
      if (!signal.aborted)
        console.error(`\n${(error as Error).message}\nThe API keeps running. Work that requires Temporal waits.\n`);
      return false;
    }
  }

  /** Polls the API's readiness, so that the launcher needs no Temporal client. False if it is stopped meanwhile. */
  private async workerPolls(): Promise<boolean> {
    const { signal } = this.stopping;
    const ask = async (): Promise<void> => {
      const answer = await fetch(`${this.credentials.url}/ready`, { signal });
      const { temporal, worker } = (await answer.json()) as Readiness;
      if (!answer.ok) throw new Error(`Temporal is ${temporal}, the worker is ${worker}`);
    };
    const report = (seconds: number, problem: string): void =>
      this.log.warn(`worker: not ready after ${seconds} s, still waiting${problem}`);
    return reportPart(
      'worker',
      retryWhile(() => !signal.aborted, ask, report),
    ).then(
      () => true,
      () => false,
    );
  }

  private childEnvironment(): Record<string, string> {
    const { url, production_url, database_url, temporal_address, temporal_ui_url, acquirer_url, mail_url } =
      this.credentials;
    const { DATA_DIR, SMTP_URL } = this.settings;
    const { acquirer_port, smtp_port, mail_port } = this.savedPorts;
    const { ACQUIRER_KEY, ...secrets } = this.secrets;
    return {
      DATABASE_URL: database_url,
      PUBLIC_URL: process.env.PUBLIC_URL || url,
      TEMPORAL_ADDRESS: temporal_address,
      ...(temporal_ui_url ? { TEMPORAL_UI_URL: temporal_ui_url } : {}),
      ...(mail_url ? { INBOX_URL: mail_url } : {}),
      ...(this.settings.ACQUIRER_URL ? {} : { JOURNAL_URL: `${acquirer_url}/journal` }),
      ACQUIRER_URL: acquirer_url,
      ACQUIRER_KEY,
      ACQUIRER_PORT: `${acquirer_port}`,
      NOTIFICATION_URL: [url, production_url]
        .flatMap(origin => (origin ? [`${origin}/notifications/acquirer`] : []))
        .join(','),
      ...(this.productionPort ? { PRODUCTION_PORT: `${this.productionPort}` } : {}),
      ...(production_url ? { PRODUCTION_PUBLIC_URL: process.env.PRODUCTION_PUBLIC_URL || production_url } : {}),
      ACQUIRER_JOURNAL: join(DATA_DIR, 'acquirer', 'journal.ndjson'),
      SMTP_URL: SMTP_URL ?? `smtp://127.0.0.1:${smtp_port}`,
      SMTP_PORT: `${smtp_port}`,
      MAIL_PORT: `${mail_port}`,
      MAIL_DIR: join(DATA_DIR, 'mail'),
      // The production environment of `npm start` also uses the simulator.
      PRODUCTION_ACQUIRER_URL: process.env.PRODUCTION_ACQUIRER_URL || acquirer_url,
      PRODUCTION_ACQUIRER_KEY: process.env.PRODUCTION_ACQUIRER_KEY || ACQUIRER_KEY,
      ...secrets,
    };
  }
}
