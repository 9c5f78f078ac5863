import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask, Problem } from '../../shared/api/ask';
import { type Operation, textOf } from '../../shared/api/graphql';

interface Asked<Result> {
  /** The last result, kept while reloading. */
  data: Result | undefined;
  problem: Problem | undefined;
  isLoading: boolean;
  reload: () => void;
}

/** Loads a query of operators. Other variables start without data. */
export function useAsk<Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  when = true,
): Asked<Result> {
  const key = textOf(operation) + JSON.stringify(variables);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<{ key: string; data?: Result; problem?: Problem | undefined; isLoading: boolean }>(
    {
      key,
      isLoading: when,
    },
  );
  const reload = useCallback(() => setTurn(turn => turn + 1), []);
  useEffect(() => {
    if (!when) return;
    const stop = new AbortController();
    setState(last => ({ ...(last.key === key ? last : {}), key, isLoading: true }));
    ask(operation, variables, { session: 'operator', signal: stop.signal }).then(
      data => !stop.signal.aborted && setState({ key, data, isLoading: false }),
      error => {
        const problem = error instanceof Problem ? error : new Problem('');
        if (!stop.signal.aborted) setState(last => ({ ...last, problem, isLoading: false }));
      },
    );
    return () => stop.abort();
  }, [key, turn, when]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    problem: isCurrent ? state.problem : undefined,
    isLoading: state.isLoading,
    reload,
  };
}
