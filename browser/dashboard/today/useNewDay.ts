import { useEffect } from 'preact/hooks';

const DAY_MS = 86_400_000;
/** Bogotá has no daylight saving time. */
const BOGOTA_MS = -5 * 3_600_000;
/** Margin for clock differences: before midnight of the server, the response has the old day. */
const LATER_MS = 2000;

const untilMidnight = (now: number): number => DAY_MS - ((now + BOGOTA_MS) % DAY_MS) + LATER_MS;

/** Reloads after midnight and when the page becomes visible on a new day. */
export function useNewDay(refresh: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(() => {
        refresh();
        wait();
      }, untilMidnight(Date.now()));
    };
    // Timers stop while the computer sleeps.
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
