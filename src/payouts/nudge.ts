import { Prisma } from '../../prisma/generated/client';
import type { Database } from '../database/connection';
import { insertOutbox } from '../database/outbox';

/** A merchant was suspended or resumed: the workflows of its payouts look at their rows again. */
export const nudgePayoutsOf = (db: Database, merchant_id: string): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      'payout',
      Prisma.sql`select id from transactions where merchant_id = ${merchant_id} and progress = 'sending'`,
    ),
  );
