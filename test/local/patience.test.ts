/** The time that the launcher waits for a part that does not respond. */
import { retryUntilAnswered } from '../../src/local/processes/managedProcess';

/** Attempts that each advance the clock of the wait by this duration. */
function attemptsThatTake(seconds: number) {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  return jest.fn(async () => {
    now += seconds * 1000;
    throw new Error('no answer');
  });
}

afterEach(() => jest.restoreAllMocks());

it('the wait gives up after the given time with the last error', async () => {
  const attempt = attemptsThatTake(2);
  await expect(retryUntilAnswered(attempt, 10)).rejects.toThrow('no answer');
  expect(attempt).toHaveBeenCalledTimes(6);
});

it('the wait tries again after the machine was asleep for hours during an attempt', async () => {
  const attempt = attemptsThatTake(10_000);
  await expect(retryUntilAnswered(attempt, 10)).rejects.toThrow('no answer');
  expect(attempt).toHaveBeenCalledTimes(3);
});
