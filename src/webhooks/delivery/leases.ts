/**
 * Which process delivers for a webhook: one at a time, which holds a lease for as long as it renews it. So that process
 * alone decides the order and the pace.
 */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from '../../database/connection';
import { type Environments, isIn } from '../../database/environments';
import { OUTGOING_EVENT_COLUMNS } from '../../events/list';
import type { PendingDelivery } from './attempt';
import type { WebhookAddress } from './message';

/** If a process dies, others take over its webhooks when this has passed. */
export const LEASE_MS = 15_000;
/** An endpoint that has failed for so long gets one attempt at a time, until something arrives. */
const DEAD_AFTER_SECONDS = 600;
/** So that other processes get some too. */
const MAX_LEASES_PER_STATEMENT = 100;

const newExpiry = Prisma.sql`now() + make_interval(secs => ${LEASE_MS / 1000})`;

/** The webhooks of these environments with queued deliveries. Skips from one webhook to the next, however long their queues are. */
export const findQueuedWebhooks = async (db: Database, environments: Environments): Promise<string[]> =>
  (
    await db.$queryRaw<{ id: string }[]>`
      with recursive queued_webhook as (
        select min(webhook_id) as id from delivery_queue
        union all
        select (select min(webhook_id) from delivery_queue where webhook_id > queued_webhook.id)
        from queued_webhook where queued_webhook.id is not null
      )
      select id from queued_webhook
      where exists (select from webhooks join merchants on merchants.id = webhooks.merchant_id
        where webhooks.id = queued_webhook.id and ${isIn(environments)})`
  ).map(({ id }) => id);

/** Returns the ids of those that no other process holds: from now on this one does. */
export const acquireLeases = async (db: Database, workerId: string, ids: string[]): Promise<string[]> =>
  (
    await db.$queryRaw<{ id: string }[]>`
      update webhooks set served_by = ${workerId}::uuid, served_until = ${newExpiry} where id in (
        select id from webhooks where id = any(${ids}::varchar[]) and status <> 'disabled'
          and (served_until is null or served_until < now() or served_by = ${workerId}::uuid)
        limit ${MAX_LEASES_PER_STATEMENT} for no key update skip locked)
      returning id`
  ).map(({ id }) => id);

/**
 * Returns the ids that this process still holds. A webhook that somebody else has locked is not waited for: its lease
 * has time left and is renewed in the next round.
 */
export const renewLeases = async (db: Database, workerId: string, ids: string[]): Promise<string[]> =>
  (
    await db.$queryRaw<{ id: string }[]>`
      with renewed_webhooks as (
        update webhooks set served_until = ${newExpiry} where id in (
          select id from webhooks where id = any(${ids}::varchar[]) and served_by = ${workerId}::uuid
          for no key update skip locked)
      )
      select id from webhooks where id = any(${ids}::varchar[]) and served_by = ${workerId}::uuid`
  ).map(({ id }) => id);

export const releaseLeases = (db: Database, workerId: string, ids: string[]): Promise<number> => db.$executeRaw`
  update webhooks set served_by = null, served_until = null
  where id = any(${ids}::varchar[]) and served_by = ${workerId}::uuid`;

/** What to read from the queue of one webhook. */
export interface ReadRequest {
  /** Of the webhook. */
  id: string;
  /** Of first attempts. */
  max_rows: number;
  /** Of later attempts. */
  max_retries: number;
  /** Of the rows of each of the two; the first one is read whatever its length. */
  max_bytes: number;
  /** All first attempts before it were made, except what was committed late: a read from 0 on finds that. */
  from_sequence: number;
}

export type LeasedWebhook = WebhookAddress & {
  merchant_id: string;
  environment: Environment;
  /** Whether nothing has arrived there for long. */
  is_dead: boolean;
  deliveries: PendingDelivery[];
};

/**
 * Reads what is queued for webhooks that this process holds, oldest first, except for `heldSequences`, which it has
 * read already. A webhook that it does not hold any more is not returned. The planner takes a queue for empty or for
 * full, as it last saw it. So events are looked up one by one, or it would read the whole table; and first attempts are
 * those with less than one before, because it would expect none that are equal to 0 and sort all of them.
 */
export async function readQueue(
  db: Database,
  workerId: string,
  requests: ReadRequest[],
  heldSequences: number[],
): Promise<LeasedWebhook[]> {
  const isNotHeld = Prisma.sql`sequence not in (select unnest(${`{${heldSequences.join()}}`}::bigint[]))`;
  const rows = await db.$queryRaw<(Omit<LeasedWebhook, 'deliveries'> & { queued: string | null })[]>`
    select w.id, w.merchant_id, w.url, w."user", w.password_sealed, w.secret_sealed, w.secret_old_sealed, w.secret_old_until,
      m.environment::text as environment,
      coalesce(w.failing_since < now() - make_interval(secs => ${DEAD_AFTER_SECONDS}), false) as is_dead, (
        select string_agg(concat_ws(${FIELD_SEPARATOR}, delivery_id, sequence, attempts, id, type, object_id,
          (extract(epoch from creation_date) * 1000)::bigint, object), ${ROW_SEPARATOR} order by sequence)
        from (
          select q.delivery_id, q.sequence, q.attempts, e.*,
            sum(octet_length(e.object)) over (partition by q.attempts > 0 order by q.sequence rows unbounded preceding) - octet_length(e.object)
              as preceding_bytes
          from (
            (select delivery_id, event_id, sequence, attempts from delivery_queue
              where webhook_id = w.id and attempts < 1 and sequence >= request.from_sequence and ${isNotHeld}
              order by sequence limit request.max_rows)
            union all
            (select delivery_id, event_id, sequence, attempts from delivery_queue
              where webhook_id = w.id and attempts > 0 and ${isNotHeld}
              order by sequence limit request.max_retries)) q
          cross join lateral (select ${OUTGOING_EVENT_COLUMNS} from events where events.id = q.event_id limit 1) e
        ) queued_event
        where preceding_bytes < request.max_bytes) as queued
    from jsonb_to_recordset(${JSON.stringify(requests)}::jsonb)
        as request (id varchar, max_rows integer, max_retries integer, max_bytes bigint, from_sequence bigint)
      join webhooks w on w.id = request.id join merchants m on m.id = w.merchant_id
    where w.status <> 'disabled' and w.served_by = ${workerId}::uuid and w.served_until > now()`;
  return rows.map(({ queued, ...row }) => ({
    ...row,
    deliveries: queued?.split(ROW_SEPARATOR).map(text => parseDelivery(row.id, text)) ?? [],
  }));
}

/** Control characters, which neither identifiers nor JSON contain. */
const [FIELD_SEPARATOR, ROW_SEPARATOR] = ['\x1f', '\x1e'];

function parseDelivery(webhook_id: string, text: string): PendingDelivery {
  const [id = '', sequence, attempts, event_id = '', type = '', object_id = '', date, object = ''] =
    text.split(FIELD_SEPARATOR);
  const event = { id: event_id, type, object_id, object, creation_date: new Date(Number(date)) };
  return { id, webhook_id, sequence: Number(sequence), previousAttempts: Number(attempts), event };
}
