/** The time that the launcher waits for a part that does not answer. */
import { retryUntilAnswered } from '../../src/local/managedProcess';

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

it('gives up after the given time, with the last reason', async () => {
  const attempt = attemptsThatTake(2);
  await expect(retryUntilAnswered(attempt, 10)).rejects.toThrow('no answer');
  expect(attempt).toHaveBeenCalledTimes(6);
});

it('tries again after a machine slept for hours during an attempt', async () => {
  const attempt = attemptsThatTake(10_000);
  await expect(retryUntilAnswered(attempt, 10)).rejects.toThrow('no answer');
  expect(attempt).toHaveBeenCalledTimes(3);
});
