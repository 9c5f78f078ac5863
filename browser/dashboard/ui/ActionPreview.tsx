/** The effect of an action with the values of its form, shown before its button. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../shared/api/ask';
import type { Values } from '../../shared/ui/FieldInput';
import { ProblemNote } from '../../shared/ui/States';

interface Preview {
  shown: ComponentChildren;
  /** Names the effect, such as the charged amount, in place of the label of the action. */
  button?: string;
  /** The values have no effect yet. */
  isIncomplete?: boolean;
}
export type PreviewOf = (values: Values, signal: AbortSignal) => Promise<Preview>;

interface ShownPreview extends Partial<Preview> {
  problem?: Problem;
  /** False until the effect of the present values is shown, which must not be submitted before. */
  isCurrent: boolean;
  retry: () => void;
}

/** Delay after the last key before the effect is computed. */
const TYPING_MS = 250;

/** Without values, nothing is previewed. */
export function usePreview(of: PreviewOf | undefined, values: Values | undefined): ShownPreview {
  const [state, setState] = useState<Partial<Preview> & { problem?: Problem; key?: string }>({});
  const [turn, setTurn] = useState(0);
  const key = values && JSON.stringify(values);
  useEffect(() => {
    if (!of || !values) {
      setState({});
      return;
    }
    const stop = new AbortController();
    const show = (result: Partial<Preview> & { problem?: Problem }): void => {
      if (!stop.signal.aborted) setState({ ...result, key: JSON.stringify(values) });
    };
    const start = (): void => {
      of(values, stop.signal).then(show, error =>
        show({ problem: error instanceof Problem ? error : new Problem('') }),
      );
    };
    const timer = setTimeout(start, state.key === undefined ? 0 : TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, turn]);
  const isCurrent = key !== undefined && state.key === key && !state.problem && !state.isIncomplete;
  return { ...state, isCurrent, retry: () => setTurn(turn => turn + 1) };
}

/** Problems of a field are shown there. */
export const ActionPreview = ({
  of: { shown, problem, retry },
  isAtField,
}: {
  of: ShownPreview;
  isAtField: boolean;
}) => (
  <div class="hint preview" aria-live="polite">
    {problem ? !isAtField && <ProblemNote problem={problem} {...(problem.code === undefined && { retry })} /> : shown}
  </div>
);
