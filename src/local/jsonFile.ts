import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { FatalError } from '../platform/lifetime';

/** Undefined if the file does not exist. */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new FatalError(`Cannot read ${path}: ${(error as Error).message}. Repair or delete it.`);
  }
}

/** Writes atomically; readable by the owner only. */
export function writeJson(path: string, content: object): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
