/**
 * A dump brings along numbers of transactions that this server has not counted to yet: sums up to such a number would leave out what is
 * booked from now on, and readers of events would wait for it. Sums are only a shortcut, so they go; events keep their order under numbers
 * that are long past.
 */
import { connectOnce } from './connection';

/** Answers whether there was something to put in order. Nobody else may be at work. */
export async function repairAfterRestore(databaseUrl: string): Promise<boolean> {
  const client = await connectOnce(databaseUrl);
  try {
    const { rowCount: sums } = await client.query(
      'delete from balances where horizon > pg_snapshot_xmax(pg_current_snapshot())',
    );
    const { rows } = await client.query<{ strange: boolean | null }>(`
      select bool_or(xact >= pg_snapshot_xmax(pg_current_snapshot())) as strange
      from (select xact from events order by recorded_at desc limit 1000) as latest`);
    if (rows[0]?.strange) await client.query(RENUMBER);
    return sums !== 0 || rows[0]?.strange === true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const RENUMBER = `
  with ordered as (select id, row_number() over (order by xact, sequence) as place from events)
  update events e set xact = '1', sequence = ordered.place from ordered where ordered.id = e.id;
  select setval(pg_get_serial_sequence('events', 'sequence'), (select max(sequence) from events))`;
