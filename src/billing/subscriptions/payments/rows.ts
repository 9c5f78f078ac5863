import { Prisma } from '../../../../prisma/generated/client';
import { insertParts } from '../../../payments/charges/pending/rows';
import type { Database } from '../../../platform/database/connection';
import { idsOf, statement } from '../../../platform/database/rows';
import type { RowChange } from '../billing/applyEvent';
import { updateParts } from '../billing/rows';

class RowChanged extends Error {}

/** False if the subscription has changed since it was read, or its customer was deleted. */
export const insertPeriodPayment = (
  db: Database,
  change: RowChange,
  payment: Parameters<typeof insertParts>[0][number],
): Promise<boolean> =>
  db
    .$transaction(async tx => {
      const parts = {
        ...updateParts([change]),
        ...insertParts([payment], Prisma.sql`exists (select from updated_subscription)`),
      };
      const inserted = await tx.$queryRaw<{ id: string }[]>(statement(parts, idsOf('inserted_payment')));
      if (inserted.length === 0) throw new RowChanged();
      return true;
    })
    .catch(error => {
      if (error instanceof RowChanged) return false;
      throw error;
    });
