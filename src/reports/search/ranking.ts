import type { Prisma } from '../../../prisma/generated/client';

/** Where and whose. */
export interface SearchScope {
  tx: Prisma.TransactionClient;
  merchant_id: string;
}

/** Something that was found, before it is read as a whole. */
export interface FoundRow {
  type: 'customer' | 'subscription' | 'charge' | 'plan';
  id: string;
  /** In which of its fields. */
  matched: string;
  rank: number;
  creation_date: Date;
}

const TYPES = ['customer', 'subscription', 'charge', 'plan'];

/** The best first, and of equals the newest; each once, by its best match. */
export function bestOf(found: readonly FoundRow[], limit: number): FoundRow[] {
  const byId = new Map<string, FoundRow>();
  for (const row of found) if (row.rank < (byId.get(row.id)?.rank ?? Number.POSITIVE_INFINITY)) byId.set(row.id, row);
  return [...byId.values()]
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        TYPES.indexOf(a.type) - TYPES.indexOf(b.type) ||
        b.creation_date.getTime() - a.creation_date.getTime() ||
        (a.id < b.id ? 1 : -1),
    )
    .slice(0, limit);
}
