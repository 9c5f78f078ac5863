import type { FoundRow, SearchScope } from './found';
import { newestSubscriptions } from './rows';

/** Directly behind those that are found themselves as well as their owner. */
const BEHIND_OWNER = 0.5;

/** The newest subscriptions of the customers and plans that were found: a subscription has no name of its own. */
export async function findByOwner({ tx, merchant_id }: SearchScope, owners: readonly FoundRow[]): Promise<FoundRow[]> {
  const found: FoundRow[] = [];
  for (const matched of ['customer', 'plan'] as const) {
    const ranks = new Map(owners.flatMap(({ type, id, rank }) => (type === matched ? [[id, rank] as const] : [])));
    if (ranks.size === 0) continue;
    const rows = await newestSubscriptions(tx, merchant_id, matched, [...ranks.keys()]);
    const rankOf = (owner: string): number => (ranks.get(owner) ?? 0) + BEHIND_OWNER;
    found.push(
      ...rows.map(({ owner, ...row }) => ({ type: 'subscription' as const, matched, rank: rankOf(owner), ...row })),
    );
  }
  return found;
}
