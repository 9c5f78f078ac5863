import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Entry } from './timelineData';

const NARROW = '(max-width: 600px)';
const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';
const STEP_MS = 120;
/** Maximum delay between an entry of the history and its event. */
const EVENT_DELAY_MS = 1000;

function useMatches(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const change = (): void => setMatches(list.matches);
    list.addEventListener('change', change);
    return () => list.removeEventListener('change', change);
  }, [query]);
  return matches;
}

export const useNarrow = (): boolean => useMatches(NARROW);

export function useWidth(of: RefObject<HTMLElement>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!of.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(of.current);
    return () => observer.disconnect();
  }, [of]);
  return width;
}

const lastOf = (entries: readonly Entry[]): number => Date.parse(entries.at(-1)?.date ?? '1970-01-01');

/** Reveals new entries one after the other. Returns the time limit of the visible entries; infinity if all are visible. */
export function useReveal(entries: readonly Entry[], isMoving: boolean): number {
  const isReduced = useMatches(REDUCED_MOTION);
  const [until, setUntil] = useState(() => lastOf(entries));
  const next = entries.map(({ date }) => Date.parse(date)).find(at => at > until);
  useEffect(() => {
    if (next === undefined) return;
    const timer = setTimeout(() => setUntil(isReduced ? lastOf(entries) : next), isReduced ? 0 : STEP_MS);
    return () => clearTimeout(timer);
  }, [next, isReduced]);
  return next === undefined && !isMoving ? Number.POSITIVE_INFINITY : until + EVENT_DELAY_MS;
}
