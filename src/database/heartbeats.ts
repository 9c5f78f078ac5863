/** Rows that running processes keep writing: proof that they live, and that the database takes writes. */
import type { Environment } from '../../prisma/generated/enums';
import type { Database } from './connection';
import type { Environments } from './environments';

const MAX_AGE_SECONDS = 10;

const nameOf = (environment: Environment): string => `worker-${environment}`;

/** Workers for the same environment share one row: it says that at least one of them works. */
export const beatAsWorker = (db: Database, environments: Environments): Promise<unknown> => db.$executeRaw`
  insert into heartbeats (name, beat_at)
  -- The previous release's processes look for the one without an environment.
  select name, clock_timestamp() from unnest(${['worker', ...environments.map(nameOf)]}::varchar[]) as name order by name
  on conflict (name) do update set beat_at = excluded.beat_at`;

/** Undefined if no worker for this environment has ever written: those of the release before this one do not. */
export async function hasWorkerBeaten(db: Database, environment: Environment): Promise<boolean | undefined> {
  const [worker] = await db.$queryRaw<{ alive: boolean }[]>`
    select beat_at > clock_timestamp() - make_interval(secs => ${MAX_AGE_SECONDS}) as alive
    from heartbeats where name = ${nameOf(environment)}`;
  return worker?.alive;
}

/**
 * Fails if the database is read-only, a standby, or out of room. A row that is written in place needs no room, so a
 * small result is pushed out of memory into a temporary file, which always does.
 */
export const proveWritable = (db: Database): Promise<unknown> =>
  db.$executeRaw`do $$ begin
    perform set_config('work_mem', '64kB', true);
    perform count(*) from generate_series(1, 20000);
    insert into heartbeats (name, beat_at) values ('api', clock_timestamp())
    on conflict (name) do update set beat_at = excluded.beat_at;
  end $$`;
