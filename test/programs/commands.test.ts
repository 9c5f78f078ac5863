/** bin/recaudo, with which npm scripts and containers start the programs. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../../src/platform/root';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { testPort } from '../harness/servers/port';
import { apiVariables } from '../harness/world/secrets';

const { PATH = '', HOME = '' } = process.env;
const bin = fromRoot('bin/recaudo');

function run(args: string[], env: Record<string, string> = {}, file = bin) {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: { PATH, HOME, ...env } });
  return { status, stdout, stderr };
}

it('bin/recaudo lists its commands', () => {
  const { status, stdout } = run(['--help']);
  const commands = [...stdout.matchAll(/^ {2}([a-z ]+?) {2}/gm)].map(([, name]) => name);
  expect(commands).toEqual([
    'start',
    'api',
    'worker',
    'migrate',
    'simulator',
    'mailbox',
    'merchant',
    'operator',
    'audit',
    'vault rotate',
    'check',
  ]);
  expect(status).toBe(0);
});

it.each([
  [['charge'], 'Unknown command: charge\n'],
  [['vault'], 'Unknown command: vault\n'],
  [[], 'Usage: recaudo <command>'],
])('bin/recaudo refuses %j with exit code 2', (args, text) => {
  expect(run(args)).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining(text) });
});

it('bin/recaudo explains a command without running it', () => {
  expect(run(['migrate', '--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('recaudo migrate: ') });
  expect(run(['merchant', '--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('rotate-keys') });
});

it('bin/recaudo passes arguments and exit codes through', () => {
  const { status, stderr } = run(['check', 'apis']);
  expect([status, stderr]).toEqual([1, expect.stringContaining('Unknown program apis.')]);
  expect(run(['check', 'simulator'], { ACQUIRER_KEY: 'a key that nobody else has, 32 characters' })).toMatchObject({
    status: 0,
    stdout: 'The environment is valid for production: simulator.\n',
  });
});

it.each(['worker', 'simulator'])('%s stops after SIGTERM with exit code 0', async command => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-commands-'));
  atTheEnd(() => rmSync(directory, { recursive: true }));
  const env = {
    ...apiVariables,
    DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/recaudo',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    ACQUIRER_PORT: `${await testPort()}`,
    ACQUIRER_JOURNAL: join(directory, 'journal.ndjson'),
  };
  const child = spawn(bin, [command], { env: { PATH, HOME, ...env } });
  atTheEnd(() => child.kill('SIGKILL'));
  const code = new Promise(resolve => child.once('exit', (status, signal) => resolve(signal ?? status)));
  const started = new Promise(resolve => child.stdout.once('data', resolve));
  expect(await Promise.race([started.then(() => 'started'), code])).toBe('started');
  child.kill('SIGTERM');
  expect(await code).toBe(0);
});

it('bin/recaudo builds nothing if there are no sources', () => {
  const copy = mkdtempSync(join(tmpdir(), 'recaudo-image-'));
  atTheEnd(() => rmSync(copy, { recursive: true }));
  cpSync(bin, join(copy, 'bin/recaudo'));
  expect(run(['check'], {}, join(copy, 'bin/recaudo'))).toEqual({
    status: 1,
    stdout: '',
    stderr: 'recaudo is not built. Run npm ci && npm run build.\n',
  });
});
