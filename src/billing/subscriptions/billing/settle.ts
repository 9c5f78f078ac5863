/** Writes the outcome of a period's charge and the change of its subscription in one SQL statement. */
import { Prisma } from '../../../../prisma/generated/client';
import { type ChargeOutcome, chargeSettled, settlementParts } from '../../../payments/charges/settle';
import { batchedWrites } from '../../../platform/database/batch';
import type { Database } from '../../../platform/database/connection';
import { idsOf, statement } from '../../../platform/database/rows';
import { observable } from '../../../platform/metrics/observable';
import type { SubscriptionRow } from '../rows';
import type { RowChange } from './applyEvent';
import { updateParts } from './updateRows';

interface AnsweredRenewal {
  /** The row before the answer. */
  subscription: SubscriptionRow;
  outcome: string;
  /** Undefined while the outcome is unknown. */
  at?: Date;
}

/** Published after an answer, or its absence, was recorded. */
export const renewalAnswered = observable<AnsweredRenewal>('recaudo:renewal:answered');

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

/** Writes concurrent outcomes in one batch. Returns false if the subscription's row has changed since it was read. */
export async function settlePeriod(db: Database, outcome: ChargeOutcome, change: RowChange): Promise<boolean> {
  if ((await settleBatch(db, { outcome, change })) === undefined) return false;
  const { row } = outcome;
  chargeSettled.publish({ db, row });
  const { before, lines } = change;
  renewalAnswered.publish({ subscription: before, outcome: lines[0]?.event ?? 'charged', at: row.operation_date });
  return true;
}
