import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import { readConfig } from './config/config';

export type Log = Logger;

/** Readable lines in a terminal, JSON everywhere else. */
export function createLog(name: string): Log {
  const options = { name, level: readConfig(['LOG_LEVEL']).LOG_LEVEL };
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }));
}

export function withoutPassword(url: string): string {
  const redacted = new URL(url);
  redacted.password = '';
  return redacted.toString();
}

/** Logged at every start because these networks are trusted. */
export function announcePrivateNetworks(
  { PRIVATE_NETWORKS }: { PRIVATE_NETWORKS: string[] | undefined },
  log: Log,
): void {
  if (PRIVATE_NETWORKS) log.info(`config: trusted as local: PRIVATE_NETWORKS=${PRIVATE_NETWORKS.join(',')}`);
}
