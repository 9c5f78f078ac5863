/** What the embedded parts remember between starts: their ports, and the database's password. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readJson, writeJson } from './jsonFile';
import { newPassword } from './postgres';

const ports = [
  'postgres_port',
  'temporal_port',
  'temporal_ui_port',
  'acquirer_port',
  'smtp_port',
  'mail_port',
] as const;

export type SavedPorts = Record<(typeof ports)[number], number> & { postgres_password: string };

/** A remembered port that somebody else has taken meanwhile is given up for a free one. `except` are ports that will be needed. */
export async function loadPorts(dataDir: string, except: (number | undefined)[]): Promise<SavedPorts> {
  const path = join(dataDir, 'embedded.json');
  const known = readJson<Partial<SavedPorts>>(path) ?? {};
  const memory = { postgres_password: known.postgres_password ?? newPassword() } as SavedPorts;
  for (const name of ports) {
    const port = known[name];
    memory[name] = port && !except.includes(port) && (await isFree(port)) ? port : await freePort(except);
    except.push(memory[name]);
  }
  writeJson(path, memory);
  return memory;
}

/** Below the range from which systems take the ports of outgoing connections, so that it is still free at the next start. */
export async function freePort(except: (number | undefined)[] = []): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (!except.includes(port) && (await isFree(port))) return port;
  }
}

const isFree = async (port: number): Promise<boolean> => (await listeningError(port, '127.0.0.1')) === undefined;

/** Why this port cannot be listened on; undefined when it can. */
export function listeningError(port: number, host: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const server = createServer()
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
