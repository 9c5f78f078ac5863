/** `npm run migrate`: brings the database up to this program. */
import { readConfig } from './config';
import { run } from './lifetime';
import { createLog, withoutPassword } from './log';
import { migrate } from './migrations';
import { fromRoot } from './root';

run('migrate', async stop => {
  const { DATABASE_URL } = readConfig(['NODE_ENV', 'DATABASE_URL']);
  const log = createLog('migrate');
  log.info(`database ${withoutPassword(DATABASE_URL)}`);
  const applied = await migrate(DATABASE_URL, fromRoot('prisma/migrations'), stop);
  log.info(applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to apply');
});
