/** Time as objects of the sandbox see it: the real one, and as much later as the clock of their merchant or customer was moved. */
import type { Prisma } from '../../prisma/generated/client';

export interface ClockReading {
  /** In seconds. */
  offset: number;
  now: Date;
}

export async function clockOf(
  db: Prisma.TransactionClient,
  merchant_id: string,
  customer_id: string | null,
): Promise<ClockReading> {
  const [clock] = await db.$queryRaw<ClockReading[]>`
    select clock as offset, now() + make_interval(secs => clock) as now from clock_offset_of(${merchant_id}, ${customer_id}) as clock`;
  return clock ?? { offset: 0, now: new Date() };
}
