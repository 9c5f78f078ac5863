/** Makes workflows read their rows again after a suspension, a resumption, a billing hold or its release. */
import type { Prisma } from '../../../../../prisma/generated/client';
import { whereMerchant } from '../../../../accounts/merchants/rows';
import type { Database } from '../../../../platform/database/connection';
import type { Created } from '../../../../schema/connections/order';
import { type HoldRow, whereCoveredBy } from '../../../holds/rows';
import { countLive, nudgeNextBatch, queueNudges, whereDueUnderHold } from './rows';

/** Nudges are spread over a period so that one merchant's due subscriptions do not delay those of other merchants. */
const SECONDS_PER_DUE = 0.2;
const SECONDS_PER_NUDGE = 0.01;
const MAX_SPREAD_SECONDS = 7200;

export const nudgeSubscriptionsOfMerchant = async (db: Database, merchant_id: string): Promise<void> =>
  nudgeInBatches(db, whereMerchant(merchant_id));

/** For a hold on everything, only due subscriptions are nudged: the other workflows sleep, and read their rows later. */
export async function nudgeSubscriptionsUnderHold(db: Database, hold: HoldRow): Promise<void> {
  if (hold.scope !== 'everything') return nudgeInBatches(db, whereCoveredBy(hold), hold.over_seconds ?? undefined);
  const due = whereDueUnderHold(hold);
  await queueNudges(db, due, hold.over_seconds ?? (await spreadSeconds(db, due)));
}

/** Schedules each nudge at its own time within the spread. Safe to repeat. */
async function nudgeInBatches(db: Database, condition: Prisma.Sql, over?: number): Promise<void> {
  const seconds = over ?? (await spreadSeconds(db, condition));
  for (let last: Created = { creation_date: new Date('9999-12-31'), id: '' }; ; ) {
    const nudged = await nudgeNextBatch(db, condition, last, seconds);
    if (!nudged) return;
    last = nudged;
  }
}

async function spreadSeconds(db: Database, condition: Prisma.Sql): Promise<number> {
  const { live, due } = await countLive(db, condition);
  return Math.min(MAX_SPREAD_SECONDS, due * SECONDS_PER_DUE + live * SECONDS_PER_NUDGE);
}
