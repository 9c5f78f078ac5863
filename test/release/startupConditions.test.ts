import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { cachedBinary } from '../../src/local/temporal/binary';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { eventually, until } from '../harness/flow/until';
import { testDatabase } from '../harness/servers/database';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { get, getUntil } from '../harness/servers/program';
import { testNamespace } from '../harness/servers/temporal';
import { temporalAddress } from '../harness/world/temporal';

cleanUpAfterAll();

/** No Temporal server on the PATH or in the cache and no network: only programs in `path` are available. */
const withoutTemporal = (installation: LocalInstallation, ...path: string[]) => ({
  PATH: [...path, dirname(process.execPath), '/usr/sbin', '/usr/bin', '/bin'].join(':'),
  XDG_CACHE_HOME: join(installation.dataDir, 'cache'),
  HTTPS_PROXY: 'http://127.0.0.1:9',
});

function writeExecutable(installation: LocalInstallation, name: string, script: string): string {
  const directory = mkdtempSync(join(installation.dataDir, 'bin-'));
  writeFileSync(join(directory, name), script);
  chmodSync(join(directory, name), 0o755);
  return directory;
}

/** The Temporal server that this test run uses. */
const realTemporal = (): string =>
  existsSync(cachedBinary())
    ? cachedBinary()
    : execFileSync('sh', ['-c', 'command -v temporal'], { encoding: 'utf8' }).trim();

describe('npm start with external services', () => {
  const database = testDatabase('empty');
  const namespace = testNamespace();

  it('uses DATABASE_URL, TEMPORAL_ADDRESS and SMTP_URL and starts none of these services itself', async () => {
    const installation = await LocalInstallation.create();
    const launcher = installation.start({
      DATABASE_URL: database.url(),
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: namespace.name,
      SMTP_URL: 'smtp://user:hunter2@mail.example.com',
    });
    await launcher.waitForOutput('Temporal UI   (the UI of the server at TEMPORAL_ADDRESS)');
    await getUntil(`${installation.url}/ready`, 200);
    expect(await installation.readJson()).toMatchObject({
      database_url: database.url(),
      temporal_address: temporalAddress(),
      temporal_ui_url: null,
      temporal_namespace: namespace.name,
      mail_url: null,
    });
    expect(launcher.output).toContain('e-mail        (sent through SMTP_URL)');
    expect(launcher.output).not.toContain('hunter2');
    expect(existsSync(join(installation.dataDir, 'postgres'))).toBe(false);
    expect(existsSync(join(installation.dataDir, 'temporal.db'))).toBe(false);
    expect(existsSync(join(installation.dataDir, 'mail'))).toBe(false);
    expect(await launcher.stop()).toBe(0);
  });
});

describe('npm start finds its Temporal server', () => {
  it('uses the Temporal server on the PATH', async () => {
    const installation = await LocalInstallation.create();
    const directory = mkdtempSync(join(installation.dataDir, 'bin-'));
    symlinkSync(realTemporal(), join(directory, 'temporal'));
    const launcher = installation.start(withoutTemporal(installation, directory));
    await eventually(() => installation.readProcessRecord('temporal'));
    expect(launcher.output).not.toContain('Temporal server:');
    expect(await launcher.stop()).toBe(0);
  });

  it('explains the failed attempts and the next steps if there is none, and still serves the API', async () => {
    const installation = await LocalInstallation.create();
    const launcher = installation.start(withoutTemporal(installation));
    await launcher.waitForOutput('The API keeps running. Work that requires Temporal waits.');
    expect(launcher.output).toContain('`temporal` on the PATH: not found');
    expect(launcher.output).toContain(`- cache (${join(installation.dataDir, 'cache/recaudo')}`);
    expect(launcher.output).toMatch(/- download: .+/);
    expect(launcher.output).toContain('- build with Go: Go is not installed');
    expect(launcher.output).toContain('Set TEMPORAL_ADDRESS to a running server');
    const expected = { status: 503, body: { database: 'up', temporal: 'down', worker: 'down' } };
    await launcher.untilAnswer(`${installation.url}/ready`, expected);
    expect(await get(`${installation.url}/health`)).toMatchObject({ status: 200 });
    expect(await launcher.stop()).toBe(0);
  });

  it('serves the API while it builds the Temporal server, reports the progress, and caches the result', async () => {
    const installation = await LocalInstallation.create();
    // A fake Go: lists three packages, compiles until the gate file exists, and outputs the real server.
    const gate = join(installation.dataDir, 'gate');
    const directory = writeExecutable(
      installation,
      'go',
      `#!/bin/sh
       if [ "$1" = list ]; then echo a; echo b; echo c; exit 0; fi
       echo a >&2
       while [ ! -e '${gate}' ]; do sleep 0.1; done
       while [ "$1" != -o ]; do shift; done
       cp '${realTemporal()}' "$2"`,
    );
    const launcher = installation.start(withoutTemporal(installation, directory));
    await launcher.waitForOutput(
      'Temporal server: building with Go (first time only, some minutes): 1 of 3 packages compiled',
    );
    await getUntil(`${installation.url}/health`, 200);
    await launcher.untilAnswer(`${installation.url}/ready`, {
      status: 503,
      body: { database: 'up', temporal: 'down' },
    });
    writeFileSync(gate, '');
    await launcher.waitForOutput(/Temporal UI {3}http/);
    await getUntil(`${installation.url}/ready`, 200);
    expect(await launcher.stop()).toBe(0);

    const restarted = installation.start(withoutTemporal(installation));
    await eventually(() => installation.readProcessRecord('temporal'));
    expect(restarted.output).not.toContain('Temporal server:');
    expect(await restarted.stop()).toBe(0);
  });
});

describe('npm start refuses', () => {
  /** Holds a database after the first test has run. */
  let installation: LocalInstallation;
  beforeAll(async () => {
    installation = await LocalInstallation.create();
  });

  it('a DATA_DIR that is in use: one of ten concurrent starts wins, even after the previous one was killed', async () => {
    const refusal = (pid: number) =>
      `recaudo is already running on ${installation.dataDir} (process ${pid}). Stop it, or set another DATA_DIR and PORT.\n`;
    /** Returns the launcher that has won. */
    const startTen = async () => {
      const launchers = Array.from({ length: 10 }, () => installation.start({ TEMPORAL_ADDRESS: temporalAddress() }));
      await until(() => launchers.filter(({ process }) => process.exitCode === 1).length === 9);
      const { pid } = await installation.readProcessRecord('launcher');
      const losers = launchers.filter(({ process }) => process.pid !== pid);
      await Promise.all(losers.map(({ exited }) => exited));
      expect(losers.map(({ output }) => output)).toEqual(Array(9).fill(refusal(pid)));
      return launchers.find(({ process }) => process.pid === pid);
    };
    const killed = await startTen();
    // The winner is killed during the setup of its database, and its child processes continue for a moment.
    // On a busy machine it may have passed postgres.new when the last of the other launchers has ended.
    await until(() => readdirSync(installation.dataDir).some(name => /^postgres(\.new|$)/.test(name)));
    expect(await killed?.stop('SIGKILL')).toBe(null);
    const winner = await startTen();
    await getUntil(`${installation.url}/health`, 200);
    const late = installation.start({ PORT: '1' });
    expect([await late.exited, late.output]).toEqual([1, refusal(winner?.process.pid ?? 0)]);
    expect(await get(`${installation.url}/health`)).toMatchObject({ status: 200 });
    expect(await winner?.stop('SIGINT')).toBe(0);
  });

  it('an unreadable embedded.json, and a database whose password is lost', async () => {
    const env = { TEMPORAL_ADDRESS: temporalAddress() };
    const file = join(installation.dataDir, 'embedded.json');
    writeFileSync(file, '{');
    const unreadable = installation.start(env);
    expect(await unreadable.exited).toBe(1);
    expect(unreadable.output).toContain(`Cannot read ${file}: `);
    rmSync(file);
    const passwordLost = installation.start(env);
    expect(await passwordLost.exited).toBe(1);
    expect(passwordLost.output).toContain('has another password than embedded.json');
  });

  it('a port that is in use', async () => {
    const installation = await LocalInstallation.create();
    const other = createServer().listen(installation.port, '127.0.0.1');
    atTheEnd(() => other.close());
    const launcher = installation.start();
    expect(await launcher.exited).toBe(1);
    expect(launcher.output).toBe(`Port ${installation.port} is in use. Set PORT to another port.\n`);
  });

  it('an address that this machine does not have', async () => {
    const installation = await LocalInstallation.create();
    const launcher = installation.start({ HOST: '192.0.2.7' });
    expect(await launcher.exited).toBe(1);
    expect(launcher.output).toBe(
      `The API cannot listen on HOST 192.0.2.7, port ${installation.port}: EADDRNOTAVAIL.\n`,
    );
  });

  it('NODE_ENV=production, and names the command for production', async () => {
    const installation = await LocalInstallation.create();
    const launcher = installation.start({ NODE_ENV: 'production', API_KEY_SECRET: 'x'.repeat(32) });
    expect(await launcher.exited).toBe(1);
    expect(launcher.output).toContain('npm start is not for production. Run migrate, api and worker instead');
  });

  it('invalid variables, and reports all of them together', async () => {
    const installation = await LocalInstallation.create();
    mkdirSync(join(installation.dataDir, 'untouched'));
    const launcher = installation.start({ PORT: 'x', PRODUCTION_PORT: 'y', DATABASE_URL: 'z' });
    expect(await launcher.exited).toBe(1);
    expect(launcher.output.trimEnd().split('\n')).toHaveLength(3);
  });
});
