/**
 * Starts the two Temporal servers that are measured: the development server of `npm start`, and the production server
 * on PostgreSQL.
 */
import { reporter } from '../src/local/progress';
import { freePort } from '../src/local/savedPorts';
import { findTemporal } from '../src/local/temporal/binary';
import { temporalProcess } from '../src/local/temporal/server';
import { waitForTemporal } from '../src/local/temporal/waitForTemporal';
import { createLog } from '../src/platform/log';
import { NAMESPACE, type ServerPlace, startProductionServer, type TemporalServer } from './productionTemporal';

async function startDevelopmentServer(dataDir: string): Promise<TemporalServer> {
  const binary = await findTemporal(reporter('Temporal server'), new AbortController().signal);
  const [port, uiPort] = [await freePort(), await freePort()];
  const options = { dataDir, binary, port, uiPort, namespace: NAMESPACE, yields: true };
  const temporal = temporalProcess(options, createLog('bench'));
  const address = `127.0.0.1:${port}`;
  await temporal.up();
  await waitForTemporal(address, NAMESPACE);
  return { name: 'development server', address, down: () => temporal.down() };
}

/** Both, to be started one after the other. */
export const temporalServers = (place: ServerPlace) => [
  (): Promise<TemporalServer> => startDevelopmentServer(place.dataDir),
  (): Promise<TemporalServer> => startProductionServer(place),
];
