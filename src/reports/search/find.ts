import { readByIndex } from '../../platform/database/connection';
import { findByOwner } from './byOwner';
import { findByText, TEXT_LOOKUPS } from './byText';
import { bestOf, type FoundRow, type SearchScope } from './ranking';
import { findByKey } from './rows';
import type { SearchedText } from './text';

/** A complete match of one of these fields ends the search. */
const UNIQUE_FIELDS = ['email', 'external_id', 'order_id'];

/** Returns the best matches first. Every query reads its rows by an index, in index order. */
export async function find(scope: SearchScope, text: SearchedText, limit: number): Promise<FoundRow[]> {
  await readByIndex(scope.tx);
  const found = await findByKey(scope, text, limit);
  // Partial matches rank lower.
  const isFull = new Set(found.map(({ id }) => id)).size >= limit;
  for (const lookup of TEXT_LOOKUPS) {
    const isExact = found.some(({ type, matched }) => type === lookup.type && UNIQUE_FIELDS.includes(matched));
    // Plans are few, and a plan can be named by four digits.
    const isFound = isExact || (isFull && lookup.type !== 'plan');
    found.push(...(await findByText(scope, lookup, text, isFound ? 0 : limit)));
  }
  const own = bestOf(found, limit);
  return bestOf([...own, ...(await findByOwner(scope, own))], limit);
}
