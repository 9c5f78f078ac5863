import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { cachedBinary } from '../../src/embedded/temporal/binary';
import { testDatabase } from '../harness/servers/database';
import { cleanUpAfterwards, Home } from '../harness/servers/localInstallation';
import { get, getUntil } from '../harness/servers/program';
import { temporalAddress, testNamespace } from '../harness/servers/temporal';

cleanUpAfterwards();

/** No server on the PATH or in the cache, and a network that refuses: only what the test adds is there. */
const nothingAtHand = (home: Home, ...path: string[]) => ({
  PATH: [...path, dirname(process.execPath), '/usr/sbin', '/usr/bin', '/bin'].join(':'),
  XDG_CACHE_HOME: join(home.dataDir, 'cache'),
  HTTPS_PROXY: 'http://127.0.0.1:9',
});

function executable(home: Home, name: string, script: string): string {
  const directory = mkdtempSync(join(home.dataDir, 'bin-'));
  writeFileSync(join(directory, name), script);
  chmodSync(join(directory, name), 0o755);
  return directory;
}

/** The real server, wherever this test run has it from. */
const realTemporal = (): string =>
  existsSync(cachedBinary())
    ? cachedBinary()
    : execFileSync('sh', ['-c', 'command -v temporal'], { encoding: 'utf8' }).trim();

describe('npm start with parts given from outside', () => {
  const database = testDatabase('empty');
  const namespace = testNamespace();

  it('uses DATABASE_URL, TEMPORAL_ADDRESS and SMTP_URL and starts none of its own', async () => {
    const home = await Home.make();
    const launcher = home.start({
      DATABASE_URL: database.url(),
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: namespace.name,
      SMTP_URL: 'smtp://user:hunter2@mail.example.com',
    });
    await launcher.says('Temporal UI   (that of the server given by TEMPORAL_ADDRESS)');
    await getUntil(`${home.url}/ready`, 200);
    expect(await home.json()).toMatchObject({
      database_url: database.url(),
      temporal_address: temporalAddress(),
      temporal_ui_url: null,
      temporal_namespace: namespace.name,
      mail_url: null,
    });
    expect(launcher.output).toContain('mail          (handed to the server given by SMTP_URL)');
    expect(launcher.output).not.toContain('hunter2');
    expect(existsSync(join(home.dataDir, 'postgres'))).toBe(false);
    expect(existsSync(join(home.dataDir, 'temporal.db'))).toBe(false);
    expect(existsSync(join(home.dataDir, 'mail'))).toBe(false);
    expect(await launcher.stop()).toBe(0);
  });
});

describe('npm start and where its Temporal server comes from', () => {
  it('takes the one on the PATH', async () => {
    const home = await Home.make();
    const directory = mkdtempSync(join(home.dataDir, 'bin-'));
    symlinkSync(realTemporal(), join(directory, 'temporal'));
    const launcher = home.start(nothingAtHand(home, directory));
    await launcher.says(/Temporal UI {3}http/);
    expect(launcher.output).not.toContain('Temporal server:');
    expect(await launcher.stop()).toBe(0);
  });

  it('says what was tried and what to do when there is none, and serves the API all the same', async () => {
    const home = await Home.make();
    const launcher = home.start(nothingAtHand(home));
    await launcher.says('The API keeps running; what needs Temporal waits.');
    expect(launcher.output).toContain('`temporal` on the PATH: not found');
    expect(launcher.output).toContain(`the cache (${join(home.dataDir, 'cache/recaudo')}`);
    expect(launcher.output).toMatch(/- the download: .+/);
    expect(launcher.output).toContain('- the build with Go: Go is not installed');
    expect(launcher.output).toContain('set TEMPORAL_ADDRESS to a server of your own');
    expect(await getUntil(`${home.url}/ready`, 503)).toEqual({
      status: 503,
      body: { database: 'up', temporal: 'down', worker: 'down' },
    });
    expect(await get(`${home.url}/health`)).toMatchObject({ status: 200 });
    expect(await launcher.stop()).toBe(0);
  });

  it('answers while the server is being built, tells how far that is, and keeps what was built', async () => {
    const home = await Home.make();
    // Stands in for minutes of compiling: lists three packages, compiles until it is told to end, and hands out the real server.
    const gate = join(home.dataDir, 'gate');
    const directory = executable(
      home,
      'go',
      `#!/bin/sh
       if [ "$1" = list ]; then echo a; echo b; echo c; exit 0; fi
       echo a >&2
       while [ ! -e '${gate}' ]; do sleep 0.1; done
       while [ "$1" != -o ]; do shift; done
       cp '${realTemporal()}' "$2"`,
    );
    const launcher = home.start(nothingAtHand(home, directory));
    await launcher.says('Temporal server: building with Go (first time only, some minutes): 1 of 3 packages compiled');
    await getUntil(`${home.url}/health`, 200);
    expect(await get(`${home.url}/ready`)).toMatchObject({ status: 503, body: { database: 'up', temporal: 'down' } });
    writeFileSync(gate, '');
    await launcher.says(/Temporal UI {3}http/);
    await getUntil(`${home.url}/ready`, 200);
    expect(await launcher.stop()).toBe(0);

    const again = home.start(nothingAtHand(home));
    await again.says(/Temporal UI {3}http/);
    expect(await again.stop()).toBe(0);
  });
});

describe('npm start refuses', () => {
  it('a DATA_DIR on which it already runs', async () => {
    const home = await Home.make();
    const first = home.start({ TEMPORAL_ADDRESS: temporalAddress() });
    await getUntil(`${home.url}/health`, 200);
    const second = home.start({ PORT: '1' });
    expect(await second.exited).toBe(1);
    expect(second.output).toBe(
      `recaudo already runs on ${home.dataDir} (process ${first.process.pid}). Stop it, or set another DATA_DIR and PORT.\n`,
    );
    expect(await get(`${home.url}/health`)).toMatchObject({ status: 200 });
    expect(await first.stop()).toBe(0);
  });

  it('a port that is taken', async () => {
    const home = await Home.make();
    const other = createServer().listen(home.port, '127.0.0.1');
    const launcher = home.start();
    expect(await launcher.exited).toBe(1);
    expect(launcher.output).toBe(`Port ${home.port} is taken: set PORT to another one.\n`);
    other.close();
  });

  it('an address that this machine does not have', async () => {
    const home = await Home.make();
    const launcher = home.start({ HOST: '192.0.2.7' });
    expect(await launcher.exited).toBe(1);
    expect(launcher.output).toBe(`The API cannot listen on HOST 192.0.2.7, port ${home.port}: EADDRNOTAVAIL.\n`);
  });

  it('a remembered state that cannot be read, and a database whose password is lost', async () => {
    const home = await Home.make();
    const env = { TEMPORAL_ADDRESS: temporalAddress() };
    const first = home.start(env);
    await getUntil(`${home.url}/health`, 200);
    await first.stop();
    const file = join(home.dataDir, 'embedded.json');
    writeFileSync(file, '{');
    const unreadable = home.start(env);
    expect(await unreadable.exited).toBe(1);
    expect(unreadable.output).toContain(`${file} cannot be read`);
    rmSync(file);
    const locked = home.start(env);
    expect(await locked.exited).toBe(1);
    expect(locked.output).toContain('holds a database whose password is not the one in its embedded.json');
  });

  it('production, and tells what to run there', async () => {
    const home = await Home.make();
    const launcher = home.start({ NODE_ENV: 'production', API_KEY_SECRET: 'x'.repeat(32) });
    expect(await launcher.exited).toBe(1);
    expect(launcher.output).toContain('not for production: run migrate, api and worker');
  });

  it('variables that are wrong, all at once', async () => {
    const home = await Home.make();
    mkdirSync(join(home.dataDir, 'untouched'));
    const launcher = home.start({ PORT: 'x', PRODUCTION_PORT: 'y', DATABASE_URL: 'z' });
    expect(await launcher.exited).toBe(1);
    expect(launcher.output.trimEnd().split('\n')).toHaveLength(3);
  });
});
