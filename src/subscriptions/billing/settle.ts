/** Writes the outcome of a period's charge and the change of its subscription in one statement. */
import { Prisma } from '../../../prisma/generated/client';
import { type ChargeOutcome, settleAll } from '../../charges/settle';
import { batched } from '../../database/batch';
import type { Database } from '../../database/connection';
import type { RowChange } from './applyEvent';
import { updateSubscriptionsCte } from './updateRows';

interface PeriodSettlement {
  outcome: ChargeOutcome;
  change: RowChange;
  /** Whether the subscription becomes visible now, so that its workflow is started. */
  isFirst: boolean;
}

const settleBatch = batched(
  (db, settlements: readonly PeriodSettlement[]) =>
    settleAll(
      db,
      settlements.map(({ change: { changeId }, outcome }) => ({ changeId, from: 'prepared', outcome })),
      Prisma.sql`${updateSubscriptionsCte(settlements.map(({ change }) => change))}, started_workflow as (
        insert into outbox (kind, object_id) select 'subscription', id from updated_subscription
        where id = any(${settlements.flatMap(({ isFirst, change }) => (isFirst ? [change.after.id] : []))}::varchar[])
      ),`,
      Prisma.sql`and (t.subscription_id, settlement.change_id) in (select id, change_id from updated_subscription)`,
    ),
  ({ change }: PeriodSettlement) => String(change.changeId),
);

/**
 * False if the subscription's row has changed since it was read. Settlements that arrive together share a statement.
 */
export async function settlePeriod(
  db: Database,
  outcome: ChargeOutcome,
  change: RowChange,
  isFirst = false,
): Promise<boolean> {
  return (await settleBatch(db, { outcome, change, isFirst })) !== undefined;
}
