import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's directory. This file runs from src/platform or, compiled, from dist/src/platform. */
const root = join(__dirname, __dirname.endsWith(join('dist', 'src', 'platform')) ? '../../..' : '../..');

export const fromRoot = (...path: string[]): string => join(root, ...path);

export const programVersion = (): string => JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')).version;

/** The version with a hash of the compiled files, because two builds of one version may differ. */
export function programBuild(): string {
  const hash = createHash('sha256');
  const files = readdirSync(fromRoot('dist/src'), { recursive: true, encoding: 'utf8' });
  const compiled = files.filter(name => name.endsWith('.js')).map(name => `dist/src/${name}`);
  for (const file of ['dist/workflows/bundle.js', ...compiled.sort()]) hash.update(readFileSync(fromRoot(file)));
  return `${programVersion()}+${hash.digest('hex').slice(0, 8)}`;
}
