import { useEffect } from 'preact/hooks';

const DAY_MS = 86_400_000;
/** Bogotá has no summer time. */
const BOGOTA_MS = -5 * 3_600_000;
/** Clocks differ a little; before the server's midnight the answer would still be of the old day. */
const LATER_MS = 2000;

const untilMidnight = (now: number): number => DAY_MS - ((now + BOGOTA_MS) % DAY_MS) + LATER_MS;

/** A page that was left open shows the day it is: asked for after midnight, and when somebody looks at it again. */
export function useNewDay(refresh: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(() => {
        refresh();
        wait();
      }, untilMidnight(Date.now()));
    };
    // A computer that slept has not counted the time.
    const look = (): void => {
      if (document.visibilityState !== 'visible') return;
      clearTimeout(timer);
      wait();
      refresh();
    };
    wait();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [refresh]);
}
