import { join } from 'node:path';

/** The project's directory, seen from the sources in src/ or from what is compiled into dist/src/. */
const root = join(__dirname, __dirname.endsWith(join('dist', 'src')) ? '../..' : '..');

export const fromRoot = (...path: string[]): string => join(root, ...path);
