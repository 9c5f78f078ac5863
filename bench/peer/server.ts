/** A running Kill Bill with its own database on the PostgreSQL server of the bench. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { ManagedProcess } from '../../src/local/processes/managedProcess';
import { freePort } from '../../src/local/savedPorts';
import { createLog } from '../../src/platform/log';
import type { BenchEnvironment } from '../environment';
import { type Installation, install } from './installation';

const DATABASE = 'killbill';

/**
 * With the defaults a renewal waits for a poll every three seconds, and each request hashes the secret of its tenant
 * 200,000 times. These settings use the processors instead.
 */
const SETTINGS = {
  'server.multitenant': 'true',
  'server.test.mode': 'true',
  'notificationq.main.sleep': '50',
  'notificationq.main.claimed': '100',
  'notificationq.main.notification.nbThreads': '4',
  // The pool starts a second thread only when its queue is full.
  'notificationq.main.queue.capacity': '1',
  'security.shiroNbHashIterations': '10',
};

/** Packages that Kill Bill opens by reflection. */
const OPENED = ['lang', 'lang.reflect', 'net', 'security', 'util', 'io', 'time', 'text']
  .map(name => `java.base/java.${name}`)
  .concat('java.base/sun.net.www.protocol.jar', 'java.base/sun.nio.ch', 'java.rmi/sun.rmi.transport');

const QUIET = `<configuration>
  <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%level %logger{0} %msg%n</pattern></encoder>
  </appender>
  <root level="WARN"><appender-ref ref="out"/></root>
</configuration>
`;

export async function startKillBill({ stack, databaseUrl }: BenchEnvironment) {
  const [directory, port] = [join(stack.dataDir, 'peer'), await freePort()];
  const installation = await install(directory, port);
  const client = await createDatabase(databaseUrl, installation.ddl);
  const url = `http://127.0.0.1:${port}`;
  const command = {
    name: 'peer',
    file: 'java',
    args: await javaArguments(installation, databaseUrl),
    stopSignal: 'SIGTERM',
    logFile: join(installation.base, 'logs', 'peer.log'),
  } as const;
  const probe = () => probeHealth(`${url}/1.0/healthcheck`);
  const server = await stack.start(new ManagedProcess(stack.dataDir, command, probe, createLog('peer')));
  const signal = (name: NodeJS.Signals): void => void process.kill(server.pid ?? 0, name);
  return {
    url,
    client,
    /** Its polls would cost the other program processor time. */
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    down: async (): Promise<void> => {
      await client.end();
      await server.down();
    },
  };
}

/** Not the status of the response, which is 500 while a connection took more than 50 ms, as at every start. */
async function probeHealth(url: string): Promise<void> {
  const checks = (await (await fetch(url)).json()) as Record<string, { healthy: boolean }>;
  if (!checks['org.killbill.billing.server.healthchecks.KillbillHealthcheck']?.healthy)
    throw new Error('Kill Bill has not started yet');
}

/** Returns a connection to the new database. */
async function createDatabase(databaseUrl: string, ddl: string[]): Promise<Client> {
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(`create database ${DATABASE}`);
  await admin.end();
  const url = new URL(databaseUrl);
  url.pathname = DATABASE;
  const client = new Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  for (const statement of ddl) await client.query(statement);
  return client;
}

async function javaArguments({ tomcat, base, bundles }: Installation, databaseUrl: string): Promise<string[]> {
  const { host, username, password } = new URL(databaseUrl);
  const access = (prefix: string) => ({
    [`${prefix}dao.url`]: `jdbc:postgresql://${host}/${DATABASE}`,
    [`${prefix}dao.user`]: decodeURIComponent(username),
    [`${prefix}dao.password`]: decodeURIComponent(password),
    [`${prefix}dao.maxActive`]: '30',
  });
  const properties = {
    ...access(''),
    ...access('billing.osgi.'),
    'osgi.bundle.install.dir': bundles,
    'osgi.root.dir': join(base, 'osgi'),
    ...SETTINGS,
  };
  const [settingsFile, logSettings] = [join(base, 'conf', 'killbill.properties'), join(base, 'conf', 'quiet.xml')];
  const lines = Object.entries(properties).map(([name, value]) => `org.killbill.${name}=${value}\n`);
  await writeFile(settingsFile, lines.join(''), { mode: 0o600 });
  await writeFile(logSettings, QUIET);
  const variables = {
    'user.timezone': 'GMT',
    'java.awt.headless': 'true',
    'org.killbill.server.properties': `file://${settingsFile}`,
    'logback.configurationFile': logSettings,
    'catalina.home': tomcat,
    'catalina.base': base,
    'java.io.tmpdir': join(base, 'temp'),
    LOGS_DIR: join(base, 'logs'),
  };
  return [
    ...['-Xms2g', '-Xmx2g', '-XX:+UseParallelGC'],
    ...OPENED.map(name => `--add-opens=${name}=ALL-UNNAMED`),
    ...Object.entries(variables).map(([name, value]) => `-D${name}=${value}`),
    ...['-cp', ['bootstrap.jar', 'tomcat-juli.jar'].map(name => join(tomcat, 'bin', name)).join(':')],
    ...['org.apache.catalina.startup.Bootstrap', 'start'],
  ];
}
