import { Prisma } from '../../../prisma/generated/client';
import type { FoundRow, SearchScope } from './ranking';

const MAX_SUBSCRIPTIONS_PER_OWNER = 5;
/** Ranks a subscription directly after its owner. */
const BEHIND_OWNER = 0.5;

/** The newest subscriptions of matching customers and plans: subscriptions have no searchable text. */
export async function findByOwner({ tx, merchant_id }: SearchScope, owners: readonly FoundRow[]): Promise<FoundRow[]> {
  const found: FoundRow[] = [];
  for (const matched of ['customer', 'plan'] as const) {
    const ranks = new Map(owners.flatMap(({ type, id, rank }) => (type === matched ? [[id, rank] as const] : [])));
    if (ranks.size === 0) continue;
    const rows = await tx.$queryRaw<(Pick<FoundRow, 'id' | 'creation_date'> & { owner: string })[]>`
      select owner.id as owner, subscription.* from unnest(${[...ranks.keys()]}::varchar[]) as owner (id),
        lateral (
          select id, creation_date from subscriptions
          where ${Prisma.raw(`${matched}_id`)} = owner.id and merchant_id = ${merchant_id} and status <> 'new'
          order by creation_date desc, id desc limit ${MAX_SUBSCRIPTIONS_PER_OWNER}
        ) as subscription`;
    const rankOf = (owner: string): number => (ranks.get(owner) ?? 0) + BEHIND_OWNER;
    found.push(
      ...rows.map(({ owner, ...row }) => ({ type: 'subscription' as const, matched, rank: rankOf(owner), ...row })),
    );
  }
  return found;
}
