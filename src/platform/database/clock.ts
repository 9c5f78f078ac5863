/** The time of sandbox resources: real time plus the offset of the test clock of their merchant or customer. */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import { batched } from './batch';
import { type Database, queryRows } from './connection';

export interface ClockReading {
  /** Seconds ahead of the real time. */
  offset: number;
  now: Date;
}

interface TimedObject {
  merchant_id: string;
  customer_id: string | null;
}

const nameOf = ({ merchant_id, customer_id }: TimedObject): string => `${merchant_id} ${customer_id ?? ''}`;

const readClocks = (db: Prisma.TransactionClient, owners: readonly TimedObject[]) =>
  queryRows<ClockReading & { id: string }>(
    db,
    Prisma.sql`select id, offset_seconds as offset, now() + make_interval(secs => offset_seconds) as now
      from unnest(${owners.map(nameOf)}::varchar[], ${owners.map(({ merchant_id }) => merchant_id)}::varchar[],
        ${owners.map(({ customer_id }) => customer_id)}::varchar[]) as owner (id, merchant_id, customer_id),
        clock_offset_of(owner.merchant_id, owner.customer_id) as offset_seconds`,
  );

const clockBatch = batched(readClocks, nameOf);

/** Production uses the real time without a query. Concurrent requests share one SQL statement. */
export async function timeOf(
  { db, merchant_id, environment }: { db: Database; merchant_id: string; environment: Environment },
  customer_id: string | null,
): Promise<Date> {
  if (environment === 'production') return new Date();
  return (await clockBatch(db, { merchant_id, customer_id }))?.now ?? new Date();
}

export async function clockOf(
  db: Prisma.TransactionClient,
  merchant_id: string,
  customer_id: string | null,
): Promise<ClockReading> {
  const [clock] = await readClocks(db, [{ merchant_id, customer_id }]);
  return clock ?? { offset: 0, now: new Date() };
}

/** The real time by the clock of the database. */
export async function databaseTime(db: Prisma.TransactionClient): Promise<Date> {
  const [clock] = await db.$queryRaw<{ now: Date }[]>`select now()`;
  return clock?.now ?? new Date();
}
