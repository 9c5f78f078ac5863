import { type Config, readConfig } from '../platform/config/config';
import { FatalError } from '../platform/lifetime';
import { listeningError } from './savedPorts';

const REQUIRED_VARIABLES = [
  'NODE_ENV',
  'HOST',
  'PORT',
  'PRODUCTION_PORT',
  'TEMPORAL_NAMESPACE',
  'METRICS_PORT',
  'DATA_DIR',
] as const;
/** `npm start` does not start a service whose address is set here. */
const EXTERNAL_PART_VARIABLES = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'ACQUIRER_URL', 'SMTP_URL'] as const;

export type Settings = Config<(typeof REQUIRED_VARIABLES)[number]> &
  Partial<Config<(typeof EXTERNAL_PART_VARIABLES)[number]>> & {
    /** `npm start -- --open` */
    opensPage: boolean;
    /** `npm start -- --verbose` */
    isVerbose: boolean;
    /** `npm start -- --production` */
    hasProduction: boolean;
  };

export function readSettings(): Settings {
  const names = [...REQUIRED_VARIABLES, ...EXTERNAL_PART_VARIABLES.filter(name => process.env[name])];
  const has = (option: string): boolean => process.argv.includes(`--${option}`);
  const settings = {
    ...readConfig(names),
    opensPage: has('open'),
    isVerbose: has('verbose'),
    hasProduction: has('production'),
  };
  if (settings.NODE_ENV === 'production') {
    throw new FatalError(
      'npm start is not for production. Run migrate, api and worker instead (see docs/operating.md). To try production on this machine, run npm start -- --production without NODE_ENV.',
    );
  }
  return settings;
}

/** Local URL of the API at this port. */
export function urlOf({ HOST }: Settings, port: number): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export async function refuseTakenPorts({ HOST, PORT, PRODUCTION_PORT }: Settings): Promise<void> {
  for (const [name, port] of Object.entries({ PORT, PRODUCTION_PORT })) {
    const problem = port && (await listeningError(port, HOST));
    if (problem === 'EADDRINUSE') throw new FatalError(`Port ${port} is in use. Set ${name} to another port.`);
    if (problem) throw new FatalError(`The API cannot listen on HOST ${HOST}, port ${port}: ${problem}.`);
  }
}
