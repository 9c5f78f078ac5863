/** `npm start`: PostgreSQL, Temporal, the API and the worker on one machine, with nothing to install or set up before. */
import { mkdir } from 'node:fs/promises';
import { letGo, takeOver } from '../embedded/childProcesses';
import { Household } from '../embedded/localStack';
import { readSettings } from '../embedded/settings';
import { run, stopped } from '../platform/lifetime';

run('npm start', async stop => {
  const settings = readSettings();
  const { DATA_DIR: dataDir } = settings;
  // Under root the database runs as another user, who must be able to pass.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await takeOver(dataDir);
  try {
    const household = await Household.found(settings);
    const rising = household.up();
    try {
      await Promise.race([rising, stopped(stop)]);
      await stopped(stop);
    } finally {
      await household.down();
      await Promise.allSettled([rising]);
    }
  } finally {
    letGo(dataDir);
  }
});
