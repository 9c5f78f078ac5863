import { Prisma } from '../../../prisma/generated/client';
import { type Database, queryRows } from '../../platform/database/connection';
import { recordsOf } from '../../platform/database/rows';
import { type CounterSlot, keyName } from './counters';

/**
 * Reserves each slot that its rule allows and returns the new usage by key name; negative usage releases a slot. Rows are
 * written in key order to avoid deadlocks.
 */
export async function reserveSlots(
  db: Database,
  slots: readonly Pick<CounterSlot, 'key' | 'used' | 'allowed' | 'durationMs'>[],
): Promise<Map<string, bigint>> {
  if (slots.length === 0) return new Map();
  const rows = slots.map(({ durationMs, ...slot }) => ({
    ...slot,
    expires_at: new Date(Date.now() + durationMs),
  }));
  const reserved = await queryRows<{ key: Uint8Array; used: bigint }>(
    db,
    Prisma.sql`insert into fraud_counters as counter (key, used, allowed, expires_at)
    select key, used, allowed, expires_at from ${recordsOf('fraud_counters', rows)} as slot
    where used <= allowed and (used > 0 or exists (select from fraud_counters c where c.key = slot.key))
    order by key
    on conflict (key) do update set used = greatest(0, counter.used + excluded.used), allowed = excluded.allowed
    where excluded.used < 0 or counter.used + excluded.used <= excluded.allowed
    returning key, used`,
  );
  return new Map(reserved.map(({ key, used }) => [keyName(key), used]));
}
