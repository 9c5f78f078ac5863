import { Prisma } from '../../../prisma/generated/client';
import { type Database, queryRows } from '../database/connection';

/** Takes its connection in the same tick. */
export const insertTraces = (db: Database, traces: ReadonlyMap<string, string>): Promise<unknown> =>
  queryRows(
    db,
    Prisma.sql`
      insert into traces (object_id, traceparent)
      select * from unnest(${[...traces.keys()]}::varchar[], ${[...traces.values()]}::varchar[])
      on conflict do nothing`,
  );
