/** Services of a process in which one call fails, as if a connection or the process itself was lost. */
import type { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { NoAnswerError } from '../../../src/gateway/acquirer/port';
import type { Database } from '../../../src/platform/database/connection';

export interface Fault {
  /** The number of the failing call, from zero; or the first call of the acquirer. */
  at: number | 'acquirer';
  /** Whether the call takes effect: never, before it fails, or, for a call of the acquirer, at `deliver`. */
  call: 'lost' | 'done' | 'late';
  process: 'continues' | 'dies';
}

type Call = (...args: unknown[]) => unknown;
type Guard = (run: Call) => Promise<unknown>;

const lostAnswer = (): Error => new NoAnswerError('a fault of the test', true);
const lostConnection = (): Error => Object.assign(new Error('a fault of the test'), { code: 'ECONNRESET' });

/** Passes each method call, also on nested objects, to `guard`. */
function guarded<T extends object>(target: T, guard: Guard): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'function') return (...args: unknown[]) => guard(() => member.apply(target, args));
      return typeof member === 'object' && member !== null ? guarded(member, guard) : member;
    },
  });
}

export function faultyServices(db: Database, acquirer: HttpAcquirer, fault: Fault) {
  let calls = 0;
  let hasFailed = false;
  let late: Call | undefined;
  const guardWith =
    (error: () => Error, isOfAcquirer: boolean): Guard =>
    async run => {
      const isDead = () => hasFailed && fault.process === 'dies';
      const isFault = !hasFailed && (fault.at === 'acquirer' ? isOfAcquirer : calls === fault.at);
      calls += 1;
      if (isFault && fault.call !== 'done') hasFailed = true;
      if (isFault && fault.call === 'late' && isOfAcquirer) late = run;
      if (hasFailed && (isFault || isDead())) throw error();
      const result = await run();
      if (isFault) hasFailed = true;
      if (isFault || isDead()) throw error();
      return result;
    };
  const guard = guardWith(lostConnection, false);
  const faultyDb = guarded(db, guard);
  const transaction = (run: Call | object, options?: object) =>
    guard(() =>
      db.$transaction(typeof run === 'function' ? tx => run(guarded(tx, guard)) : (run as never), options as never),
    );
  return {
    db: new Proxy(faultyDb, {
      get: (target, name) => (name === '$transaction' ? transaction : Reflect.get(target, name)),
    }),
    acquirer: guarded(acquirer, guardWith(lostAnswer, true)),
    hasFailed: () => hasFailed,
    deliver: async (): Promise<unknown> => late?.(),
  };
}
