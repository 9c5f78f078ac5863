/** Follow-up work is inserted into the outbox by the SQL statement that causes it. */
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
  /** An SQL expression; `object` is the row of the query. */
  environment?: Prisma.Sql;
  /** Numbers the rows of a large batch, so that it does not delay the work of other merchants. */
  inTurns?: boolean;
}

export const environmentOfMerchant = (merchant_id: string): Prisma.Sql =>
  Prisma.raw(`(select environment from merchants where merchants.id = ${merchant_id})`);

/** `objects` is a query with the columns `id` and, unless `environment` is given, `merchant_id`. */
export const insertOutbox = (
  kind: OutboxKind,
  objects: Prisma.Sql,
  { environment = environmentOfMerchant('object.merchant_id'), inTurns = false }: InsertOptions = {},
): Prisma.Sql => Prisma.sql`
  insert into outbox (kind, object_id, environment, turn)
  select ${kind}, id, ${environment}, ${inTurns ? Prisma.sql`row_number() over ()` : Prisma.sql`0`} from (${objects}) as object`;

/** Wakes the workers that poll deliveries and the outbox. A lost notification only means that they wait for the next poll. */
export const wakeWorkers = (db: Database): Promise<unknown> => db.$executeRaw`notify deliveries`.catch(() => undefined);
