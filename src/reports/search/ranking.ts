import type { Prisma } from '../../../prisma/generated/client';

export interface SearchScope {
  tx: Prisma.TransactionClient;
  merchant_id: string;
}

/** A match whose record is not loaded yet. */
export interface FoundRow {
  type: 'customer' | 'subscription' | 'charge' | 'plan';
  id: string;
  matched: string;
  rank: number;
  creation_date: Date;
}

const TYPES = ['customer', 'subscription', 'charge', 'plan'];

/** Removes duplicates and sorts by rank, type and date. */
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
