/** Waiting for what a test expects. */
import { retryUntilAnswered } from '../../../src/local/managedProcess';
import { FatalError } from '../../../src/platform/lifetime';
import { endOfTest } from './atTheEnd';

/** For broken programs only: a busy machine is slow, and that is not what any test is about. */
const PATIENCE_SECONDS = 120;

/** Repeats the attempt until it succeeds. */
export function eventually<T>(attempt: () => Promise<T>, patienceSeconds = PATIENCE_SECONDS): Promise<T> {
  const isOver = endOfTest();
  return retryUntilAnswered(async () => {
    // A test that has run out of time would otherwise continue in the next one.
    if (isOver()) throw new FatalError('the test is over');
    return attempt();
  }, patienceSeconds);
}

export const until = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(async () => {
    if (!(await condition())) throw new Error(`It never came true: ${condition}`);
  });
