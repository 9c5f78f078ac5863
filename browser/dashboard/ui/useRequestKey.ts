import { useRef } from 'preact/hooks';
import { Problem } from '../api/ask';

/** These say nothing definite about what was asked for. */
const UNCERTAIN = [undefined, 1000, 1004];

interface RequestKey {
  keyOf: (values: unknown) => string;
  /** After a refusal: where nobody knows what became of it, the key stays. */
  refused: (error: unknown) => Problem;
  renew: () => void;
}

/**
 * The key of a request: the same for the same values, so that a press that is repeated after a break does nothing
 * twice; another one for what was corrected or refused, which is another request. `renew` begins anew.
 */
export function useRequestKey(): RequestKey {
  const last = useRef({ values: '', key: '' });
  const renew = (): void => {
    last.current = { values: '', key: '' };
  };
  return {
    keyOf: values => {
      const text = JSON.stringify(values);
      if (last.current.values !== text) last.current = { values: text, key: crypto.randomUUID() };
      return last.current.key;
    },
    refused: error => {
      const problem = error instanceof Problem ? error : new Problem('');
      if (!UNCERTAIN.includes(problem.code)) renew();
      return problem;
    },
    renew,
  };
}
