/** What statements ask about holds. */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { BillingHoldModel } from '../../../prisma/generated/models';
import type { Database } from '../../platform/database/connection';
import { merchantsOf } from '../../platform/database/environments';

export const HOLD_SCOPES = ['subscription', 'customer', 'plan', 'merchant', 'everything'] as const;
export type HoldScope = (typeof HOLD_SCOPES)[number];

/** What is held, or may be. */
export interface HoldTarget {
  scope: HoldScope;
  /** Of everything: the environment. */
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

/** The hold that covers a subscription, as its row has it. */
export interface CoveringHold {
  reason: string;
  by: string;
  /** It is one of many that are held at once: only those that are due are told, so the others sleep on. */
  everything: boolean;
  /** In milliseconds. */
  until: number | null;
}

/** From the open holds `h` that cover the subscription `row`, an alias. Without any it looks into an empty index. */
const coveringHolds = (row: string): string => `
  from billing_holds h join merchants held_merchant on held_merchant.id = ${row}.merchant_id
  where h.released_at is null
    and h.object_id in (${row}.id, ${row}.customer_id, ${row}.plan_id, ${row}.merchant_id, held_merchant.environment::text)`;

/** As text, a condition: no hold covers the subscription `row`, an alias. */
export const isUnheld = (row: string): string => `not exists (select ${coveringHolds(row)})`;

/** A column: the hold that covers the subscription `s`, of several that of the least and then the longest; null if there is none. */
export const COVERING_HOLD = Prisma.raw(`(
  select jsonb_build_object('reason', h.reason, 'by', coalesce(h.actor_id, h.actor), 'everything', h.scope = 'everything',
    'until', (extract(epoch from h.until) * 1000)::bigint)
  ${coveringHolds('s')} order by h.scope = 'everything', h.until desc nulls first, h.held_at limit 1)`);

/** A condition on subscriptions `s`. */
export function isCoveredBy({ scope, object_id, environment }: HoldTarget): Prisma.Sql {
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
