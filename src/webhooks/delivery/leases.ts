/** Which webhooks a process serves. One at a time has a webhook, for as long as it says so again: order and pace are then its own affair. */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from '../../database/connection';
import { SENT_COLUMNS } from '../../events/list';
import type { PendingDelivery } from './attempt';
import type { WebhookAddress } from './message';

/** Whoever dies leaves its webhooks to others after that. */
export const LEASE_MS = 15_000;
/** Others get theirs too. */
const MAX_LEASES_PER_STATEMENT = 100;

const leased = Prisma.sql`now() + make_interval(secs => ${LEASE_MS / 1000})`;

/** Those that something waits for: the queue is asked for one webhook after the other, however much waits for each. */
export const findQueuedWebhooks = async (db: Database): Promise<string[]> =>
  (
    await db.$queryRaw<{ id: string }[]>`
      with recursive due as (
        select min(webhook_id) as id from delivery_queue
        union all
        select (select min(webhook_id) from delivery_queue where webhook_id > due.id) from due where due.id is not null
      )
      select id from due where id is not null`
  ).map(({ id }) => id);

/** Answers those of them that nobody serves, and that are ours from now on. */
export const acquireLeases = async (db: Database, me: string, ids: string[]): Promise<string[]> =>
  (
    await db.$queryRaw<{ id: string }[]>`
      update webhooks set served_by = ${me}::uuid, served_until = ${leased} where id in (
        select id from webhooks where id = any(${ids}::varchar[]) and status <> 'disabled'
          and (served_until is null or served_until < now() or served_by = ${me}::uuid)
        limit ${MAX_LEASES_PER_STATEMENT} for no key update skip locked)
      returning id`
  ).map(({ id }) => id);

/** Answers which are still ours. Who is at work on one is not waited for: it is ours for a while yet, and has its turn again. */
export const renewLeases = async (db: Database, me: string, held: string[]): Promise<string[]> =>
  (
    await db.$queryRaw<{ id: string }[]>`
      with renewed as (
        update webhooks set served_until = ${leased} where id in (
          select id from webhooks where id = any(${held}::varchar[]) and served_by = ${me}::uuid for no key update skip locked)
      )
      select id from webhooks where id = any(${held}::varchar[]) and served_by = ${me}::uuid`
  ).map(({ id }) => id);

export const releaseLeases = (db: Database, me: string, ids: string[]): Promise<number> => db.$executeRaw`
  update webhooks set served_by = null, served_until = null where id = any(${ids}::varchar[]) and served_by = ${me}::uuid`;

export interface ReadRequest {
  id: string;
  /** How many at most, and how long in all: but for the first, which may be as long as it is. */
  count: number;
  bytes: number;
  /** From where on it is looked for. What is behind has been sent, but for what was written late: that is found from 0 on. */
  from: number;
}

export type LeasedWebhook = WebhookAddress & { environment: Environment; deliveries: PendingDelivery[] };

/**
 * What waits for webhooks that are ours, oldest first, but for what is here already. One that is not ours any more is not answered. Events
 * are looked up one by one: a planner that takes the queue for empty or for full would read all there are.
 */
export async function readQueue(
  db: Database,
  me: string,
  wanted: ReadRequest[],
  here: number[],
): Promise<LeasedWebhook[]> {
  const rows = await db.$queryRaw<(Omit<LeasedWebhook, 'deliveries'> & { queued: string | null })[]>`
    select w.id, w.url, w."user", w.password_sealed, w.secret_sealed, w.secret_old_sealed, w.secret_old_until,
      m.environment::text as environment, (
        select string_agg(concat_ws(${FIELD}, delivery_id, sequence, id, type, object_id,
          (extract(epoch from creation_date) * 1000)::bigint, object), ${ROW} order by sequence)
        from (
          select q.delivery_id, q.sequence, e.*,
            sum(octet_length(e.object)) over (order by q.sequence rows unbounded preceding) - octet_length(e.object) as before
          from (
            select * from delivery_queue q
            where q.webhook_id = w.id and q.sequence >= wanted.from and q.sequence not in (select unnest(${`{${here.join()}}`}::bigint[]))
            order by q.sequence limit wanted.count) q
          cross join lateral (select ${SENT_COLUMNS} from events where events.id = q.event_id limit 1) e) found
        where before < wanted.bytes) as queued
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (id varchar, count integer, bytes bigint, "from" bigint)
      join webhooks w on w.id = wanted.id join merchants m on m.id = w.merchant_id
    where w.status <> 'disabled' and w.served_by = ${me}::uuid and w.served_until > now()`;
  return rows.map(({ queued, ...row }) => ({
    ...row,
    deliveries: queued?.split(ROW).map(text => parseDelivery(row.id, text)) ?? [],
  }));
}

/** Nothing that is read here has them in it: neither identifiers nor JSON know control characters. */
const [FIELD, ROW] = ['\x1f', '\x1e'];

function parseDelivery(webhook_id: string, text: string): PendingDelivery {
  const [id = '', sequence, event_id = '', type = '', object_id = '', date, object = ''] = text.split(FIELD);
  const event = { id: event_id, type, object_id, object, creation_date: new Date(Number(date)) };
  return { id, webhook_id, sequence: Number(sequence), attempts: 0, event };
}
