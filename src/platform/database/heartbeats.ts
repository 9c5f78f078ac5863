/** Rows that running processes update: proof that they are alive and that the database accepts writes. */
import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from './connection';
import type { Environments } from './environments';

const MAX_AGE_SECONDS = 10;

const nameOf = (environment: Environment): string => `worker-${environment}`;

export interface WorkerIdentity {
  id: string;
  /** Null for both. */
  environment: Environment | null;
  host: string;
  pid: number;
  build: string;
  started_at: Date;
}

/**
 * Workers of one environment share one heartbeat, which means that at least one of them is alive; each also has a row of
 * its own. Returns true after an operator has asked this worker to drain.
 */
export async function recordWorkerHeartbeat(
  db: Database,
  environments: Environments,
  worker: WorkerIdentity,
): Promise<boolean> {
  const { id, environment, host, pid, build, started_at } = worker;
  const [own] = await db.$queryRaw<{ is_drained: boolean }[]>`
    with beat as (
      insert into heartbeats (name, beat_at)
      select name, clock_timestamp() from unnest(${environments.map(nameOf)}::varchar[]) as name order by name
      on conflict (name) do update set beat_at = excluded.beat_at
    )
    insert into workers (id, environment, host, pid, build, started_at, beat_at)
    values (${id}, ${environment}::"Environment", ${host}, ${pid}, ${build}, ${started_at}, clock_timestamp())
    on conflict (id) do update set beat_at = excluded.beat_at
    returning drain_asked_at is not null as is_drained`;
  return own?.is_drained ?? false;
}

/** Called by a worker that ends. The sweep deletes the row of one that died. */
export const removeWorker = (db: Database, { id }: WorkerIdentity): Promise<unknown> =>
  db.workerProcess.deleteMany({ where: { id } }).catch(() => undefined);

export async function hasWorkerHeartbeat(db: Database, environment: Environment): Promise<boolean> {
  const [worker] = await db.$queryRaw<{ alive: boolean }[]>`
    select beat_at > clock_timestamp() - make_interval(secs => ${MAX_AGE_SECONDS}) as alive
    from heartbeats where name = ${nameOf(environment)}`;
  return worker?.alive ?? false;
}

/**
 * Fails if the database is read-only, a standby, or out of disk space. An in-place update needs no space, so a small
 * result is forced into a temporary file, which does.
 */
export const assertWritable = (db: Database): Promise<unknown> =>
  db.$executeRaw`do $$ begin
    perform set_config('work_mem', '64kB', true);
    perform count(*) from generate_series(1, 20000);
    insert into heartbeats (name, beat_at) values ('api', clock_timestamp())
    on conflict (name) do update set beat_at = excluded.beat_at;
  end $$`;
