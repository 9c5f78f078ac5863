/** `npm ci` as a newcomer sees it: no package complains about the Node that we say is enough. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromRoot } from '../src/platform/root';
import { atTheEnd } from './harness/flow/atTheEnd';

it('installs without a warning about the version of Node', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-engines-'));
  atTheEnd(() => rmSync(directory, { recursive: true }));
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(fromRoot(file), join(directory, file));
  // Everything that npm judges stands in the lock file, so nothing is fetched.
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { stdout, stderr } = await promisify(execFile)('npm', args, { cwd: directory, maxBuffer: 10_000_000 });
  expect(stdout).toContain('added');
  expect(stderr.split('\n').filter(line => line.includes('EBADENGINE'))).toEqual([]);
});
