/** `npm run migrate`: applies pending migrations. */
import { readConfig } from '../platform/config/config';
import { repairAfterRestore } from '../platform/database/afterRestore';
import { migrate } from '../platform/database/migrations';
import { runProgram } from '../platform/lifetime';
import { announcePrivateNetworks, createLog, withoutPassword } from '../platform/log';
import { setVisibilityIndexes } from '../platform/patches/temporalIndexes';
import { fromRoot } from '../platform/root';
import { programVariables } from './variables';

runProgram('migrate', async stop => {
  const config = readConfig(programVariables.migrate);
  const { DATABASE_URL } = config;
  const log = createLog('migrate');
  announcePrivateNetworks(config, log);
  log.info(`database ${withoutPassword(DATABASE_URL)}`);
  const applied = await migrate(DATABASE_URL, fromRoot('prisma/migrations'), { stop });
  if (await repairAfterRestore(DATABASE_URL)) log.info('repaired transaction ids after a restore from a dump');
  log.info(applied.length > 0 ? `applied ${applied.join(', ')}` : 'no pending migrations');
  const { TEMPORAL_VISIBILITY_URL: visibilityUrl, TEMPORAL_VISIBILITY_INDEXES: kind } = config;
  if (!visibilityUrl) return;
  const changed = await setVisibilityIndexes(visibilityUrl, kind);
  log.info(`Temporal's visibility database has ${kind} indexes, ${changed} of them new`);
});
