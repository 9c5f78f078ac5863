import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directories: string[] = [];

/** Writes a file for one test file, and returns its path. */
export function temporaryFile(name: string, content: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-file-'));
  directories.push(directory);
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});
