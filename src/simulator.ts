/** `npm run simulator`: the simulated acquirer of the sandbox, a server of its own with a journal of its own. */
import { readConfig } from './config';
import { Refusal, run, stopped } from './lifetime';
import { createLog } from './log';
import { Bank } from './sandbox/bank';
import { notifier } from './sandbox/notify';
import { createAcquirer } from './sandbox/server';

run('simulator', async stop => {
  const config = readConfig([
    'NODE_ENV',
    'HOST',
    'ACQUIRER_PORT',
    'ACQUIRER_KEY',
    'ACQUIRER_JOURNAL',
    'NOTIFICATION_URL',
  ]);
  const log = createLog('simulator');
  const bank = await Bank.open(config.ACQUIRER_JOURNAL, config.ACQUIRER_KEY);
  const server = createAcquirer(bank, config.ACQUIRER_KEY, log, notifier(config.NOTIFICATION_URL, config.ACQUIRER_KEY));
  const address = await server.listen({ host: config.HOST, port: config.ACQUIRER_PORT }).catch(error => {
    throw error.code === 'EADDRINUSE'
      ? new Refusal(`Port ${config.ACQUIRER_PORT} is taken by another program.`)
      : error;
  });
  log.info(`simulated acquirer at ${address}, journal ${config.ACQUIRER_JOURNAL}`);
  await stopped(stop);
  await server.close();
  await bank.close();
});
