import type { PlanModel } from '../../../prisma/generated/models';
import { batchedById } from '../../platform/database/batch';
import { columnsOf, idIn } from '../../platform/database/rows';
import type { Plan } from './fields';

type NarrowPlanColumns = Pick<Plan, 'repeat_unit' | 'retry_schedule' | 'status_after_retry' | 'status'>;
export type PlanRow = Omit<PlanModel, keyof NarrowPlanColumns> & NarrowPlanColumns;

export const narrowPlan = (row: PlanModel): PlanRow => row as PlanRow;

/** Does not check the merchant. */
export const planById = batchedById(
  (db, ids: readonly string[]) =>
    db.$queryRaw<PlanRow[]>`select ${columnsOf('plans')} from plans where id ${idIn(ids)}`,
);
