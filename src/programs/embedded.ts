/** `npm start`: PostgreSQL, Temporal, the API and the worker on one machine, with nothing to install or set up before. */
import { mkdir } from 'node:fs/promises';
import { claimDataDir, releaseDataDir } from '../embedded/childProcesses';
import { LocalStack } from '../embedded/localStack';
import { readSettings } from '../embedded/settings';
import { runProgram, untilStopped } from '../platform/lifetime';

runProgram('npm start', async stop => {
  const settings = readSettings();
  const { DATA_DIR: dataDir } = settings;
  // Under root the database runs as another user, who must be able to pass.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await claimDataDir(dataDir);
  try {
    const household = await LocalStack.create(settings);
    const rising = household.up();
    try {
      await Promise.race([rising, untilStopped(stop)]);
      await untilStopped(stop);
    } finally {
      await household.down();
      await Promise.allSettled([rising]);
    }
  } finally {
    releaseDataDir(dataDir);
  }
});
