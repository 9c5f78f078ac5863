import { Prisma } from '../../../prisma/generated/client';
import type { PlanModel } from '../../../prisma/generated/models';
import type { Metadata } from '../../payments/metadata/metadata';
import { metadataList } from '../../payments/metadata/rows';
import { batchedById } from '../../platform/database/batch';
import type { Database } from '../../platform/database/connection';
import { columnsOf, idIn } from '../../platform/database/rows';
import { type Conditions, slicedSql, toSql } from '../../schema/connections/rows';
import type { Slice } from '../../schema/connections/window';
import type { PlanTerms } from '../subscriptions/rules/prices';
import type { Plan } from './fields';

type NarrowPlanColumns = Pick<Plan, 'repeat_unit' | 'retry_schedule' | 'status_after_retry' | 'status'> & {
  metadata: Metadata | null;
};
export type PlanRow = Omit<PlanModel, keyof NarrowPlanColumns> & NarrowPlanColumns;

export const narrowPlan = (row: PlanModel): PlanRow => row as PlanRow;

const COLUMNS = columnsOf('plans');

/** Does not check the merchant. */
export const planById = batchedById(
  (db, ids: readonly string[]) => db.$queryRaw<PlanRow[]>`select ${COLUMNS} from plans where id ${idIn(ids)}`,
);

/** Newest first. */
export function planList(db: Database, where: Conditions, slice: Slice) {
  const page = Prisma.sql`from plans ${slicedSql(toSql(where), slice)}`;
  return metadataList<PlanRow>({
    limit: slice.take,
    read: () => db.$queryRaw`select ${COLUMNS} ${page}`,
    readIds: () => db.$queryRaw`select id ${page}`,
    find: id => planById(db, id),
  });
}

export const termsOf = (plan: PlanRow): PlanTerms => ({
  plan_id: plan.id,
  plan_name: plan.name,
  plan_iva: plan.iva,
  amount: plan.amount,
  repeat_every: plan.repeat_every,
  repeat_unit: plan.repeat_unit,
  retry_times: plan.retry_times,
  retry_schedule: plan.retry_schedule,
  status_after_retry: plan.status_after_retry,
});
