/** The card forms of portals: one row per customer, from its first link on. */
import { Prisma } from '../../../prisma/generated/client';
import { NEW_LEASE } from '../../payments/charges/rows';
import type { Database } from '../../platform/database/connection';
import type { FormOutcome } from '../payerPages/rows';

export interface PortalRow {
  customer_id: string;
  attempts: number;
  declines: number;
  /** The error of the latest form. */
  error_code: number | null;
  /** Whether a form is being processed. */
  is_busy: boolean;
  /** False after a crash too. */
  has_ended: boolean;
}

/** A link is valid for an hour, and so are the declines that close its form. */
const DECLINES = Prisma.raw(`case when attempt_date > now() - interval '1 hour' then declines else 0 end`);

export const openPortal = (db: Database, customer_id: string): Promise<number> =>
  db.$executeRaw`insert into customer_portals (customer_id) values (${customer_id}) on conflict do nothing`;

export async function findPortal(db: Database, customer_id: string): Promise<PortalRow | undefined> {
  const [row] = await db.$queryRaw<PortalRow[]>`
    select customer_id, attempts, ${DECLINES} as declines, error_code, coalesce(lease_until > now(), false) as is_busy,
      lease_until is null as has_ended
    from customer_portals where customer_id = ${customer_id}`;
  return row;
}

/** Begins an attempt, of which a customer has one at a time. `attempts` is their number when the form was shown. */
export async function startAttempt(db: Database, { customer_id, attempts }: PortalRow): Promise<boolean> {
  const started = await db.$executeRaw`
    update customer_portals set attempts = attempts + 1, attempt_date = now(), lease_until = ${NEW_LEASE},
      declines = ${DECLINES}, error_code = null
    where customer_id = ${customer_id} and attempts = ${attempts} and (lease_until is null or lease_until < now())`;
  return started > 0;
}

/** A later attempt keeps its lease. */
export const endAttempt = (
  db: Database,
  { customer_id, attempts }: PortalRow,
  { error_code, approved }: FormOutcome,
): Promise<number> =>
  db.$executeRaw`
    update customer_portals set lease_until = null, error_code = ${error_code},
      declines = ${approved === undefined ? Prisma.sql`declines` : approved ? 0 : Prisma.sql`declines + 1`}
    where customer_id = ${customer_id} and attempts = ${attempts + 1}`;
