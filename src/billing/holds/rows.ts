/** Billing hold rows and the SQL conditions on them. */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { BillingHoldModel } from '../../../prisma/generated/models';
import type { Database } from '../../platform/database/connection';
import { merchantsOf } from '../../platform/database/environments';

export const HOLD_SCOPES = ['subscription', 'customer', 'plan', 'merchant', 'everything'] as const;
export type HoldScope = (typeof HOLD_SCOPES)[number];

/** The scope of a hold. */
export interface HoldTarget {
  scope: HoldScope;
  /** The environment for the scope `everything`. */
  object_id: string;
  environment: Environment;
  merchant_id: string | null;
}

export type HoldRow = Omit<BillingHoldModel, 'scope'> & { scope: HoldScope };

export const narrowHold = (row: BillingHoldModel): HoldRow => ({ ...row, scope: row.scope as HoldScope });

export async function findHold(db: Database, id: string): Promise<HoldRow | undefined> {
  const row = await db.billingHold.findUnique({ where: { id } });
  return row ? narrowHold(row) : undefined;
}

/** The hold that covers a subscription. */
export interface CoveringHold {
  reason: string;
  by: string;
  /** The hold covers an environment. Such a hold nudges only due subscriptions. */
  everything: boolean;
  /** Milliseconds since the epoch. */
  until: number | null;
}

/** SQL: open holds `h` that cover the subscription with the alias `row`. Without holds this reads an empty index. */
const coveringHolds = (row: string): string => `
  from billing_holds h join merchants held_merchant on held_merchant.id = ${row}.merchant_id
  where h.released_at is null
    and h.object_id in (${row}.id, ${row}.customer_id, ${row}.plan_id, ${row}.merchant_id, held_merchant.environment::text)`;

/** SQL condition as text: no hold covers the subscription with the alias `row`. */
export const whereNotHeld = (row: string): string => `not exists (select ${coveringHolds(row)})`;

/** SQL column: the hold of the subscription `s`, or null. The narrowest scope wins, then the longest hold. */
export const COVERING_HOLD = Prisma.raw(`(
  select jsonb_build_object('reason', h.reason, 'by', coalesce(h.actor_id, h.actor), 'everything', h.scope = 'everything',
    'until', (extract(epoch from h.until) * 1000)::bigint)
  ${coveringHolds('s')} order by h.scope = 'everything', h.until desc nulls first, h.held_at limit 1)`);

/** SQL condition on subscriptions `s`. */
export function whereCoveredBy({ scope, object_id, environment }: HoldTarget): Prisma.Sql {
  switch (scope) {
    case 'subscription':
      return Prisma.sql`s.id = ${object_id}`;
    case 'customer':
      return Prisma.sql`s.customer_id = ${object_id}`;
    case 'plan':
      return Prisma.sql`s.plan_id = ${object_id}`;
    case 'merchant':
      return Prisma.sql`s.merchant_id = ${object_id}`;
    case 'everything':
      return Prisma.sql`s.merchant_id in (${merchantsOf([environment])})`;
  }
}
