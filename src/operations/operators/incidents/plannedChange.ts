/** What an operator changes is first said, and done when it is confirmed: with its reason, in one transaction. */
import type { Prisma } from '../../../../prisma/generated/client';
import type { AuditAction } from '../../../accounts/auditLog/actions';
import { auditEntry } from '../../../accounts/auditLog/entry';
import { COMMAND_LINE } from '../../../accounts/merchants/accounts';
import { wakeWorkers } from '../../../platform/database/outbox';
import type { CommandResult, OperatorCommandInput } from '../command';

export interface PlannedChange {
  action: AuditAction;
  object_id: string;
  merchant_id: string;
  /** One sentence each. */
  steps: string[];
  /** What the audit log tells besides the reason. */
  details?: Prisma.InputJsonObject;
  /** Refuses where the database has changed since it was planned. */
  write(tx: Prisma.TransactionClient): Promise<unknown>;
  /** What others are told once it is written. A crash before it must do no harm. */
  afterwards?(): Promise<unknown>;
}

export async function carryOut(
  { db, yes, options: { reason = '' } }: OperatorCommandInput,
  { action, object_id, merchant_id, steps, details = {}, write, afterwards }: PlannedChange,
): Promise<CommandResult> {
  const shown = { id: object_id, merchant_id, reason, steps: steps.map((text, i) => ({ step: i + 1, text })) };
  if (!yes) return { records: { done: false, ...shown }, isDryRun: true };
  await db.$transaction(async tx => {
    await write(tx);
    const after = { reason, ...details };
    await tx.auditEntry.create({ data: auditEntry(COMMAND_LINE, action, { object_id, after }, merchant_id) });
  });
  await afterwards?.();
  await wakeWorkers(db);
  return { records: { done: true, ...shown } };
}
