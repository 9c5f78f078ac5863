/** PostgreSQL refuses to run as root. Started by root it runs as `nobody`, which needs neither a new user nor a right of its own. */
import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface DatabaseUser {
  uid?: number;
  gid?: number;
  own(path: string): void;
  /** The command line that runs a file as this account. */
  command(file: string, args: string[]): { file: string; args: string[]; uid?: number; gid?: number };
}

/** `paths` are what the account must be able to reach. */
export function databaseUser(paths: string[]): DatabaseUser {
  if (process.getuid?.() !== 0) return { own: () => undefined, command: (file, args) => ({ file, args }) };
  const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })));
  if (uid === undefined || gid === undefined) throw new Error('id answered nothing');
  const own = (path: string): void => chownSync(path, uid, gid);
  if (paths.every(reachable)) return { uid, gid, own, command: (file, args) => ({ file, args, uid, gid }) };
  // Below a directory that only root may enter (/root, one made by mktemp) it gets the one right that it lacks: to pass.
  const right = `+${passingRight()}`;
  const drop = [
    '--reuid',
    `${uid}`,
    '--regid',
    `${gid}`,
    '--clear-groups',
    '--inh-caps',
    right,
    '--ambient-caps',
    right,
  ];
  return { own, command: (file, args) => ({ file: 'setpriv', args: [...drop, '--', file, ...args] }) };
}

const reachable = (path: string): boolean =>
  path === '/' || ((statSync(path).mode & 0o001) !== 0 && reachable(dirname(path)));

/** Containers often take the narrower capability away and leave the wider one. */
function passingRight(): string {
  const bounding = /^CapBnd:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return BigInt(`0x${bounding}`) & 0b100n ? 'dac_read_search' : 'dac_override';
}
