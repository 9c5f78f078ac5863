/** DATA_DIR/embedded.json: ports of the embedded processes and the database password, kept between starts. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { FatalError } from '../platform/lifetime';
import { readJson, writeJson } from './jsonFile';
import { newPassword } from './postgres/server';

const PORT_NAMES = [
  'postgres_port',
  'temporal_port',
  'temporal_ui_port',
  'acquirer_port',
  'production_port',
  'smtp_port',
  'mail_port',
  'metrics_port',
  'api_metrics_port',
  'worker_metrics_port',
  'temporal_metrics_port',
] as const;

export type SavedPorts = Record<(typeof PORT_NAMES)[number] | 'temporal_ui_hidden_port', number> & {
  postgres_password: string;
};

/** Replaces saved ports that are in use. Never selects `reserved` ports. */
export async function loadPorts(dataDir: string, reserved: (number | undefined)[]): Promise<SavedPorts> {
  const path = join(dataDir, 'embedded.json');
  const previous = readJson<Partial<SavedPorts>>(path) ?? {};
  const saved = { postgres_password: previous.postgres_password ?? newPassword() } as SavedPorts;
  for (const name of PORT_NAMES) {
    const port = previous[name];
    saved[name] = port && !reserved.includes(port) && (await isFree(port)) ? port : await freePort(reserved);
    reserved.push(saved[name]);
  }
  saved.temporal_ui_hidden_port = await portHiddenFromBrowsers(previous.temporal_ui_hidden_port);
  writeJson(path, saved);
  return saved;
}

/** Ports to which no browser connects: https://fetch.spec.whatwg.org/#port-blocking */
const PORTS_HIDDEN_FROM_BROWSERS = [
  3659, 4045, 4190, 5060, 5061, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
];

async function portHiddenFromBrowsers(preferred?: number): Promise<number> {
  const ports = [...PORTS_HIDDEN_FROM_BROWSERS].sort(() => randomInt(3) - 1);
  for (const port of [preferred ?? 0, ...ports])
    if (PORTS_HIDDEN_FROM_BROWSERS.includes(port) && (await isFree(port))) return port;
  throw new FatalError(
    `All of these ports are in use: ${PORTS_HIDDEN_FROM_BROWSERS.join(', ')}. Stop a program on one.`,
  );
}

/** Below the ephemeral range, so that the port is probably still free at the next start. */
export async function freePort(reserved: (number | undefined)[] = []): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (!PORTS_HIDDEN_FROM_BROWSERS.includes(port) && !reserved.includes(port) && (await isFree(port))) return port;
  }
}

const isFree = async (port: number): Promise<boolean> => (await listeningError(port, '127.0.0.1')) === undefined;

/** Error code of listening on this port; undefined if it is free. */
export function listeningError(port: number, host: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const server = createServer()
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
