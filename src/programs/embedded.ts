/** `npm start`: PostgreSQL, Temporal, the API and the worker on one machine, without prior installation or setup. */
import { mkdir } from 'node:fs/promises';
import { claimDataDir, releaseDataDir } from '../local/childProcesses';
import { readSettings, refuseTakenPorts } from '../local/settings';
import { runProgram, untilStopped } from '../platform/lifetime';

runProgram('npm start', async stop => {
  const settings = readSettings();
  const { DATA_DIR: dataDir } = settings;
  // Under root the database runs as another user, who must be able to traverse this directory.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  // What is written from here on, by every part, is for its owner only.
  process.umask(0o077);
  await claimDataDir(dataDir);
  try {
    await refuseTakenPorts(settings);
    // Only now, so that a start that is refused answers at once.
    const { LocalStack } = await import('../local/localStack.js');
    const stack = await LocalStack.create(settings);
    const starting = stack.up();
    try {
      await Promise.race([starting, untilStopped(stop)]);
      await untilStopped(stop);
    } finally {
      await stack.down();
      await Promise.allSettled([starting]);
    }
  } finally {
    releaseDataDir(dataDir);
  }
});
