/**
 * Repairs a database restored from a dump of another server, whose transaction IDs may be higher than this server's.
 * Balance snapshots with such an ID would omit new entries, so they are deleted. Events with such an ID would block
 * their readers, so events are renumbered in the same order with an old ID.
 */
import { connectOnce } from './connection';

/** Returns whether a repair was necessary. No other process may use the database meanwhile. */
export async function repairAfterRestore(databaseUrl: string, timeoutMs?: number): Promise<boolean> {
  const client = await connectOnce(databaseUrl, timeoutMs);
  try {
    const { rowCount: deletedSnapshots } = await client.query(
      'delete from balances where horizon > pg_snapshot_xmax(pg_current_snapshot())',
    );
    const { rows } = await client.query<{ has_future_ids: boolean | null }>(`
      select bool_or(xact >= pg_snapshot_xmax(pg_current_snapshot())) as has_future_ids
      from (select xact from events order by recorded_at desc limit 1000) as latest_events`);
    const hasFutureIds = rows[0]?.has_future_ids === true;
    if (hasFutureIds) await client.query(RENUMBER_EVENTS);
    return deletedSnapshots !== 0 || hasFutureIds;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const RENUMBER_EVENTS = `
  with ordered_events as (select id, row_number() over (order by xact, sequence) as position from events)
  update events e set xact = '1', sequence = ordered_events.position from ordered_events where ordered_events.id = e.id;
  select setval(pg_get_serial_sequence('events', 'sequence'), (select max(sequence) from events))`;
