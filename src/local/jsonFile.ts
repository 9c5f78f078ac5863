import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { FatalError } from '../platform/lifetime';

/** Undefined when there is no such file. */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new FatalError(`${path} cannot be read (${(error as Error).message}): mend or delete it.`);
  }
}

/** Written atomically, and readable by its owner only. */
export function writeJson(path: string, content: object): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
