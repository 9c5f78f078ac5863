/** The time of sandbox objects: real time plus the offset by which their merchant's or customer's clock was moved. */
import type { Prisma } from '../../prisma/generated/client';
import type { Environment } from '../../prisma/generated/enums';

export interface ClockReading {
  /** Seconds ahead of the real time. */
  offset: number;
  now: Date;
}

/** In production the real time, without asking for it. */
export const timeOf = async (
  { db, merchant_id, environment }: { db: Prisma.TransactionClient; merchant_id: string; environment: Environment },
  customer_id: string | null,
): Promise<Date> => (environment === 'production' ? new Date() : (await clockOf(db, merchant_id, customer_id)).now);

export async function clockOf(
  db: Prisma.TransactionClient,
  merchant_id: string,
  customer_id: string | null,
): Promise<ClockReading> {
  const [clock] = await db.$queryRaw<ClockReading[]>`
    select offset_seconds as offset, now() + make_interval(secs => offset_seconds) as now
    from clock_offset_of(${merchant_id}, ${customer_id}) as offset_seconds`;
  return clock ?? { offset: 0, now: new Date() };
}
