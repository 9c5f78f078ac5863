/** `npm run migrate`: applies the migrations that the database lacks. */
import { repairAfterRestore } from '../database/afterRestore';
import { migrate } from '../database/migrations';
import { readConfig } from '../platform/config/config';
import { runProgram } from '../platform/lifetime';
import { createLog, withoutPassword } from '../platform/log';
import { fromRoot } from '../platform/root';

runProgram('migrate', async stop => {
  const { DATABASE_URL } = readConfig(['NODE_ENV', 'DATABASE_URL']);
  const log = createLog('migrate');
  log.info(`database ${withoutPassword(DATABASE_URL)}`);
  const applied = await migrate(DATABASE_URL, fromRoot('prisma/migrations'), stop);
  if (await repairAfterRestore(DATABASE_URL)) log.info('put what was restored from a dump in order');
  log.info(applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to apply');
});
