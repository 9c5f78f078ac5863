/** The effect of an action with the values of its form, shown before its button. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../shared/api/ask';
import type { Values } from '../../shared/ui/FieldInput';
import { ProblemNote } from '../../shared/ui/States';

export type PreviewOf = (values: Values, signal: AbortSignal) => Promise<ComponentChildren>;

export function ActionPreview({ of, values }: { of: PreviewOf; values: Values }) {
  const [shown, setShown] = useState<ComponentChildren>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    const show = (content: ComponentChildren): void => {
      if (!stop.signal.aborted) setShown(content);
    };
    of(values, stop.signal).then(show, error =>
      show(error instanceof Problem ? <ProblemNote problem={error} /> : undefined),
    );
    return () => stop.abort();
  }, [JSON.stringify(values)]);
  return (
    <div class="hint" aria-live="polite">
      {shown}
    </div>
  );
}
