/** Everything that a text is found in, the best first. */
import { readByIndex } from '../../platform/database/connection';
import { findByOwner } from './byOwner';
import { findByText, SEARCHED } from './byText';
import { bestOf, type FoundRow, type SearchScope } from './found';
import { findByKey } from './rows';
import type { SearchedText } from './text';

/** Whoever types one of these whole has found what was meant: no index of parts is read. */
const NAMING_FIELDS = ['email', 'external_id', 'order_id'];

/** Every statement has an index that yields its rows, in their order. */
export async function find(scope: SearchScope, text: SearchedText, limit: number): Promise<FoundRow[]> {
  await readByIndex(scope.tx);
  const found = await findByKey(scope, text, limit);
  // Whatever has a text as a part of it comes after these.
  const isFull = new Set(found.map(({ id }) => id)).size >= limit;
  for (const searched of SEARCHED) {
    const isNamed = found.some(({ type, matched }) => type === searched.type && NAMING_FIELDS.includes(matched));
    // Plans are few, and one may have four digits for a name.
    const isFound = isNamed || (isFull && searched.type !== 'plan');
    found.push(...(await findByText(scope, searched, text, isFound ? 0 : limit)));
  }
  const own = bestOf(found, limit);
  return bestOf([...own, ...(await findByOwner(scope, own))], limit);
}
