import { Prisma } from '../../../prisma/generated/client';
import type { DeliveryModel } from '../../../prisma/generated/models';
import { eventBody, loadOutgoingEvents, type OutgoingEvent } from '../../events/list';
import { REPLAN_EACH_TIME } from '../../platform/database/connection';
import { idIn } from '../../platform/database/rows';
import { isId } from '../../platform/identifiers';
import { type BoundedList, readFitting, readPage } from '../../schema/boundedList';
import { toConnection } from '../../schema/connections/connection';
import type { Order } from '../../schema/connections/order';
import { countRecords } from '../../schema/connections/total';
import { pageSlice, type Slice, slicedSql, sliceOf } from '../../schema/connections/window';
import { createdConditions } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import type { DeliveriesPage, DeliveriesWindow, Delivery, DeliveryAttempt, DeliveryConnection } from './deliveryFields';
import type { WebhookRow } from './rows';

type LoggedAttempt = Omit<DeliveryAttempt, 'date'> & { date: string };
export type DeliveryRow = Pick<DeliveryModel, 'id' | 'event_id' | 'creation_date' | 'next_at'> & {
  status: Delivery['status'];
  log: LoggedAttempt[];
};

export function toDelivery(
  { url }: Pick<WebhookRow, 'url'>,
  { id, log, ...row }: DeliveryRow,
  event: OutgoingEvent,
): Delivery {
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

/** Verification by code requires reading the event; a server that only echoes its input has not read it. */
function codeHider({ type, object }: OutgoingEvent): (text: string) => string {
  if (type !== 'verification') return text => text;
  const { verification_code } = JSON.parse(object) as { verification_code: string };
  return text => text.replaceAll(verification_code, '…');
}

/** The sequence orders deliveries of the same moment. */
export type NumberedDelivery = Delivery & { sequence: bigint };

export const BY_SEQUENCE: Order<NumberedDelivery> = {
  name: 'delivery',
  by: ['creation_date', 'sequence'],
  kinds: ['moment', 'number'],
  placeOf: ({ creation_date, sequence }) => [creation_date, sequence],
};

export async function listDeliveries(context: Context, webhook: WebhookRow, page: DeliveriesPage): Promise<Delivery[]> {
  const slice = { ...pageSlice(page), order: BY_SEQUENCE };
  return readPage(context, boundedList(context, webhook, conditionsOf(webhook, page), slice));
}

export async function deliveryConnection(
  context: Context,
  webhook: WebhookRow,
  window: DeliveriesWindow,
): Promise<DeliveryConnection> {
  const conditions = conditionsOf(webhook, window);
  const list = boundedList(context, webhook, conditions, sliceOf(window, BY_SEQUENCE));
  const { records, isCut } = await readFitting(context, list);
  const readTotal = () => countRecords(context.db, 'deliveries', conditions);
  return toConnection(window, records, readTotal, { isCut, order: BY_SEQUENCE });
}

function conditionsOf({ id }: WebhookRow, filters: DeliveriesPage | DeliveriesWindow): Prisma.Sql {
  const { status, event_id } = filters;
  const conditions = [
    Prisma.sql`webhook_id = ${id}`,
    ...createdConditions(filters),
    ...(event_id === undefined ? [] : [isId(event_id) ? Prisma.sql`event_id = ${event_id}` : Prisma.sql`false`]),
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
  ];
  return Prisma.join(conditions, ' and ');
}

function boundedList(
  { db }: Context,
  webhook: WebhookRow,
  conditions: Prisma.Sql,
  slice: Slice,
): BoundedList<NumberedDelivery> {
  const page = slicedSql(conditions, slice);
  const readIds = async (): Promise<string[]> =>
    (await db.$queryRaw<{ id: string }[]>`${REPLAN_EACH_TIME} select id from deliveries ${page}`).map(({ id }) => id);
  return {
    limit: slice.take,
    read: async () => loadDeliveries(db, webhook, await readIds()),
    readIds,
    load: ids => loadDeliveries(db, webhook, ids),
    bytesOf: ({ sequence: _, ...delivery }) => Buffer.byteLength(JSON.stringify(delivery)),
  };
}

/** The attempts of the delivery row `alias`. */
export const attemptsOf = (alias: string): Prisma.Sql =>
  Prisma.raw(`array(
    select to_jsonb(a) - 'sequence' from delivery_attempts a where a.sequence = ${alias}.sequence order by number)`);

/** Keeps the order of the IDs. */
async function loadDeliveries(db: Context['db'], webhook: WebhookRow, ids: string[]): Promise<NumberedDelivery[]> {
  const rows = await db.$queryRaw<(DeliveryRow & { sequence: bigint })[]>`
    select id, event_id, creation_date, next_at, status, sequence, ${attemptsOf('deliveries')} as log
    from deliveries where id ${idIn(ids)}`;
  const events = await loadOutgoingEvents(
    db,
    rows.map(row => row.event_id),
  );
  const eventById = new Map(events.map(event => [event.id, event]));
  const rowById = new Map(rows.map(row => [row.id, row]));
  return ids.flatMap(id => {
    const row = rowById.get(id);
    const event = row && eventById.get(row.event_id);
    return row && event ? [{ ...toDelivery(webhook, row, event), sequence: row.sequence }] : [];
  });
}
