import type { FoundRow, SearchScope } from './ranking';
import { newestSubscriptions } from './rows';

/** Ranks a subscription right after its owner. */
const BEHIND_OWNER = 0.5;

/** The newest subscriptions of matching customers and plans: subscriptions have no searchable text. */
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
