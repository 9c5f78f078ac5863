import { join } from 'node:path';

/** The project's directory, from the source file in src/platform or from the compiled one in dist/src/platform. */
const root = join(__dirname, __dirname.endsWith(join('dist', 'src', 'platform')) ? '../../..' : '../..');

export const fromRoot = (...path: string[]): string => join(root, ...path);
