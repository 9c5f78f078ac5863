/** Node versions: `npm ci` runs on the machine's Node, and all other commands on the Node of the lock file. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { fromRoot } from '../src/platform/root';
import { atTheEnd } from './harness/flow/atTheEnd';

it('npm installs without a warning about the Node version', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-engines-'));
  atTheEnd(() => rmSync(directory, { recursive: true }));
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(fromRoot(file), join(directory, file));
  // The lock file has all data for the check, so nothing is fetched.
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  // Runs on the machine's Node, which npm scripts do not use.
  const folders = process.env.PATH?.split(delimiter).filter(folder => !folder.endsWith(join('node_modules', '.bin')));
  const env = { ...process.env, PATH: folders?.join(delimiter) };
  const { stdout, stderr } = await promisify(execFile)('npm', args, { cwd: directory, env, maxBuffer: 10_000_000 });
  expect(stdout).toContain('added');
  expect(stderr.split('\n').filter(line => line.includes('EBADENGINE'))).toEqual([]);
});

it('npm scripts, the image and the version file name the same Node', () => {
  const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');
  const version = read('.node-version').trim();
  expect(new Set(Object.values(JSON.parse(read('package.json')).optionalDependencies))).toEqual(new Set([version]));
  expect(new Set([...read('Dockerfile').matchAll(/FROM node:([\d.]+)/g)].map(([, image]) => image))).toEqual(
    new Set([version]),
  );
  if (process.platform === 'linux') expect(process.versions.node).toBe(version);
});
