/** The measured Temporal servers: the development server of `npm start`, and the production server on PostgreSQL. */
import { ensureNamespace } from '../src/local/temporal/namespace';
import { installProductionTemporal } from '../src/local/temporal/production';
import type { BenchEnvironment } from './environment';

export interface TemporalServer {
  name: string;
  address: string;
  down(): Promise<void>;
}

export async function startDevelopmentServer({ stack }: BenchEnvironment): Promise<TemporalServer> {
  const address = await stack.startTemporal();
  await ensureNamespace(address);
  return { name: 'development server', address, down: async () => stack.find('temporal')?.down() };
}

export async function startProductionServer({ stack, databaseUrl }: BenchEnvironment): Promise<TemporalServer> {
  const temporal = await installProductionTemporal({ dataDir: stack.dataDir, databaseUrl, yields: true });
  const server = await stack.start(temporal.newProcess());
  const down = async (): Promise<void> => {
    await server.down();
    await temporal.dropDatabases();
  };
  return { name: 'production server', address: temporal.address, down };
}
