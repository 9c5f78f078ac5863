/**
 * The build of the commit in `.ci/previous`, made from git like that commit's own build. `none` stands for HEAD, which
 * is the first release until there is a second one.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../../../src/platform/root';
import { atTheEnd } from '../flow/atTheEnd';

const HELP = 'This test needs the git history of the project: clone it, or run `git fetch --unshallow origin`.';

/** A long timeout, which only a broken build reaches. */
const BUILD_TIMEOUT_MS = 900_000;

const lockfile = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');
const run = (file: string, args: string[], cwd: string): Buffer =>
  execFileSync(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 30 });

/** Call once in a test file. Returns the directory when the tests run. */
export function previousBuild(): () => string {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-previous-'));
  beforeAll(() => {
    atTheEnd(() => rmSync(directory, { recursive: true, force: true }));
    execFileSync('tar', ['-x', '-C', directory], { input: archive(readFileSync(fromRoot('.ci/previous'), 'utf8')) });
    if (lockfile(directory) === lockfile(fromRoot()))
      symlinkSync(fromRoot('node_modules'), join(directory, 'node_modules'));
    else installPackages(directory);
    run('npm', ['run', '--silent', 'build'], directory);
  }, BUILD_TIMEOUT_MS);
  return () => directory;
}

/** The packages that differ from the current ones: the common packages are linked, so that little is downloaded. */
function installPackages(directory: string): void {
  const packages = fromRoot('node_modules');
  try {
    run('cp', ['-al', packages, directory], directory);
  } catch {
    // Hard links fail across file systems.
    run('cp', ['-R', packages, directory], directory);
  }
  const quietly = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  execFileSync('npm', ['install', ...quietly], { cwd: directory, stdio: 'inherit' });
}

function archive(name: string): Buffer {
  const commit = name.trim() === 'none' ? 'HEAD' : name.trim();
  try {
    return run('git', ['archive', '--format=tar', commit], fromRoot());
  } catch (cause) {
    throw new Error(`Commit ${commit}, which .ci/previous names, cannot be read. ${HELP}`, { cause });
  }
}
