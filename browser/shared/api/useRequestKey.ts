import { useRef } from 'preact/hooks';
import { Problem } from './ask';

/**
 * Errors with an unknown outcome, or of requests that were not started. Without a code there was no response. The API
 * stores no response of this kind under the idempotency key.
 */
const UNCERTAIN = [undefined, 1000, 1002, 1004, 1008, 1010, 1011];

interface RequestKey {
  keyOf: (values: unknown) => string;
  /** Keeps the key after an error with an unknown outcome. */
  refused: (error: unknown) => Problem;
  renew: () => void;
}

/**
 * The idempotency key of a request: stable for the same values, so that a repeated press has no second effect. Changed
 * values, a rejection or a success (`renew`) result in a new key.
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
