/** The log of deliveries, and what is sent again. */
import type { Prisma } from '../../prisma/generated/client';
import type { Context } from '../context';
import { ApiError } from '../errors';
import { eventBody } from '../events/list';
import { isId } from '../identifiers';
import { newestFirst, within } from '../schema/list';
import type { DeliveriesPage, Delivery } from './fields';
import type { WebhookRow } from './rows';

const WHOLE = { event: true, webhook: { select: { url: true } }, log: { orderBy: { number: 'asc' } } } as const;
type Whole = Prisma.DeliveryGetPayload<{ include: typeof WHOLE }>;

const shown = ({ id, event, webhook, log, ...row }: Whole): Delivery => ({
  id,
  event_id: event.id,
  event_type: event.type,
  status: row.status as Delivery['status'],
  creation_date: row.creation_date,
  next_attempt_date: row.status === 'retrying' ? row.next_at : null,
  attempts: log.map(({ number, creation_date: date, status, answer, error, ms: duration }) => ({
    number,
    date,
    status,
    answer,
    error,
    duration,
  })),
  request: { url: webhook.url, body: eventBody(event) },
});

export async function listDeliveries(
  { db }: Context,
  { id: webhook_id }: WebhookRow,
  { offset: skip, limit: take, status, event_id, ...filters }: DeliveriesPage,
): Promise<Delivery[]> {
  const where = { webhook_id, status, event_id, ...within(filters) };
  return (await db.delivery.findMany({ where, orderBy: [...newestFirst], skip, take, include: WHOLE })).map(shown);
}

/** The same event once more, as a delivery of its own. */
export async function redeliver(
  { db }: Context,
  { id: webhook_id, status }: WebhookRow,
  delivery_id: string,
): Promise<Delivery> {
  // One that is not verified yet has but its verification, which may be wanted again.
  if (status === 'disabled') throw new ApiError('not_allowed', 'The webhook is disabled');
  const old = isId(delivery_id) ? await db.delivery.findUnique({ where: { id: delivery_id, webhook_id } }) : null;
  if (!old) throw new ApiError('not_found');
  const [made] = await db.$queryRaw<{ id: string }[]>`
    with new as (
      insert into deliveries (id, webhook_id, event_id, object_id) select new_delivery_id(), webhook_id, event_id, object_id
      from deliveries where id = ${old.id} returning id
    ) select id, pg_notify('deliveries', '')::text from new`;
  return shown(await db.delivery.findUniqueOrThrow({ where: { id: made?.id ?? '' }, include: WHOLE }));
}

/** Those that it chose, and that were sent to all. */
export async function redeliverRange({ db }: Context, webhook: WebhookRow, from: Date, to: Date): Promise<number> {
  const { id, merchant_id, status } = webhook;
  if (status !== 'verified') throw new ApiError('not_allowed', `The webhook is ${status}`);
  if (to < from) throw new ApiError('invalid_value', 'to is before from');
  const [made] = await db.$queryRaw<{ count: bigint }[]>`
    with new as (
      insert into deliveries (id, webhook_id, event_id, object_id)
      select new_delivery_id(), ${id}, e.id, e.object_id from events e join webhooks w on w.id = ${id}
      where e.merchant_id = ${merchant_id} and e.creation_date between ${from} and ${to} and e.type not in ('verification', 'test')
        and (cardinality(w.event_types) = 0 or e.type = any (w.event_types))
      order by e.xact, e.sequence returning id
    ) select count(*) as count, pg_notify('deliveries', '')::text from new`;
  return Number(made?.count ?? 0);
}
