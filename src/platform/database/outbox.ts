/**
 * Follow-up work is written in the statement of its cause, as rows of the outbox: a kind, and the object that it is
 * about. Who handles them is said in src/operations/background/outbox.ts.
 */
import { Prisma } from '../../../prisma/generated/client';
import type { Database } from './connection';

export const OUTBOX_KINDS = [
  'bank_account_mail',
  'delivery',
  'due_expiry',
  'ended_mail',
  'expiry',
  'hold',
  'live_approved_mail',
  'live_operator_mail',
  'live_refused_mail',
  'live_returned_mail',
  'live_submitted_mail',
  'merchant',
  'nudge',
  'past_due_mail',
  'payment_mail',
  'payout',
  'recovered_mail',
  'settlement',
  'subscription',
  'unpaid_mail',
  'webhook_mail',
] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

export interface OutboxRecord {
  kind: OutboxKind;
  object_id: string;
}

/**
 * Work of one kind for the objects whose ids the query `ids` yields. Where they may be thousands of one merchant, each
 * has a turn, and whoever has fewer goes first, so that nobody with a few waits behind them.
 */
export const insertOutbox = (kind: OutboxKind, ids: Prisma.Sql, { inTurns = false } = {}): Prisma.Sql => Prisma.sql`
  insert into outbox (kind, object_id, turn)
  select ${kind}, id, ${inTurns ? Prisma.sql`row_number() over ()` : Prisma.sql`0`} from (${ids}) as object`;

/** Workers look for deliveries and for work in the outbox. If it is lost, they do so at their next poll. */
export const wakeWorkers = (db: Database): Promise<unknown> => db.$executeRaw`notify deliveries`.catch(() => undefined);
