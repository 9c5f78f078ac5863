/** Configuration and start order of the processes of `npm start`. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccount } from '../accounts/merchants/accounts';
import { hashKey } from '../accounts/merchants/keys';
import { createSignInCode } from '../accounts/sessions/signInCodes';
import type { Readiness } from '../api/readiness';
import { createFirstOperator } from '../operations/operators/keys';
import { repairAfterRestore } from '../platform/database/afterRestore';
import { openDatabase } from '../platform/database/connection';
import { EarlierDatabaseError, migrate } from '../platform/database/migrations';
import { FatalError } from '../platform/lifetime';
import { createLog } from '../platform/log';
import { fromRoot } from '../platform/root';
import { apiBanner, openPage, SIGN_IN_LINKS, temporalBanner } from './banner';
import { type Credentials, writeCredentials } from './credentials';
import { JoinedMetrics } from './metrics/joined';
import { postgresUrl } from './postgres/server';
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

  static async create(settings: Settings): Promise<LocalStack> {
    return new LocalStack(settings, await loadPorts(settings.DATA_DIR, [settings.PORT, settings.PRODUCTION_PORT]));
  }

  private constructor(
    private readonly settings: Settings,
    private readonly savedPorts: SavedPorts,
  ) {
    const { DATA_DIR: dataDir, DATABASE_URL, TEMPORAL_ADDRESS, ACQUIRER_URL, SMTP_URL } = settings;
    this.secrets = loadOrCreateSecrets(dataDir);
    this.stack = new Stack(dataDir, createLog('npm start'), { yields: true });
    this.database = { port: savedPorts.postgres_port, password: savedPorts.postgres_password };
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
  }

  /** Temporal starts in parallel, because its first start takes minutes. Resolves also without a Temporal server. */
  async up(): Promise<void> {
    const [, hasTemporal] = await Promise.all([this.startApi(), this.startTemporal(this.stopping.signal)]);
    if (hasTemporal) console.info(temporalBanner(this.credentials));
  }

  async down(): Promise<void> {
    this.stopping.abort();
    await this.stack.down();
  }

  private async startApi(): Promise<void> {
    const { database_url, url, acquirer_url, mail_url } = this.credentials;
    const { DATABASE_URL, ACQUIRER_URL, PRODUCTION_PORT, DATA_DIR, opensPage } = this.settings;
    if (!DATABASE_URL) await this.stack.startPostgres(this.database);
    await migrate(database_url, fromRoot('prisma/migrations'), this.stopping.signal).catch(error => {
      if (DATABASE_URL || !(error instanceof EarlierDatabaseError)) throw error;
      throw new FatalError(
        `${DATA_DIR} has data of a version before 1.0.0, which cannot be upgraded. Delete this directory and start again.`,
      );
    });
    await repairAfterRestore(database_url);
    const codes = await this.createSandboxMerchant();
    await Promise.all([
      ACQUIRER_URL ? undefined : this.startProgram('acquirer', `${acquirer_url}/health`),
      mail_url ? this.startProgram('mail', `${mail_url}/health`) : undefined,
      this.startProgram('api', `${url}/health`),
      this.startProgram('worker'),
      this.metrics.up(),
    ]);
    const production = PRODUCTION_PORT ? urlOf(this.settings, PRODUCTION_PORT) : undefined;
    console.info(apiBanner(this.credentials, { production, codes, dataDir: DATA_DIR }));
    if (opensPage) openPage(url);
  }

  private startProgram(name: 'acquirer' | 'mail' | 'api' | 'worker', address?: string): Promise<unknown> {
    const env = { ...this.childEnvironment(), ...this.metrics.variablesOf(name) };
    return this.stack.startProgram(name, env, address ? respondsAt(address) : undefined);
  }

  /** False without a Temporal server. */
  private async startTemporal(stop: AbortSignal): Promise<boolean> {
    try {
      if (!this.settings.TEMPORAL_ADDRESS) {
        const { temporal_port: port, temporal_ui_port, temporal_ui_hidden_port: uiPort } = this.savedPorts;
        await this.stack.startTemporal({ namespace: this.settings.TEMPORAL_NAMESPACE, port, uiPort }, stop);
        await serveTemporalUi(temporal_ui_port, uiPort);
      }
      await this.apiReachesTemporal(stop);
      return !stop.aborted;
    } catch (error) {
      if (!stop.aborted)
        console.error(`\n${(error as Error).message}\nThe API keeps running. Work that requires Temporal waits.\n`);
      return false;
    }
  }

  /** Polls the API's readiness, so that the launcher needs no Temporal client. */
  private async apiReachesTemporal(stop: AbortSignal): Promise<void> {
    for (;;) {
      const { temporal } = await fetch(`${this.credentials.url}/ready`, { signal: stop })
        .then(response => response.json() as Promise<Partial<Readiness>>)
        .catch(() => ({ temporal: undefined }));
      if (temporal === 'up' || stop.aborted) return;
      await sleep(200, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  /** Creates the merchant of credentials.json. Returns sign-in codes, or none if its key was revoked. */
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

  private childEnvironment(): Record<string, string> {
    const { database_url, temporal_address, temporal_ui_url, acquirer_url, mail_url } = this.credentials;
    const { DATA_DIR, SMTP_URL } = this.settings;
    const { acquirer_port, smtp_port, mail_port } = this.savedPorts;
    const { ACQUIRER_KEY, ...vault } = this.secrets;
    return {
      DATABASE_URL: database_url,
      PUBLIC_URL: process.env.PUBLIC_URL || this.credentials.url,
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
      // The production environment of `npm start` also uses the simulator.
      PRODUCTION_ACQUIRER_URL: process.env.PRODUCTION_ACQUIRER_URL || acquirer_url,
      PRODUCTION_ACQUIRER_KEY: process.env.PRODUCTION_ACQUIRER_KEY || ACQUIRER_KEY,
      ...vault,
    };
  }
}
