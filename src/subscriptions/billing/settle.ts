/** The outcome of a period's charge and what it makes of the subscription, in one statement. */
import { Prisma } from '../../../prisma/generated/client';
import { type Outcome, settleAll } from '../../charges/card/settle';
import { gathered } from '../../database/batch';
import type { Database } from '../../database/connection';
import type { Changed } from './applyEvent';
import { moving } from './updateRows';

interface Settlement {
  outcome: Outcome;
  changed: Changed;
  /** It becomes visible by this, so its workflow is to be started. */
  begins: boolean;
}

const settleTogether = gathered(
  (db, settlements: readonly Settlement[]) =>
    settleAll(
      db,
      settlements.map(({ changed: { changeId }, outcome }) => ({ changeId, from: 'prepared', outcome })),
      Prisma.sql`${moving(settlements.map(({ changed }) => changed))}, started as (
        insert into outbox (kind, object_id) select 'subscription', id from moved
        where id = any(${settlements.flatMap(({ begins, changed }) => (begins ? [changed.after.id] : []))}::varchar[])
      ),`,
      Prisma.sql`and (t.subscription_id, i.change_id) in (select id, change_id from moved)`,
    ),
  ({ changed }: Settlement) => String(changed.changeId),
);

/** False where somebody else has changed the subscription meanwhile. Those that come together share a statement. */
export async function settleCharge(db: Database, outcome: Outcome, changed: Changed, begins = false): Promise<boolean> {
  return (await settleTogether(db, { outcome, changed, begins })) !== undefined;
}
