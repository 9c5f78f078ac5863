/** Writes the outcome of a period's charge and the change of its subscription in one statement. */
import { Prisma } from '../../../../prisma/generated/client';
import { type ChargeOutcome, countCharge, settlementParts } from '../../../payments/charges/settle';
import { batchedWrites } from '../../../platform/database/batch';
import type { Database } from '../../../platform/database/connection';
import { idsOf, statement } from '../../../platform/database/rows';
import { renewalLateness } from '../../../platform/metrics/counters';
import { countRenewal } from '../../../platform/metrics/renewalMinutes';
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
export async function settlePeriod(db: Database, outcome: ChargeOutcome, change: RowChange): Promise<boolean> {
  if ((await settleBatch(db, { outcome, change })) === undefined) return false;
  countPeriod(outcome, change);
  return true;
}

/** For the metrics. The first charge of a subscription without a trial is no renewal. */
function countPeriod({ row }: ChargeOutcome, { before, lines }: RowChange): void {
  const { environment, status, open, due_at } = before;
  countCharge(environment, row);
  if (status === 'new') return;
  countRenewal(environment, lines[0]?.event ?? 'charged');
  // An attempt that somebody asked for is due when it is made.
  const lateness = (row.operation_date.getTime() - due_at.getTime()) / 1000;
  if (!open?.free) renewalLateness.observe({ environment }, Math.max(0, lateness));
}
