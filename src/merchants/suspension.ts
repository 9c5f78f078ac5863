/** An operator suspends a merchant: it reads on, but moves no money. */
import { type AuditOrigin, auditEntry } from '../auditLog/entry';
import type { Database } from '../database/connection';
import { ApiError } from '../platform/errors';

export const suspendMerchant = (db: Database, by: AuditOrigin, id: string, reason: string): Promise<void> =>
  changeStatus(db, by, id, 'suspended', { reason });

export const resumeMerchant = (db: Database, by: AuditOrigin, id: string): Promise<void> =>
  changeStatus(db, by, id, 'active', {});

/** Written with its audit entry, or refused where it is so already. */
async function changeStatus(
  db: Database,
  by: AuditOrigin,
  id: string,
  status: 'active' | 'suspended',
  after: { reason?: string },
): Promise<void> {
  await db.$transaction(async tx => {
    const { count } = await tx.merchant.updateMany({ where: { id, status: { not: status } }, data: { status } });
    if (count === 0) {
      if (!(await tx.merchant.findUnique({ where: { id } }))) throw new ApiError('not_found');
      throw new ApiError('not_allowed', status === 'active' ? 'It is not suspended' : 'It is suspended already');
    }
    const action = status === 'active' ? 'merchant.resumed' : 'merchant.suspended';
    await tx.auditEntry.create({ data: auditEntry(by, action, { object_id: id, after }, id) });
  });
}
