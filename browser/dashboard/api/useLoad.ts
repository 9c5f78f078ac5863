/** Something that a screen shows: loaded when it opens, and again when something happens that may change it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { comebacks, Problem } from './ask';
import { type LiveEvent, onEvent } from './live';

/** Many events come together; they cost one question. */
const SETTLE_MS = 400;

export interface Loaded<Result> {
  /** What was answered last; kept while it is asked again, so that nothing jumps. */
  data: Result | undefined;
  problem: Problem | undefined;
  isLoading: boolean;
  /** At once, in place of what is being asked. */
  reload: () => void;
  /** After what is being asked has been answered: however often it is called, something is seen. */
  refresh: () => void;
}

export interface LoadOptions {
  /** Which events make it ask again; without it, none. */
  refreshOn?: ((event: LiveEvent) => boolean) | undefined;
  /** How long events gather before it is asked again. */
  settleMs?: number;
  /** What the key is a part of: what was loaded of the same stays until another part of it is there. */
  whole?: string;
  /** Not asked while it is false. */
  when?: boolean;
}

/** `key` says what is loaded: another key is another thing. */
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
    // What was shown for something else is not shown for this.
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
    let known = comebacks.value;
    return comebacks.subscribe(count => {
      if (count !== known) reload();
      known = count;
    });
  }, [reload]);

  return { ...state, reload, refresh };
}
