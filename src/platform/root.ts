/** Where the program lies, and which build of it this is. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's directory, from the source file in src/platform or from the compiled one in dist/src/platform. */
const root = join(__dirname, __dirname.endsWith(join('dist', 'src', 'platform')) ? '../../..' : '../..');

export const fromRoot = (...path: string[]): string => join(root, ...path);

export const programVersion = (): string => JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')).version;

/** The version with a hash of what was compiled, since two builds of one version may differ. */
export function programBuild(): string {
  const hash = createHash('sha256');
  const files = readdirSync(fromRoot('dist/src'), { recursive: true, encoding: 'utf8' });
  const compiled = files.filter(name => name.endsWith('.js')).map(name => `dist/src/${name}`);
  for (const file of ['dist/workflows/bundle.js', ...compiled.sort()]) hash.update(readFileSync(fromRoot(file)));
  return `${programVersion()}+${hash.digest('hex').slice(0, 8)}`;
}
