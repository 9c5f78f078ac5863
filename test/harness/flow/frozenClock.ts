import { atTheEnd } from './atTheEnd';

/**
 * Stops the clock of this process, so that what lasts half a second lasts as long as the test needs. Returns the
 * function that moves it on. It runs again when the test ends. Timers are real.
 */
export function freezeClock(): (ms: number) => void {
  let now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  atTheEnd(() => clock.mockRestore());
  return ms => {
    now += ms;
  };
}
