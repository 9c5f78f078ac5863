/** An operation in the fragment of a link, which browsers do not send. It is shown but not run. */
import type { Draft } from './storage';

/** Removes the fragment from the address, so that a reload does not open the operation again. */
export function takeLinked(): Draft | undefined {
  const brought = new URLSearchParams(location.hash.slice(1));
  const query = brought.get('query');
  if (!query) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return { query, variables: brought.get('variables') ?? '' };
}
