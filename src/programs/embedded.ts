/** `npm start`: runs PostgreSQL, Temporal, the API and the worker on one machine, without installation or setup. */
import { mkdir } from 'node:fs/promises';
import { claimDataDir, releaseDataDir } from '../local/processes/childProcesses';
import { readSettings, refuseTakenPorts } from '../local/settings';
import { runProgram, untilStopped } from '../platform/lifetime';

runProgram('npm start', async stop => {
  const settings = readSettings();
  const { DATA_DIR: dataDir } = settings;
  // Started by root, the database runs as another user, which must be able to traverse this directory.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  // Inherited by all child processes: new files are readable by their owner only.
  process.umask(0o077);
  await claimDataDir(dataDir);
  try {
    await refuseTakenPorts(settings);
    // Imported here, so that a rejected start fails fast.
    const { serveStartingPage } = await import('../local/startingPage.js');
    const releasePort = await serveStartingPage(settings);
    const { LocalStack } = await import('../local/localStack.js');
    const stack = await LocalStack.create(settings, releasePort);
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
