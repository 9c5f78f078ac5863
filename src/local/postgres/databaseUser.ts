/** PostgreSQL refuses to run as root. Started by root, it runs as `nobody`, so that no user has to be created. */
import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface DatabaseUser {
  uid?: number;
  gid?: number;
  chown(path: string): void;
  /** Command line that runs a file as this user. */
  command(file: string, args: string[]): { file: string; args: string[]; uid?: number; gid?: number };
}

/** `paths` are the paths that the user must be able to access. */
export function databaseUser(paths: string[]): DatabaseUser {
  if (process.getuid?.() !== 0) return { chown: () => undefined, command: (file, args) => ({ file, args }) };
  const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })));
  if (uid === undefined || gid === undefined) throw new Error('id returned no user');
  const chown = (path: string): void => chownSync(path, uid, gid);
  if (paths.every(isReachable)) return { uid, gid, chown, command: (file, args) => ({ file, args, uid, gid }) };
  // Inside directories that only root can enter (/root, mktemp), the process gets the traverse capability.
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

/** Containers often drop the narrower capability but keep the wider one. */
function traverseCapability(): string {
  const bounding = /^CapBnd:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return BigInt(`0x${bounding}`) & 0b100n ? 'dac_read_search' : 'dac_override';
}
