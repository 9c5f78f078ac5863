/** Reads the rows of a timeline. Each query uses an index and is limited to the page. */
import type { Environment } from '../../../../prisma/generated/enums';
import { type SubscriptionRow, subscriptionById } from '../../../billing/subscriptions/rows';
import { findTransaction, narrowTransaction, type TransactionRow } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';

export const STORY_KINDS = ['subscription', 'transaction', 'delivery', 'event', 'customer', 'plan'] as const;

export interface TimelineSubject {
  kind: (typeof STORY_KINDS)[number];
  id: string;
  merchant_id: string;
  environment: Environment;
  subscription?: SubscriptionRow;
  /** Newest first. */
  transactions: TransactionRow[];
  /** For a delivery or event: the only event of the timeline. */
  event_id?: string;
}

const NEWEST = [{ creation_date: 'desc' }, { id: 'desc' }] as const;

export async function findSubject(db: Database, id: string, limit: number): Promise<TimelineSubject> {
  const subscription = await subscriptionById(db, id);
  if (subscription) {
    const { merchant_id, environment } = subscription;
    const rows = await db.transaction.findMany({ where: { subscription_id: id }, orderBy: [...NEWEST], take: limit });
    const transactions = rows.map(narrowTransaction);
    return { kind: 'subscription', id, merchant_id, environment, subscription, transactions };
  }
  const transaction = await findTransaction(db, { id });
  if (transaction) {
    const { merchant_id } = transaction;
    const refunds = await db.transaction.findMany({ where: { parent_id: id }, orderBy: [...NEWEST], take: limit });
    const transactions = [...refunds.map(narrowTransaction), transaction];
    return { kind: 'transaction', id, merchant_id, environment: await environmentOf(db, merchant_id), transactions };
  }
  for (const kind of ['customer', 'plan'] as const) {
    const owner = await findOwner(db, kind, id);
    if (owner) return { kind, id, ...owner, transactions: [] };
  }
  const delivery = await db.delivery.findUnique({ where: { id }, select: { event_id: true } });
  const event_id = delivery?.event_id ?? id;
  const event = await db.event.findUnique({ where: { id: event_id }, select: { merchant_id: true } });
  if (!event) throw new ApiError('not_found', 'unknown_record', { id });
  const { merchant_id } = event;
  const environment = await environmentOf(db, merchant_id);
  return { kind: delivery ? 'delivery' : 'event', id, merchant_id, environment, transactions: [], event_id };
}

/** Also finds deleted customers and plans. */
async function findOwner(db: Database, kind: 'customer' | 'plan', id: string) {
  const query = { where: { id }, select: { merchant_id: true, merchant: { select: { environment: true } } } } as const;
  const row = await (kind === 'plan' ? db.plan.findUnique(query) : db.customer.findUnique(query));
  return row && { merchant_id: row.merchant_id, environment: row.merchant.environment };
}

const environmentOf = async (db: Database, id: string): Promise<Environment> =>
  (await db.merchant.findUniqueOrThrow({ where: { id }, select: { environment: true } })).environment;

export async function readTimeline(db: Database, subject: TimelineSubject, limit: number) {
  const { id, subscription, transactions, event_id } = subject;
  const ids = [...new Set([id, ...transactions.map(row => row.id)])];
  const lines = subscription
    ? { subscription_id: id }
    : { subscription_id: transactions.at(-1)?.subscription_id ?? '', transaction_id: id };
  const events = await db.event.findMany({
    where: event_id === undefined ? { object_id: { in: ids } } : { id: event_id },
    orderBy: [{ recorded_at: 'desc' }, { sequence: 'desc' }],
    take: limit,
    select: { id: true, type: true, object_id: true, creation_date: true, recorded_at: true },
  });
  const deliveries = await db.delivery.findMany({
    where: subject.kind === 'delivery' ? { id } : { event_id: { in: events.map(event => event.id) } },
    include: { webhook: { select: { url: true, status: true } } },
    orderBy: { creation_date: 'desc' },
    take: limit,
  });
  // Audit log entries and outbox rows refer to deliveries as well as to their events.
  const audited = [...new Set([...ids, ...events.map(event => event.id), ...deliveries.map(each => each.id)])];
  const [history, made, entries, outbox, audit] = await Promise.all([
    db.subscriptionLine.findMany({ where: lines, orderBy: { id: 'desc' }, take: limit }),
    db.deliveryAttempt.findMany({
      where: { sequence: { in: deliveries.map(each => each.sequence) } },
      orderBy: { date: 'desc' },
      take: limit,
      select: { sequence: true, number: true, date: true, status: true, error: true, duration: true },
    }),
    db.entry.findMany({
      where: { transaction_id: { in: ids } },
      orderBy: { creation_date: 'desc' },
      take: limit,
      select: { movement: true, account: true, amount: true, creation_date: true },
    }),
    db.outbox.findMany({ where: { object_id: { in: audited } }, orderBy: { id: 'desc' }, take: limit }),
    db.auditEntry.findMany({ where: { object_id: { in: audited } }, orderBy: { id: 'desc' }, take: limit }),
  ]);
  const idOf = new Map(deliveries.map(each => [each.sequence, each.id]));
  const attempts = made.map(({ sequence, ...attempt }) => ({ delivery_id: idOf.get(sequence) ?? '', ...attempt }));
  return { events, deliveries, history, attempts, entries, outbox, audit };
}

export type TimelineRows = Awaited<ReturnType<typeof readTimeline>>;
