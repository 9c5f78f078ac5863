import { readdirSync, readFileSync } from 'node:fs';

const CLOCK_TICK_MS = 10;

/** Processor milliseconds so far of each part that this process has started, and of the processes that it has started. */
export function processorTime(): Record<string, number> {
  const processes = new Map<number, { parent: number; ms: number; part: string }>();
  for (const name of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
        i => fields[i],
      );
      const ms = (user + system + endedUser + endedSystem) * CLOCK_TICK_MS;
      processes.set(Number(name), { parent, ms, part: partOf(readFileSync(`/proc/${name}/cmdline`, 'utf8')) });
    } catch {
      // It has ended meanwhile; its parent counts it.
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent ?? 0;
    return parent === process.pid || (parent > 1 && isOurs(parent));
  };
  const sums: Record<string, number> = {};
  for (const [pid, { ms, part }] of processes) if (isOurs(pid)) sums[part] = (sums[part] ?? 0) + ms;
  return sums;
}

/** Of each part between two looks, for one of `count` pieces of work. */
export const costOfEach = (
  before: Record<string, number>,
  after: Record<string, number>,
  count: number,
): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, (ms - (before[part] ?? 0)) / count]));

function partOf(command: string): string {
  const [, program] = /dist\/(?:src\/programs|bench)\/(\w+)\.js/.exec(command) ?? [];
  if (program) return program === 'simulator' ? 'acquirer' : program;
  return /postgres/.test(command) ? 'PostgreSQL' : 'Temporal';
}
