/** `npm run api`: the API process. It serves the sandbox at PORT and, where PRODUCTION_PORT is set, production there. */
import type { Environment } from '../prisma/generated/enums';
import { readConfig } from './config';
import { openDatabase } from './database';
import { Refusal, run, stopped } from './lifetime';
import { createLog, withoutPassword } from './log';
import { Keyring } from './merchants/keyring';
import { createServer } from './server';
import { openTemporal } from './temporal';

run('api', async stop => {
  const config = readConfig([
    'NODE_ENV',
    'HOST',
    'PORT',
    'PRODUCTION_PORT',
    'DATABASE_URL',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
    'API_KEY_SECRET',
  ]);
  const log = createLog('api');
  const db = openDatabase(config.DATABASE_URL, 5000);
  const temporal = openTemporal(config.TEMPORAL_ADDRESS, config.TEMPORAL_NAMESPACE);
  log.info(`database ${withoutPassword(config.DATABASE_URL)}`);
  log.info(`Temporal ${config.TEMPORAL_ADDRESS}, namespace ${config.TEMPORAL_NAMESPACE}`);

  const keyring = new Keyring(db, config.DATABASE_URL, config.API_KEY_SECRET);

  const doors: { environment: Environment; port: number }[] = [{ environment: 'sandbox', port: config.PORT }];
  if (config.PRODUCTION_PORT) doors.push({ environment: 'production', port: config.PRODUCTION_PORT });
  const servers = [];
  for (const { environment, port } of doors) {
    const server = createServer({ environment, db, temporal, keyring, log: log.child({ environment }) });
    await server
      .listen({ host: config.HOST, port, listenTextResolver: address => `${environment} at ${address}` })
      .catch(error => {
        throw error.code === 'EADDRINUSE' ? new Refusal(`Port ${port} is taken by another program.`) : error;
      });
    servers.push(server);
  }

  await stopped(stop);
  log.info('stopping: requests in flight are finished first');
  await Promise.all(servers.map(server => server.close()));
  await Promise.all([keyring.close(), db.$disconnect(), temporal.connection.close()]);
});
