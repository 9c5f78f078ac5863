import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import { insertOutbox } from '../../platform/database/outbox';

/** Makes the merchant's payout workflows read their rows again after a suspension or resumption. */
export const nudgePayoutsOf = (db: Database, merchant_id: string): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      'payout',
      Prisma.sql`select id, merchant_id from transactions where merchant_id = ${merchant_id} and progress = 'sending'`,
    ),
  );
