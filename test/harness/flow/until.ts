/** Repeated attempts until a condition is met. */
import { retryUntilAnswered } from '../../../src/local/processes/managedProcess';
import { FatalError } from '../../../src/platform/lifetime';
import { endOfTest } from './atTheEnd';

/** A long timeout, which only a broken program reaches, because busy machines are slow. */
const PATIENCE_SECONDS = 120;

/** Repeats the attempt until it succeeds. */
export function eventually<T>(attempt: () => Promise<T>, patienceSeconds = PATIENCE_SECONDS): Promise<T> {
  const isOver = endOfTest();
  return retryUntilAnswered(async () => {
    // After the timeout of its test, the loop would otherwise continue during the next test.
    if (isOver()) throw new FatalError('the test is over');
    return attempt();
  }, patienceSeconds);
}

export const until = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(async () => {
    if (!(await condition())) throw new Error(`It never came true: ${condition}`);
  });
