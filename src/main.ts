/** `npm run api`: the API process. It serves the sandbox at PORT and, where PRODUCTION_PORT is set, production there. */
import type { Environment } from '../prisma/generated/enums';
import { HttpAcquirer } from './acquirer/client';
import { readConfig } from './config';
import { openDatabase } from './database';
import { Refusal, run, stopped } from './lifetime';
import { createLog, withoutPassword } from './log';
import { Keyring } from './merchants/keyring';
import { createServer } from './server';
import { openTemporal } from './temporal';
import { vaultKeys } from './vault/keys';

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
    'VAULT_KEYS',
    'VAULT_FINGERPRINT_KEY',
    'ACQUIRER_URL',
    'ACQUIRER_KEY',
    'PRODUCTION_ACQUIRER_URL',
    'PRODUCTION_ACQUIRER_KEY',
  ]);
  const log = createLog('api');
  const db = openDatabase(config.DATABASE_URL, 5000);
  const temporal = openTemporal(config.TEMPORAL_ADDRESS, config.TEMPORAL_NAMESPACE);
  log.info(`database ${withoutPassword(config.DATABASE_URL)}`);
  log.info(`Temporal ${config.TEMPORAL_ADDRESS}, namespace ${config.TEMPORAL_NAMESPACE}`);

  const keyring = new Keyring(db, config.DATABASE_URL, config.API_KEY_SECRET);

  const vault = vaultKeys(config.VAULT_KEYS, config.VAULT_FINGERPRINT_KEY);

  const { PRODUCTION_PORT, PRODUCTION_ACQUIRER_URL: url = '', PRODUCTION_ACQUIRER_KEY: key = '' } = config;
  const sandbox = { port: config.PORT, url: config.ACQUIRER_URL, key: config.ACQUIRER_KEY };
  const doors: [Environment, typeof sandbox][] = [['sandbox', sandbox]];
  if (PRODUCTION_PORT) doors.push(['production', { port: PRODUCTION_PORT, url, key }]);
  const servers = [];
  const acquirers = [];
  for (const [environment, { port, ...address }] of doors) {
    const own = log.child({ environment });
    const acquirer = new HttpAcquirer({ ...address, vault, log: own });
    acquirers.push(acquirer);
    const server = createServer({ environment, db, temporal, keyring, vault, acquirer, log: own });
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
  await Promise.all([
    keyring.close(),
    db.$disconnect(),
    temporal.connection.close(),
    ...acquirers.map(acquirer => acquirer.close()),
  ]);
});
