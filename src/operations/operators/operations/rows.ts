/** Reads the status of both environments for the operators' page. */
import { Prisma } from '../../../../prisma/generated/client';
import type { Environment } from '../../../../prisma/generated/enums';
import type { Database } from '../../../platform/database/connection';
import { BOTH_ENVIRONMENTS } from '../../../platform/database/environments';
import type { AuditFinding, EnvironmentFigures, OpenUnknown, Operations, PausedWork, RenewalsOfMinute } from './fields';
import { AUDIT_RESULTS, DELIVERIES, OLDEST_UNKNOWNS, OUTBOX, OVERDUE, UNKNOWNS } from './figures';

const MINUTE_MS = 60_000;
const SHOWN_MINUTES = 60;
/** Workers write a heartbeat every two seconds. */
export const MAX_SILENCE_MS = 10_000;
const MAX_PAUSED = 50;

interface Figure {
  environment: Environment;
  value: number;
  oldest?: number;
}

function ask<T>(db: Database, text: string): Promise<T[]> {
  const [before = '', after = ''] = text.split('$1');
  return db.$queryRaw<T[]>`${Prisma.raw(before)}${[...BOTH_ENVIRONMENTS]}${Prisma.raw(after)}`;
}

export async function readOperations(db: Database): Promise<Operations> {
  const now = new Date();
  const [overdue, unknowns, outbox, deliveries, minutes, workers, paused, oldest, audits] = await Promise.all([
    ask<Figure>(db, OVERDUE),
    ask<Figure>(db, UNKNOWNS),
    ask<Figure>(db, OUTBOX),
    ask<Figure>(db, DELIVERIES),
    readMinutes(db, now),
    db.workerProcess.findMany({ orderBy: [{ started_at: 'asc' }, { id: 'asc' }] }),
    readPaused(db),
    ask<OpenUnknown>(db, OLDEST_UNKNOWNS),
    ask<Omit<AuditFinding, 'examples'> & { examples: string[] }>(db, AUDIT_RESULTS),
  ]);
  const shown = workers.map(({ drain_asked_at, ...worker }) => ({
    ...worker,
    alive: worker.beat_at.getTime() > now.getTime() - MAX_SILENCE_MS,
    draining: drain_asked_at !== null,
  }));
  const environments = await environmentsInUse(db, workers);
  const figures = environments.map((environment): EnvironmentFigures => {
    const own = (rows: Figure[]): Figure[] => rows.filter(row => row.environment === environment);
    const sum = (rows: Figure[]): number => own(rows).reduce((total, { value }) => total + value, 0);
    const longest = (rows: Figure[]): number => Math.floor(Math.max(0, ...own(rows).map(row => row.oldest ?? 0)));
    return {
      environment,
      overdue: sum(overdue),
      overdue_seconds: longest(overdue),
      unknowns: sum(unknowns),
      outbox_rows: sum(outbox),
      outbox_seconds: longest(outbox),
      deliveries: sum(deliveries),
      workers: shown.filter(({ alive, environment: of }) => alive && (of ?? environment) === environment).length,
      minutes: fillMinutes(
        minutes.filter(row => row.environment === environment),
        now,
      ),
    };
  });
  const audit = audits
    .filter(({ scope }) => scope === 'all' || environments.some(name => name === scope))
    .map(({ examples, ...row }) => ({ ...row, examples: examples.map(text => ({ text })) }));
  return { now, environments: figures, workers: shown, paused, unknowns: oldest, audit };
}

/** Those with a merchant or a worker of their own. Production is off until its first merchant. */
async function environmentsInUse(
  db: Database,
  workers: readonly { environment: Environment | null }[],
): Promise<Environment[]> {
  const found = await Promise.all(
    BOTH_ENVIRONMENTS.map(environment => db.merchant.findFirst({ where: { environment }, select: { id: true } })),
  );
  return BOTH_ENVIRONMENTS.filter((name, i) => found[i] || workers.some(({ environment }) => environment === name));
}

type MinuteRow = RenewalsOfMinute & { environment: Environment };

const firstMinute = (now: Date): number => (Math.floor(now.getTime() / MINUTE_MS) - SHOWN_MINUTES + 1) * MINUTE_MS;

async function readMinutes(db: Database, now: Date): Promise<MinuteRow[]> {
  const rows = await db.renewalMinute.groupBy({
    by: ['minute', 'environment'],
    where: { minute: { gte: new Date(firstMinute(now)) } },
    _sum: { charged: true, declined: true, unanswered: true },
  });
  return rows.map(({ minute: at, environment, _sum: { charged, declined, unanswered } }) => ({
    at,
    environment,
    charged: charged ?? 0,
    declined: declined ?? 0,
    unanswered: unanswered ?? 0,
  }));
}

function fillMinutes(rows: readonly MinuteRow[], now: Date): RenewalsOfMinute[] {
  const byTime = new Map(rows.map(({ environment, ...row }) => [row.at.getTime(), row]));
  return Array.from({ length: SHOWN_MINUTES }, (_, i) => {
    const at = firstMinute(now) + i * MINUTE_MS;
    return byTime.get(at) ?? { at: new Date(at), charged: 0, declined: 0, unanswered: 0 };
  });
}

/** Suspended merchants, with the actor from the audit log, and billing holds. */
const readPaused = (db: Database): Promise<PausedWork[]> => db.$queryRaw<PausedWork[]>`
  select 'merchant_suspended' as kind, m.id, m.name, m.environment::text as environment, m.suspension_reason as reason,
    coalesce(k.name, entry.actor_id, entry.actor) as by, coalesce(m.suspended_at, m.creation_date) as since
  from merchants m
    left join lateral (select actor, actor_id from audit_log where object_id = m.id and action = 'merchant.suspended'
      order by id desc limit 1) as entry on true
    left join operator_keys k on k.id = entry.actor_id
  where m.status = 'suspended'
  union all
  select h.scope || '_held', h.object_id, coalesce(m.name, p.name), h.environment::text, h.reason,
    coalesce(k.name, h.actor_id, h.actor), h.held_at
  from billing_holds h
    left join merchants m on m.id = h.object_id
    left join subscriptions s on s.id = h.object_id
    left join plans p on p.id in (h.object_id, s.plan_id)
    left join operator_keys k on k.id = h.actor_id
  where h.released_at is null
  order by since, id limit ${MAX_PAUSED}`;
