import type { Database } from '../../../src/platform/database/connection';

/**
 * Resets a charge that the acquirer has made to the state before the response, as if the process had died.
 */
export async function abandonCharge(db: Database, id: string, data: object = {}): Promise<string> {
  await db.$executeRaw`alter table entries disable trigger refuse_change`;
  await db.entry.deleteMany({ where: { transaction_id: id } });
  await db.$executeRaw`alter table entries enable trigger refuse_change`;
  await db.event.deleteMany({ where: { object_id: id } });
  await db.transaction.update({
    where: { id },
    data: {
      status: 'in_progress',
      progress: 'prepared',
      authorization: null,
      fee_amount: null,
      fee_tax: null,
      lease_until: new Date(0),
      ...data,
    },
  });
  return id;
}
