/** Loads data for a screen and reloads it on related events. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Problem, reconnections } from '../../shared/api/ask';
import { type LiveEvent, onEvent } from './live';

/** Events often come in bursts, which should cause one reload. */
const SETTLE_MS = 400;

export interface Loaded<Result> {
  /** The last result; kept while reloading. */
  data: Result | undefined;
  problem: Problem | undefined;
  isLoading: boolean;
  /** Reloads immediately and aborts the current request. */
  reload: () => void;
  /** Reloads after the current request, so frequent calls cannot starve the screen. */
  refresh: () => void;
}

export interface LoadOptions {
  /** Selects the events that cause a reload (default none). */
  refreshOn?: ((event: LiveEvent) => boolean) | undefined;
  /** Delay between an event and the reload. */
  settleMs?: number;
  /** Keys with the same `whole` keep the previous data until the next is loaded. */
  whole?: string;
  /** Nothing is loaded while false. */
  when?: boolean;
}

/** A new `key` starts a new load. */
export function useLoad<Result>(
  key: string,
  load: (stop: AbortSignal) => Promise<Result>,
  { refreshOn, settleMs = SETTLE_MS, whole = key, when = true }: LoadOptions = {},
): Loaded<Result> {
  type Shown = Omit<Loaded<Result>, 'reload' | 'refresh'>;
  const [state, setState] = useState<Shown>({
    data: undefined,
    problem: undefined,
    isLoading: when,
  });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn(turn => turn + 1), []);
  const underWay = useRef({ isAsked: false, isOutdated: false });
  const refresh = useCallback(() => {
    if (underWay.current.isAsked) underWay.current.isOutdated = true;
    else reload();
  }, [reload]);
  const lastWhole = useRef(whole);
  const latest = useRef({ load, refreshOn });
  latest.current = { load, refreshOn };

  useEffect(() => {
    if (!when) return;
    const stop = new AbortController();
    underWay.current = { isAsked: true, isOutdated: false };
    const end = (change: (state: Shown) => Shown): void => {
      if (stop.signal.aborted) return;
      const { isOutdated } = underWay.current;
      underWay.current = { isAsked: false, isOutdated: false };
      setState(change);
      if (isOutdated) reload();
    };
    // Data of another `whole` must not be shown.
    const isOther = lastWhole.current !== whole;
    lastWhole.current = whole;
    setState(state => ({ ...state, ...(isOther && { data: undefined }), isLoading: true }));
    latest.current.load(stop.signal).then(
      data => end(() => ({ data, problem: undefined, isLoading: false })),
      error => {
        const problem = error instanceof Problem ? error : new Problem('');
        end(state => ({ ...state, problem, isLoading: false }));
      },
    );
    return () => {
      stop.abort();
      underWay.current = { isAsked: false, isOutdated: false };
    };
  }, [key, turn, when]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = onEvent(event => {
      if (!latest.current.refreshOn?.(event)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        refresh();
      }, settleMs);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [refresh, settleMs]);

  useEffect(() => {
    let known = reconnections.value;
    return reconnections.subscribe(count => {
      if (count !== known) reload();
      known = count;
    });
  }, [reload]);

  return { ...state, reload, refresh };
}
