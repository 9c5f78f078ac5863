/** Moves the test clock of a subscription and waits for the due actions. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, Problem } from '../../shared/api/ask';
import { graphql } from '../../shared/api/graphql';

const MOVE = graphql(`
  mutation MoveClock($clock: MoveClock!) {
    moveClock(clock: $clock) { now to waiting_for { id reason } }
  }
`);

export interface ClockMove {
  /** The target day of the current move. */
  moving: string | undefined;
  /** The target day of the last move, whose events are shown. */
  moved: string | undefined;
  /** The start of the move. */
  since: number | undefined;
  waitingFor: string | undefined;
  problem: Problem | undefined;
  move: (day: string) => Promise<void>;
}

type State = Omit<ClockMove, 'move'>;

export function useClockMove(subscription_id: string, reload: () => void): ClockMove {
  const still: State = {
    moving: undefined,
    moved: undefined,
    since: undefined,
    waitingFor: undefined,
    problem: undefined,
  };
  const [state, setState] = useState(still);
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    setState(still);
    return () => stop.current.abort();
  }, [subscription_id]);

  const move = async (day: string): Promise<void> => {
    const { signal } = stop.current;
    setState({ ...still, moving: day, since: Date.now() });
    try {
      // The API responds with the progress after twenty seconds; the same request continues the wait.
      for (;;) {
        const { moveClock } = await ask(MOVE, { clock: { to: day, subscription_id } }, { signal });
        reload();
        if (!moveClock?.to) break;
        setState(state => ({ ...state, waitingFor: moveClock.waiting_for?.map(({ reason }) => reason).join(' ') }));
      }
      setState(({ since }) => ({ ...still, moved: day, since }));
    } catch (error) {
      if (signal.aborted) return;
      const problem = error instanceof Problem ? error : new Problem('');
      setState(({ since }) => ({ ...still, since, problem }));
      reload();
    }
  };
  return { ...state, move };
}
