/** PostgreSQL refuses to run as root. When root starts it, it runs as `nobody`, so that no user has to be created. */
import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface DatabaseUser {
  uid?: number;
  gid?: number;
  chown(path: string): void;
  /** The command line that runs a file as this user. */
  command(file: string, args: string[]): { file: string; args: string[]; uid?: number; gid?: number };
}

/** `paths` are what the user must be able to reach. */
export function databaseUser(paths: string[]): DatabaseUser {
  if (process.getuid?.() !== 0) return { chown: () => undefined, command: (file, args) => ({ file, args }) };
  const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })));
  if (uid === undefined || gid === undefined) throw new Error('id answered nothing');
  const chown = (path: string): void => chownSync(path, uid, gid);
  if (paths.every(isReachable)) return { uid, gid, chown, command: (file, args) => ({ file, args, uid, gid }) };
  // Below a directory that only root may enter (/root, one made by mktemp) the process gets the traverse capability.
  const capability = `+${traverseCapability()}`;
  const setprivFlags = [
    '--reuid',
    `${uid}`,
    '--regid',
    `${gid}`,
    '--clear-groups',
    '--inh-caps',
    capability,
    '--ambient-caps',
    capability,
  ];
  return { chown, command: (file, args) => ({ file: 'setpriv', args: [...setprivFlags, '--', file, ...args] }) };
}

const isReachable = (path: string): boolean =>
  path === '/' || ((statSync(path).mode & 0o001) !== 0 && isReachable(dirname(path)));

/** Containers often drop the narrower capability and keep the wider one. */
function traverseCapability(): string {
  const bounding = /^CapBnd:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return BigInt(`0x${bounding}`) & 0b100n ? 'dac_read_search' : 'dac_override';
}
