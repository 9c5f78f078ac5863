/** The outcome of a period's charge and what it makes of the subscription, in one statement. */
import { Prisma } from '../../../prisma/generated/client';
import { type ChargeOutcome, settleAll } from '../../charges/card/settle';
import { batched } from '../../database/batch';
import type { Database } from '../../database/connection';
import type { RowChange } from './applyEvent';
import { updateSubscriptionsCte } from './updateRows';

interface PeriodSettlement {
  outcome: ChargeOutcome;
  changed: RowChange;
  /** It becomes visible by this, so its workflow is to be started. */
  begins: boolean;
}

const settleBatch = batched(
  (db, settlements: readonly PeriodSettlement[]) =>
    settleAll(
      db,
      settlements.map(({ changed: { changeId }, outcome }) => ({ changeId, from: 'prepared', outcome })),
      Prisma.sql`${updateSubscriptionsCte(settlements.map(({ changed }) => changed))}, started as (
        insert into outbox (kind, object_id) select 'subscription', id from moved
        where id = any(${settlements.flatMap(({ begins, changed }) => (begins ? [changed.after.id] : []))}::varchar[])
      ),`,
      Prisma.sql`and (t.subscription_id, i.change_id) in (select id, change_id from moved)`,
    ),
  ({ changed }: PeriodSettlement) => String(changed.changeId),
);

/** False where somebody else has changed the subscription meanwhile. Those that come together share a statement. */
export async function settlePeriod(
  db: Database,
  outcome: ChargeOutcome,
  changed: RowChange,
  begins = false,
): Promise<boolean> {
  return (await settleBatch(db, { outcome, changed, begins })) !== undefined;
}
