/**
 * Follow-up work is written in the statement of its cause, as rows of the outbox: a kind, the object, and the
 * environment whose workers handle it.
 */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from './connection';

/**
 * The kinds by group, as the table of their handlers declares them. Workers handle each group separately.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: src/operations/background/outboxHandlers.ts fills it.
export interface OutboxKinds {}
export type OutboxKind<Group extends keyof OutboxKinds = keyof OutboxKinds> = OutboxKinds[Group];

export interface OutboxRecord {
  kind: OutboxKind;
  object_id: string;
  environment: Environment;
}

interface InsertOptions {
  /** An expression; `object` is the row of the query. */
  environment?: Prisma.Sql;
  /** Rows of one merchant that may be thousands are numbered, so that those of other merchants are not behind them. */
  inTurns?: boolean;
}

/** The environment of a merchant, for a statement. */
export const environmentOfMerchant = (merchant_id: string): Prisma.Sql =>
  Prisma.raw(`(select environment from merchants where merchants.id = ${merchant_id})`);

/** Work of one kind for the rows that the query yields, which have `id`, and `merchant_id` unless `environment` is given. */
export const insertOutbox = (
  kind: OutboxKind,
  objects: Prisma.Sql,
  { environment = environmentOfMerchant('object.merchant_id'), inTurns = false }: InsertOptions = {},
): Prisma.Sql => Prisma.sql`
  insert into outbox (kind, object_id, environment, turn)
  select ${kind}, id, ${environment}, ${inTurns ? Prisma.sql`row_number() over ()` : Prisma.sql`0`} from (${objects}) as object`;

/** Workers look for deliveries and for work in the outbox. If the notification is lost, they do so at their next poll. */
export const wakeWorkers = (db: Database): Promise<unknown> => db.$executeRaw`notify deliveries`.catch(() => undefined);
