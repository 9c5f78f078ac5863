/** `npm run simulator`: the sandbox's simulated acquirer, a separate server with its own journal. */
import { addBankPages } from '../local/simulator/bankPage';
import { Notifier } from '../local/simulator/notifier';
import { createAcquirer } from '../local/simulator/server';
import { ReportSender } from '../local/simulator/settlement/sender';
import { SimulatedAcquirer } from '../local/simulator/simulatedAcquirer';
import { readConfig } from '../platform/config/config';
import { FatalError, runProgram, untilStopped } from '../platform/lifetime';
import { createLog } from '../platform/log';
import { programVariables } from './variables';

runProgram('simulator', async stop => {
  const config = readConfig(programVariables.simulator);
  const log = createLog('simulator');
  const acquirer = await SimulatedAcquirer.open(config.ACQUIRER_JOURNAL, config.ACQUIRER_KEY);
  const { ACQUIRER_KEY: key, ACQUIRER_PORT: port, NOTIFICATION_URL } = config;
  const notifier = new Notifier(acquirer.payers, () => NOTIFICATION_URL, key, log);
  const publicUrl = config.ACQUIRER_PUBLIC_URL?.replace(/\/$/, '') ?? `http://127.0.0.1:${port}`;
  const reportSender = new ReportSender(acquirer.reports, notifier, log);
  const server = createAcquirer(acquirer, key, log, { notifier, reportSender }, () => publicUrl);
  addBankPages(server, acquirer.payers, notifier);
  const address = await server.listen({ host: config.HOST, port }).catch(error => {
    throw error.code === 'EADDRINUSE' ? new FatalError(`Port ${port} is in use by another program.`) : error;
  });
  log.info(`simulated acquirer at ${address}, journal ${config.ACQUIRER_JOURNAL}`);
  notifier.resume();
  reportSender.resume();
  await untilStopped(stop);
  await server.close();
  await reportSender.close();
  await notifier.close();
  await acquirer.close();
});
