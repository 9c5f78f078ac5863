import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import { insertOutbox } from '../../platform/database/outbox';

/** A merchant was suspended or resumed: the workflows of its payouts look at their rows again. */
export const nudgePayoutsOf = (db: Database, merchant_id: string): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      'payout',
      Prisma.sql`select id, merchant_id from transactions where merchant_id = ${merchant_id} and progress = 'sending'`,
    ),
  );
