/** DATA_DIR/embedded.json: ports of the embedded processes and the database password, kept between starts. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readJson, writeJson } from './jsonFile';
import { newPassword } from './postgres/server';

const PORT_NAMES = [
  'postgres_port',
  'temporal_port',
  'temporal_ui_port',
  'acquirer_port',
  'smtp_port',
  'mail_port',
  'metrics_port',
  'api_metrics_port',
  'worker_metrics_port',
  'temporal_metrics_port',
] as const;

export type SavedPorts = Record<(typeof PORT_NAMES)[number], number> & { postgres_password: string };

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
  writeJson(path, saved);
  return saved;
}

/** Ports in this range that browsers and fetch block. */
const REFUSED_PORT = 10_080;

/** Below the ephemeral range, so that the port is probably still free at the next start. */
export async function freePort(reserved: (number | undefined)[] = []): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (port !== REFUSED_PORT && !reserved.includes(port) && (await isFree(port))) return port;
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
