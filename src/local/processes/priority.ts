/** Lower CPU priority of child processes, so that renewals do not delay requests. */
import { writeFileSync } from 'node:fs';

const NICENESS = '10';

/** Set at startup: changing the priority later does not affect existing threads. */
export const yielding = (file: string, args: string[]): [string, string[]] => ['nice', ['-n', NICENESS, file, ...args]];

/**
 * Kernels with autogroups divide the processor among sessions, and a child has a session of its own. Between sessions
 * only the priority of the group counts.
 */
export function lowerGroup(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, NICENESS, { flag: 'r+' });
  } catch {
    // Another system, or a kernel without autogroups.
  }
}
