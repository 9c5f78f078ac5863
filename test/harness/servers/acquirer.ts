import { atTheEnd } from '../flow/atTheEnd';
import { RunningAcquirer } from '../world/acquirer';
import { secrets } from '../world/secrets';

/** The acquirer of a world as a test file uses it. */
export const acquirerCalls = (acquirer: () => RunningAcquirer) => ({
  credentials: () => ({ url: acquirer().url, key: secrets.ACQUIRER_KEY }),
  payers: () => acquirer().payers,
  reports: () => acquirer().reports,
  notifier: () => acquirer().notifier,
  notifyApiAt: (origin: string) => acquirer().notifyApiAt(origin),
  /** Released at the end of the test at the latest. */
  hold: (path: Parameters<RunningAcquirer['hold']>[0]) => {
    const held = acquirer().hold(path);
    atTheEnd(held.release);
    return held;
  },
  journal: () => acquirer().journal(),
  hasTimedOut: (reference: string) => acquirer().hasTimedOut(reference),
  script: (reference: string, ...outcomes: (string | number)[]) => acquirer().script(reference, outcomes),
});

/** A simulated acquirer for one test file. */
export function testAcquirer() {
  let acquirer: RunningAcquirer;
  beforeAll(async () => {
    acquirer = await RunningAcquirer.start();
    atTheEnd(async () => expect(await acquirer.stop()).toEqual([]));
  });
  return acquirerCalls(() => acquirer);
}
