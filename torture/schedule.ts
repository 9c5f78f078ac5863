/** Which fault comes when: decided by the seed before anything begins. */
import { between, pick, type Random, shuffle } from './random';
import { PARTS, type Part } from './stack';

type FaultKind = `kill ${Part}` | 'lose answers' | 'slow answers' | 'wrong clock' | 'full disk';

export interface Fault {
  /** Seconds after the beginning. */
  at: number;
  kind: FaultKind;
  /** For how long, of those that last. */
  seconds: number;
  /** By how much the clock is wrong. */
  minutes: number;
}

const MIN_GAP_SECONDS = 2;
const MAX_GAP_SECONDS = 7;
/** Before the first fault, so that there is something to disturb. */
const FIRST_AT_SECONDS = 4;

/** All kinds come in turns, each time in another order, so that none is left out of a long run. */
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
