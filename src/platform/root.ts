import { join } from 'node:path';

/** The project's directory, seen from the sources in src/platform or from what is compiled into dist/src/platform. */
const root = join(__dirname, __dirname.endsWith(join('dist', 'src', 'platform')) ? '../../..' : '../..');

export const fromRoot = (...path: string[]): string => join(root, ...path);
