/** Lists and deletes the deliveries of a webhook. */
import { Prisma } from '../../prisma/generated/client';
import type { DeliveryModel } from '../../prisma/generated/models';
import { auditEntry, insertAudit } from '../auditLog/entry';
import type { Context } from '../context';
import { REPLAN_EACH_TIME } from '../database/connection';
import { idsOf, isAmong } from '../database/rows';
import { eventBody, loadOutgoingEvents, type OutgoingEvent } from '../events/list';
import { isId } from '../platform/identifiers';
import { readPage } from '../schema/boundedList';
import { createdConditions } from '../schema/list';
import type { DeliveriesPage, Delivery, DeliveryAttempt } from './fields';
import { auditedSettings, type WebhookRow } from './rows';

type LoggedAttempt = Omit<DeliveryAttempt, 'date'> & { date: string };
type DeliveryRow = Pick<DeliveryModel, 'id' | 'event_id' | 'creation_date' | 'next_at'> & {
  status: Delivery['status'];
  log: LoggedAttempt[];
};

export function toDelivery({ url }: WebhookRow, { id, log, ...row }: DeliveryRow, event: OutgoingEvent): Delivery {
  const hideCode = codeHider(event);
  return {
    id,
    event_id: event.id,
    event_type: event.type,
    status: row.status,
    creation_date: row.creation_date,
    next_attempt_date: row.next_at,
    attempts: log.map(({ date, answer, ...attempt }) => ({
      ...attempt,
      answer: answer && hideCode(answer),
      date: new Date(date),
    })),
    request: { url, body: hideCode(eventBody(event)) },
  };
}

/** Who verifies by the code has to have received it; an address that only repeats what it gets has not read it. */
function codeHider({ type, object }: OutgoingEvent): (text: string) => string {
  if (type !== 'verification') return text => text;
  const { verification_code } = JSON.parse(object) as { verification_code: string };
  return text => text.replaceAll(verification_code, '…');
}

export async function listDeliveries(context: Context, webhook: WebhookRow, page: DeliveriesPage): Promise<Delivery[]> {
  const { db } = context;
  const { offset, limit, status, event_id } = page;
  if (event_id !== undefined && !isId(event_id)) return [];
  const where = [
    Prisma.sql`webhook_id = ${webhook.id}`,
    ...createdConditions(page),
    ...(event_id === undefined ? [] : [Prisma.sql`event_id = ${event_id}`]),
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
  ];
  const matching = Prisma.sql`from deliveries where ${Prisma.join(where, ' and ')}
    order by creation_date desc, sequence desc offset ${offset} limit ${limit}`;
  return readPage(context, {
    limit,
    read: async () => loadDeliveries(db, webhook, await readIds()),
    readIds,
    load: ids => loadDeliveries(db, webhook, ids),
    bytesOf: delivery => Buffer.byteLength(JSON.stringify(delivery)),
  });

  async function readIds(): Promise<string[]> {
    return (await db.$queryRaw<{ id: string }[]>`${REPLAN_EACH_TIME} select id ${matching}`).map(({ id }) => id);
  }
}

/** In the order of the ids. */
async function loadDeliveries(db: Context['db'], webhook: WebhookRow, ids: string[]): Promise<Delivery[]> {
  const rows = await db.$queryRaw<DeliveryRow[]>`
    select id, event_id, creation_date, next_at, status,
      array(
        select to_jsonb(a) - 'sequence' from delivery_attempts a where a.sequence = deliveries.sequence order by number
      ) as log
    from deliveries where id ${isAmong(ids)}`;
  const events = await loadOutgoingEvents(
    db,
    rows.map(row => row.event_id),
  );
  const eventById = new Map(events.map(event => [event.id, event]));
  const rowById = new Map(rows.map(row => [row.id, row]));
  return ids.flatMap(id => {
    const row = rowById.get(id);
    const event = row && eventById.get(row.event_id);
    return row && event ? [toDelivery(webhook, row, event)] : [];
  });
}

/**
 * Deletes a webhook and its deliveries, in small transactions so that nobody waits long; it is disabled first, so it
 * gets nothing new meanwhile. A transaction that holds one of the deliveries may need the webhook's row next, so the
 * locked deliveries are waited for one by one and before the webhook is touched.
 */
export async function deleteWebhook(context: Context, webhook: WebhookRow): Promise<void> {
  const { db } = context;
  const { id } = webhook;
  const audit = auditEntry(context, 'webhook.deleted', { object_id: id, before: auditedSettings(webhook) });
  await db.$executeRaw`
    with disabled_webhook as (update webhooks set status = 'disabled' where id = ${id} returning id)
    ${insertAudit([audit], idsOf('disabled_webhook'))}`;
  const deleteUnlocked = () => db.$executeRaw`
    delete from deliveries where id in (
      select id from deliveries where webhook_id = ${id} limit 1000 for update skip locked)`;
  const deleteLocked = () => db.$executeRaw`
    delete from deliveries where id in (select id from deliveries where webhook_id = ${id} limit 1 for update)`;
  while ((await deleteUnlocked()) > 0 || (await deleteLocked()) > 0);
  await db.webhook.deleteMany({ where: { id } });
}
