import { useRef } from 'preact/hooks';
import { Problem } from '../api/ask';

/**
 * These are no outcome of what was asked for: nobody knows what became of it, or it was not begun. Without a code,
 * nothing was heard at all. The API keeps no answer of this kind under the key either.
 */
const UNCERTAIN = [undefined, 1000, 1002, 1004, 1008, 1010, 1011];

interface RequestKey {
  keyOf: (values: unknown) => string;
  /** After a refusal: where nobody knows what became of it, the key stays. */
  refused: (error: unknown) => Problem;
  renew: () => void;
}

/**
 * The key of a request: the same for the same values, so that a press that is repeated after a break does nothing
 * twice; another one for what was corrected, refused or done, which is another request. `renew` is called once it is done.
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
