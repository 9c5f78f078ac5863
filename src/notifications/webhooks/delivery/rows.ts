/** A webhook is leased to one process at a time, which alone decides the order and rate of its deliveries. */
import { Prisma } from '../../../../prisma/generated/client';
import type { Environment } from '../../../../prisma/generated/enums';
import { OUTGOING_EVENT_COLUMNS } from '../../../events/rows';
import type { Database } from '../../../platform/database/connection';
import { type Environments, whereEnvironmentIn } from '../../../platform/database/environments';
import type { PendingDelivery } from './attempt';
import type { WebhookAddress } from './message';

/** After this time, other processes take over the webhooks of a dead process. */
export const LEASE_MS = 15_000;
/** An endpoint that has failed for this long gets one attempt at a time until one succeeds. */
const DEAD_AFTER_SECONDS = 600;
/** Leaves webhooks for other processes. */
const MAX_LEASES_PER_STATEMENT = 100;

const newExpiry = Prisma.sql`now() + make_interval(secs => ${LEASE_MS / 1000})`;

export const findQueuedWebhooks = async (db: Database, environments: Environments): Promise<string[]> =>
  (
    await db.$queryRaw<{ id: string }[]>`
      select id from queued_webhooks() as queued (id)
      where exists (select from webhooks join merchants on merchants.id = webhooks.merchant_id
        where webhooks.id = queued.id and ${whereEnvironmentIn(environments)})`
  ).map(({ id }) => id);

/** Returns the IDs of the acquired webhooks. */
export const acquireLeases = async (db: Database, workerId: string, ids: string[]): Promise<string[]> =>
  (
    await db.$queryRaw<{ id: string }[]>`
      update webhooks set served_by = ${workerId}::uuid, served_until = ${newExpiry} where id in (
        select id from webhooks where id = any(${ids}::varchar[]) and status <> 'disabled'
          and (served_until is null or served_until < now() or served_by = ${workerId}::uuid)
        limit ${MAX_LEASES_PER_STATEMENT} for no key update skip locked)
      returning id`
  ).map(({ id }) => id);

/** Returns the IDs that this process still holds. A locked webhook is skipped and renewed in the next round. */
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

export interface ReadRequest {
  /** Webhook ID. */
  id: string;
  /** Limit of first attempts. */
  max_rows: number;
  /** Limit of retries. */
  max_retries: number;
  /** Limit for each of the two; the first row is read regardless of its size. */
  max_bytes: number;
  /** All first attempts before it were made, except late commits, which a read from 0 finds. */
  from_sequence: number;
  /** The sequences that this process has already read. */
  held: number[];
}

export type LeasedWebhook = WebhookAddress & {
  merchant_id: string;
  environment: Environment;
  /** Whether no delivery has succeeded for long. */
  is_dead: boolean;
  deliveries: PendingDelivery[];
};

/**
 * Reads the queues of leased webhooks, oldest first. Webhooks with a lost lease are not returned. Events are looked up one
 * by one: if the planner expected few rows, it would scan the whole table.
 */
export async function readQueue(db: Database, workerId: string, requests: ReadRequest[]): Promise<LeasedWebhook[]> {
  // Arrays parse faster as text than as JSON.
  const input = JSON.stringify(requests.map(request => ({ ...request, held: `{${request.held}}` })));
  const rows = await db.$queryRaw<(Omit<LeasedWebhook, 'deliveries'> & { queued: string | null })[]>`
    select w.id, w.merchant_id, w.url, w."user", w.password_sealed, w.secret_sealed, w.secret_old_sealed, w.secret_old_until,
      m.environment::text as environment,
      coalesce(w.failing_since < now() - make_interval(secs => ${DEAD_AFTER_SECONDS}), false) as is_dead,
      case when request.max_rows + request.max_retries > 0 then (
        select string_agg(concat_ws(${FIELD_SEPARATOR}, delivery_id, sequence, attempts, id, type, object_id,
          (extract(epoch from creation_date) * 1000)::bigint, object), ${ROW_SEPARATOR} order by sequence)
        from (
          select q.delivery_id, q.sequence, q.attempts, e.*,
            sum(octet_length(e.object)) over (partition by q.attempts > 0 order by q.sequence rows unbounded preceding) - octet_length(e.object)
              as preceding_bytes
          from queued_deliveries(w.id, request.from_sequence, request.held::bigint[], request.max_rows, request.max_retries) q
          cross join lateral (select ${OUTGOING_EVENT_COLUMNS} from events where events.id = q.event_id limit 1) e
        ) queued_event
        where preceding_bytes < request.max_bytes) end as queued
    from jsonb_to_recordset(${input}::jsonb)
        as request (id varchar, max_rows integer, max_retries integer, max_bytes bigint, from_sequence bigint, held text)
      join webhooks w on w.id = request.id join merchants m on m.id = w.merchant_id
    where w.status <> 'disabled' and w.served_by = ${workerId}::uuid and w.served_until > now()`;
  return rows.map(({ queued, ...row }) => ({
    ...row,
    deliveries: queued?.split(ROW_SEPARATOR).map(text => parseDelivery(row.id, text)) ?? [],
  }));
}

/** Control characters, which neither IDs nor JSON contain. */
const [FIELD_SEPARATOR, ROW_SEPARATOR] = ['\x1f', '\x1e'];

function parseDelivery(webhook_id: string, text: string): PendingDelivery {
  const [id = '', sequence, attempts, event_id = '', type = '', object_id = '', date, object = ''] =
    text.split(FIELD_SEPARATOR);
  const event = { id: event_id, type, object_id, object, creation_date: new Date(Number(date)) };
  return { id, webhook_id, sequence: Number(sequence), previousAttempts: Number(attempts), event };
}

/** Waits for an attempt that is being recorded; the delivery is not due after it. */
export const requeue = (db: Database, id: string, attempts: number): Promise<number> => db.$executeRaw`
  insert into delivery_queue (webhook_id, sequence, delivery_id, event_id, attempts)
  select webhook_id, sequence, id, event_id, attempts from deliveries
  where id = ${id} and status = 'retrying' and attempts = ${attempts} for no key update
  on conflict (webhook_id, sequence) do nothing`;
