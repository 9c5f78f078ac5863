/** The log of deliveries, and what is sent again. */
import { Prisma } from '../../prisma/generated/client';
import type { DeliveryModel } from '../../prisma/generated/models';
import type { Context } from '../context';
import { REPLAN_EACH_TIME } from '../database/connection';
import { eventBody, loadSentEvents, type SentEvent } from '../events/list';
import { ApiError } from '../platform/errors';
import { isId, newId } from '../platform/identifiers';
import { createdConditions } from '../schema/list';
import type { DeliveriesPage, Delivery, DeliveryAttempt } from './fields';
import { lockWebhook, type WebhookRow } from './rows';

type LoggedAttempt = Omit<DeliveryAttempt, 'date'> & { date: string };
type DeliveryRow = Pick<DeliveryModel, 'id' | 'event_id' | 'status' | 'creation_date' | 'next_at'> & {
  log: LoggedAttempt[];
};

const shown = ({ url }: WebhookRow, { id, log, ...row }: DeliveryRow, event: SentEvent): Delivery => ({
  id,
  event_id: event.id,
  event_type: event.type,
  status: row.status as Delivery['status'],
  creation_date: row.creation_date,
  next_attempt_date: row.next_at,
  attempts: log.map(({ date, ...attempt }) => ({ ...attempt, date: new Date(date) })),
  request: { url, body: eventBody(event) },
});

/** What is in the queue is new; what is not stands as it says itself. */
export async function listDeliveries({ db }: Context, webhook: WebhookRow, page: DeliveriesPage): Promise<Delivery[]> {
  const { offset, limit, status, event_id } = page;
  if (event_id !== undefined && !isId(event_id)) return [];
  const where = [
    Prisma.sql`d.webhook_id = ${webhook.id}`,
    ...createdConditions(page),
    ...(event_id === undefined ? [] : [Prisma.sql`d.event_id = ${event_id}`]),
    ...(status === undefined ? [] : [Prisma.sql`(q.sequence is null) = ${status !== 'new'}`]),
    ...(status === undefined || status === 'new' ? [] : [Prisma.sql`d.status = ${status}`]),
  ];
  const rows = await db.$queryRaw<DeliveryRow[]>`
    ${REPLAN_EACH_TIME} select id, event_id, creation_date, next_at, status,
      array(select to_jsonb(a) - 'sequence' from delivery_attempts a where a.sequence = page.sequence order by number) as log
    from (
      select d.id, d.sequence, d.event_id, d.creation_date, d.next_at, case when q.sequence is null then d.status else 'new' end as status
      from deliveries d left join delivery_queue q on q.webhook_id = d.webhook_id and q.sequence = d.sequence
      where ${Prisma.join(where, ' and ')} order by d.creation_date desc, d.sequence desc offset ${offset} limit ${limit}) page
    order by creation_date desc, sequence desc`;
  const events = await loadSentEvents(
    db,
    rows.map(row => row.event_id),
  );
  const byId = new Map(events.map(event => [event.id, event]));
  return rows.flatMap(row => {
    const event = byId.get(row.event_id);
    return event ? [shown(webhook, row, event)] : [];
  });
}

/** The same event once more, as a delivery of its own. */
export async function redeliver({ db }: Context, webhook: WebhookRow, delivery_id: string): Promise<Delivery> {
  const { id: webhook_id, status } = webhook;
  // One that is not verified yet has but its verification, which may be wanted again.
  if (status === 'disabled') throw new ApiError('not_allowed', 'The webhook is disabled');
  const old = isId(delivery_id) ? await db.delivery.findUnique({ where: { id: delivery_id, webhook_id } }) : null;
  const [event] = old ? await loadSentEvents(db, [old.event_id]) : [];
  if (!event) throw new ApiError('not_found');
  const data = { id: newId('delivery'), webhook_id, event_id: event.id };
  const made = await db.$transaction(async tx => {
    await lockWebhook(tx, webhook_id);
    return tx.delivery.create({ data });
  });
  return shown(webhook, { ...made, status: 'new', log: [] }, event);
}

/** Those that it chose, and that were sent to all; a thousand at a time, so that nobody waits for long. */
export async function redeliverRange({ db }: Context, webhook: WebhookRow, from: Date, to: Date): Promise<number> {
  const { id, merchant_id, status, event_types } = webhook;
  if (status !== 'verified') throw new ApiError('not_allowed', `The webhook is ${status}`);
  if (to < from) throw new ApiError('invalid_value', 'to is before from');
  let count = 0;
  for (let last: LastRedelivered | undefined = { xact: '0', sequence: 0n, count: 0 }; last; count += last?.count ?? 0)
    last = await redeliverSome(last);
  return count;

  function redeliverSome({ xact, sequence }: LastRedelivered): Promise<LastRedelivered | undefined> {
    return db.$transaction(async tx => {
      await lockWebhook(tx, id);
      const [last] = await tx.$queryRaw<LastRedelivered[]>`
        with chosen as (
          select id, xact, sequence from events
          where merchant_id = ${merchant_id} and (xact, sequence) > (${xact}::xid8, ${sequence})
            and creation_date between ${from} and ${to} and type not in ('verification', 'test')
            and (${event_types.length} = 0 or type = any (${event_types}))
          order by xact, sequence limit 1000
        ), made as (
          insert into deliveries (id, webhook_id, event_id)
          select new_delivery_id(), ${id}, id from chosen order by xact, sequence
        )
        select xact::text as xact, sequence, (select count(*)::integer from chosen) as count from chosen
        order by chosen.xact desc, sequence desc limit 1`;
      return last;
    });
  }
}

interface LastRedelivered {
  xact: string;
  sequence: bigint;
  count: number;
}

/**
 * With its deliveries, a few at a time, so that nobody waits for long; and from the first of them on it gets nothing more. Who is writing one
 * down may want its webhook too, so that one is waited for alone and before.
 */
export async function deleteWebhook({ db }: Context, { id }: WebhookRow): Promise<void> {
  await db.webhook.updateMany({ where: { id }, data: { status: 'disabled' } });
  const deleteSome = () => db.$executeRaw`
    delete from deliveries where id in (select id from deliveries where webhook_id = ${id} limit 1000 for update skip locked)`;
  const deleteOne = () => db.$executeRaw`
    delete from deliveries where id in (select id from deliveries where webhook_id = ${id} limit 1 for update)`;
  while ((await deleteSome()) > 0 || (await deleteOne()) > 0);
  await db.webhook.deleteMany({ where: { id } });
}
