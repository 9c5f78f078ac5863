import { Prisma } from '../../../prisma/generated/client';
import { type Database, queryRows } from '../../platform/database/connection';
import { recordsOf } from '../../platform/database/rows';
import { type CounterPlace, nameOfKey } from './counters';

/**
 * Takes each place that is free, and answers how much is used of those, by the name of the key. A negative number is
 * given back. In the order of the keys, so that two statements never wait for each other.
 */
export async function exchange(
  db: Database,
  places: readonly Pick<CounterPlace, 'key' | 'used' | 'allowed' | 'durationMs'>[],
): Promise<Map<string, bigint>> {
  if (places.length === 0) return new Map();
  const rows = places.map(({ durationMs, ...place }) => ({
    ...place,
    expires_at: new Date(Date.now() + durationMs),
  }));
  const taken = await queryRows<{ key: Uint8Array; used: bigint }>(
    db,
    Prisma.sql`insert into fraud_counters as counter (key, used, allowed, expires_at)
    select key, used, allowed, expires_at from ${recordsOf('fraud_counters', rows)} as place
    where used <= allowed and (used > 0 or exists (select from fraud_counters c where c.key = place.key))
    order by key
    on conflict (key) do update set used = greatest(0, counter.used + excluded.used), allowed = excluded.allowed
    where excluded.used < 0 or counter.used + excluded.used <= excluded.allowed
    returning key, used`,
  );
  return new Map(taken.map(({ key, used }) => [nameOfKey(key), used]));
}
