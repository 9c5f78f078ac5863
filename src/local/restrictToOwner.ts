import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Of another user under root, and PostgreSQL itself sees to it that nobody else can read it. */
const CLUSTER = /^postgres(\.new-\d+)?$/;

/** Earlier releases left logs and the journal readable by everybody. */
export async function restrictToOwner(directory: string, isTop = true): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if ((isTop && CLUSTER.test(entry.name)) || entry.isSymbolicLink()) continue;
    const path = join(directory, entry.name);
    await removeOthers(path).catch(ignoreIfGone);
    if (entry.isDirectory()) await restrictToOwner(path, false).catch(ignoreIfGone);
  }
}

const removeOthers = async (path: string): Promise<void> => chmod(path, (await stat(path)).mode & 0o700);

/** What a launcher that was killed has started may still be clearing up. */
function ignoreIfGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
