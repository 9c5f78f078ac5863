/** What the embedded parts remember between starts: their ports, and the database's password. */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readJson, writeJson } from './jsonFile';
import { newPassword } from './postgres';

const ports = ['postgres_port', 'temporal_port', 'temporal_ui_port'] as const;

export type Memory = Record<(typeof ports)[number], number> & { postgres_password: string };

/** A remembered port that somebody else has taken meanwhile is given up for a free one. */
export async function remember(dataDir: string): Promise<Memory> {
  const path = join(dataDir, 'embedded.json');
  const known = readJson<Partial<Memory>>(path) ?? {};
  const memory = { postgres_password: known.postgres_password ?? newPassword() } as Memory;
  for (const name of ports) memory[name] = (await listenOnce(known[name] ?? 0)) ?? (await freePort());
  writeJson(path, memory);
  return memory;
}

export async function freePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined) throw new Error('this machine has no free port');
  return port;
}

export const isFree = async (port: number, host?: string): Promise<boolean> =>
  (await listenOnce(port, host)) !== undefined;

/** The port that was listened on for a moment; undefined when it is taken. */
function listenOnce(port: number, host = '127.0.0.1'): Promise<number | undefined> {
  return new Promise(resolve => {
    const server = createServer()
      .once('error', () => resolve(undefined))
      .listen(port, host, () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
      });
  });
}
