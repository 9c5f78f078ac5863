/** An operation that a link brings, in the fragment, which browsers send to nobody. It is shown and not run. */
import type { Draft } from './storage';

/** Taken out of the address, so that a reload does not bring it again. */
export function takeLinked(): Draft | undefined {
  const brought = new URLSearchParams(location.hash.slice(1));
  const query = brought.get('query');
  if (!query) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return { query, variables: brought.get('variables') ?? '' };
}
