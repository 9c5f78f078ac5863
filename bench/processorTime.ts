import { existsSync, readdirSync, readFileSync } from 'node:fs';

const CLOCK_TICK_MS = 10;

/** CPU milliseconds so far by process type. */
export function processorTime(): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { part, ms } of ourProcesses()) sums[part] = (sums[part] ?? 0) + ms;
  return sums;
}

/** Descendants of this process. */
function ourProcesses(): { pid: number; part: string; ms: number }[] {
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
      // The process has ended; its parent's counters include it.
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent ?? 0;
    return parent === process.pid || (parent > 1 && isOurs(parent));
  };
  return [...processes].filter(([pid]) => isOurs(pid)).map(([pid, { ms, part }]) => ({ pid, part, ms }));
}

export interface HostTime {
  passed: number;
  stolen: number;
}

/**
 * Elapsed and stolen CPU time of all cores, in ticks. Linux only.
 */
export function hostTime(): HostTime {
  const [line = ''] = existsSync('/proc/stat') ? readFileSync('/proc/stat', 'utf8').split('\n') : [];
  const ticks = line.split(/ +/).slice(1, 9).map(Number);
  return { passed: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks.at(-1) ?? 0 };
}

/** Warns if much CPU time was stolen, which makes the figures unreliable. */
export function describeStolen(before: HostTime, after: HostTime): string {
  const [passed, stolen] = [after.passed - before.passed, after.stolen - before.stolen];
  const percent = passed > 0 ? ((100 * stolen) / passed).toFixed(0) : '?';
  return `${percent} % of the processors taken by other machines`;
}

/** Peak memory by process type, in megabytes. */
export function peakMemory(): Record<string, number> {
  const peaks: Record<string, number> = {};
  for (const { pid, part } of ourProcesses()) {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    peaks[part] = Math.max(peaks[part] ?? 0, Math.round(Number(kilobytes) / 1024));
  }
  return peaks;
}

/** Difference of two readings by process type, per unit of work. */
export const costOfEach = (
  before: Record<string, number>,
  after: Record<string, number>,
  count: number,
): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, (ms - (before[part] ?? 0)) / count]));

export const totalCost = (cost: Record<string, number>): number => Object.values(cost).reduce((sum, ms) => sum + ms, 0);
export const describeCost = (cost: Record<string, number>): string =>
  Object.entries(cost)
    .map(([part, ms]) => `${part} ${ms.toFixed(1)}`)
    .join(', ');

function partOf(command: string): string {
  const [, program] = /dist\/(?:src\/programs|bench)\/(\w+)\.js/.exec(command) ?? [];
  if (program) return program === 'simulator' ? 'acquirer' : program;
  if (command.includes('org.apache.catalina')) return 'Kill Bill';
  return /postgres/.test(command) ? 'PostgreSQL' : 'Temporal';
}
