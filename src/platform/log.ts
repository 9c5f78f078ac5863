import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import { readConfig } from './config';

export type Log = Logger;

/** Lines for people in a terminal, JSON for machines everywhere else. */
export function createLog(part: string): Log {
  const options = { name: part, level: readConfig(['LOG_LEVEL']).LOG_LEVEL };
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }));
}

/** An address without its password. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.toString();
}
