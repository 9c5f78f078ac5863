/** Schedule of faults, computed from the seed. */
import { between, pick, type Random, shuffle } from './random';
import { PARTS, type Part } from './stack';

type FaultKind = `kill ${Part}` | 'lose answers' | 'slow answers' | 'wrong clock' | 'full disk';

export interface Fault {
  /** Seconds after the start. */
  at: number;
  kind: FaultKind;
  /** Duration of lasting faults. */
  seconds: number;
  /** Offset of the wrong clock. */
  minutes: number;
}

const MIN_GAP_SECONDS = 2;
const MAX_GAP_SECONDS = 7;
/** Time before the first fault, to create work. */
const FIRST_AT_SECONDS = 4;

/** Each round contains all kinds in random order, so that long runs include every kind. */
export function planFaults(random: Random, seconds: number, can: { fillDisk: boolean; setClock: boolean }): Fault[] {
  const kinds: FaultKind[] = [
    ...PARTS.map(part => `kill ${part}` as const),
    'lose answers',
    'slow answers',
    ...(can.setClock ? (['wrong clock'] as const) : []),
    ...(can.fillDisk ? (['full disk'] as const) : []),
  ];
  const faults: Fault[] = [];
  for (let at = FIRST_AT_SECONDS, turn = shuffle(random, kinds); at < seconds; ) {
    const kind = turn.pop();
    if (!kind) {
      turn = shuffle(random, kinds);
      continue;
    }
    const minutes = pick(random, [-1, 1]) * between(random, 2, 15);
    faults.push({ at, kind, seconds: between(random, 3, 9), minutes });
    at += between(random, MIN_GAP_SECONDS, MAX_GAP_SECONDS);
  }
  return faults;
}

export const describeFault = ({ at, kind, seconds, minutes }: Fault): string => {
  const details = kind.startsWith('kill') ? '' : ` for ${seconds} s`;
  return `${at} s ${kind}${kind === 'wrong clock' ? ` ${minutes > 0 ? '+' : ''}${minutes} min` : ''}${details}`;
};
