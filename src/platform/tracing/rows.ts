import { Prisma } from '../../../prisma/generated/client';
import { type Database, queryRows } from '../database/connection';

/**
 * Takes a connection in the same tick. Prisma would take one after the statement that uses the IDs, whose webhooks could
 * then leave before their trace is known.
 */
export const insertTraces = (db: Database, traces: ReadonlyMap<string, string>): Promise<unknown> =>
  queryRows(
    db,
    Prisma.sql`
      insert into traces (object_id, traceparent)
      select * from unnest(${[...traces.keys()]}::varchar[], ${[...traces.values()]}::varchar[])
      on conflict do nothing`,
  );
