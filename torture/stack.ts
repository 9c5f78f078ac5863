/** The stack under test: PostgreSQL, Temporal, the acquirer, the API and two workers, restarted when they exit. */
import { join } from 'node:path';
import pino from 'pino';
import { DisposableStack } from '../src/local/disposableStack';
import { retryUntilAnswered } from '../src/local/processes/managedProcess';
import { freePort } from '../src/local/savedPorts';
import { respondsAt } from '../src/local/stack';
import { ensureNamespace } from '../src/local/temporal/namespace';
import { type Database, openDatabase } from '../src/platform/database/connection';
import { AcquirerLink } from './acquirerLink';
import { Disk } from './disk';
import { WrongClock } from './wrongClock';

/** `otherworker` is the worker with the wrong clock. */
export const PARTS = ['api', 'worker', 'otherworker', 'acquirer', 'postgres', 'temporal'] as const;
export type Part = (typeof PARTS)[number];

export interface TortureStack {
  url: string;
  databaseUrl: string;
  /** A separate database on the same server. */
  otherDatabaseUrl: string;
  acquirerUrl: string;
  apiKeySecret: string;
  fingerprintKey: string;
  /** Metrics port of the worker with the wrong clock. */
  otherWorkerUrl: string;
  link: AcquirerLink;
  disk: Disk | undefined;
  clock: WrongClock | undefined;
  db: Database;
  untilReady(): Promise<void>;
  /** Undefined while the process is down. */
  pidOf(part: Part): number | undefined;
  down(): Promise<void>;
}

export async function startTortureStack(): Promise<TortureStack> {
  // The run logs which process was killed.
  const stack = await DisposableStack.create('torture', pino({ level: 'silent' }));
  const disk = Disk.mount();
  const clock = WrongClock.at(join(stack.dataDir, 'clock'));
  const ends: (() => unknown)[] = [() => disk?.unmount(), () => stack.remove()];
  const down = async (): Promise<void> => {
    for (let end = ends.pop(); end; end = ends.pop()) await end();
  };
  try {
    const databaseUrl = await stack.startPostgres({
      // Archived WAL files would fill the small disk.
      settings: { max_wal_size: '128MB' },
      beforeStart: () => disk?.take(join(stack.dataDir, 'postgres')),
    });
    const temporalAddress = await stack.startTemporal();
    await ensureNamespace(temporalAddress);
    const [port, metricsPort, smtpPort, mailPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const [url, otherWorkerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${metricsPort}`];
    const env = await stack.startAcquirer(databaseUrl, {
      TEMPORAL_ADDRESS: temporalAddress,
      PORT: `${port}`,
      NOTIFICATION_URL: `${url}/notifications/acquirer`,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      SMTP_PORT: `${smtpPort}`,
      MAIL_PORT: `${mailPort}`,
      MAIL_DIR: join(stack.dataDir, 'mail'),
    });
    const link = await AcquirerLink.open(Number(env.ACQUIRER_PORT));
    ends.unshift(() => link.close());
    const linked = { ...env, ACQUIRER_URL: link.url };
    const untilReady = () => retryUntilAnswered(respondsAt(`${url}/ready`));
    await stack.startProgram('mail', env, respondsAt(`http://127.0.0.1:${mailPort}/health`));
    await stack.startProgram('worker', linked);
    const otherEnv = { ...linked, METRICS_PORT: `${metricsPort}`, ...clock?.variables };
    await stack.startProgram('otherworker', otherEnv, respondsAt(`${otherWorkerUrl}/metrics`));
    await stack.startProgram('api', linked, respondsAt(`${url}/health`));
    await untilReady();
    const db = openDatabase(databaseUrl);
    ends.push(() => db.$disconnect());
    return {
      url,
      databaseUrl,
      otherDatabaseUrl: Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).toString(),
      acquirerUrl: env.ACQUIRER_URL,
      apiKeySecret: env.API_KEY_SECRET,
      fingerprintKey: env.VAULT_FINGERPRINT_KEY,
      otherWorkerUrl,
      link,
      disk,
      clock,
      db,
      untilReady,
      pidOf: part => stack.find(part)?.pid,
      down,
    };
  } catch (error) {
    await down();
    throw error;
  }
}
