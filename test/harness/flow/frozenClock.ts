import { atTheEnd } from './atTheEnd';

/**
 * Stops the clock of this process, so that half a second lasts as long as the test needs. Returns a function
 * that advances the clock. It runs again when the test ends. Timers are not affected.
 */
export function freezeClock(): (ms: number) => void {
  let now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  atTheEnd(() => clock.mockRestore());
  return ms => {
    now += ms;
  };
}
