/** Writes the outcome of a period's charge and the change of its subscription in one statement. */
import { Prisma } from '../../../prisma/generated/client';
import { type ChargeOutcome, settlementParts } from '../../charges/settle';
import { batchedWrites } from '../../database/batch';
import type { Database } from '../../database/connection';
import { idsOf, statement } from '../../database/rows';
import type { RowChange } from './applyEvent';
import { updateParts } from './updateRows';

interface PeriodSettlement {
  outcome: ChargeOutcome;
  change: RowChange;
}

const settleBatch = batchedWrites(
  (db, settlements: readonly PeriodSettlement[]) => {
    const changes = settlements.map(({ change }) => change);
    const outcomes = settlements.map(({ outcome }) => ({ from: 'prepared', outcome }) as const);
    const parts = { ...updateParts(changes), ...settlementParts(outcomes, idsOf('updated_subscription')) };
    return db.$queryRaw<{ id: string }[]>(
      statement(parts, Prisma.sql`select subscription_id as id from settled_charge`),
    );
  },
  ({ change }: PeriodSettlement) => change.after.id,
  ({ id }) => id,
);

/**
 * False if the subscription's row has changed since it was read. Settlements that arrive together share a statement.
 */
export const settlePeriod = async (db: Database, outcome: ChargeOutcome, change: RowChange): Promise<boolean> =>
  (await settleBatch(db, { outcome, change })) !== undefined;
