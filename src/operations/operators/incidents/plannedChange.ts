/** Changes with a dry run. A confirmed change is applied in one transaction with its audit log entry. */
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
  /** Added to the audit log entry. */
  details?: Prisma.InputJsonObject;
  /** Throws if the row has changed since it was planned. */
  write(tx: Prisma.TransactionClient): Promise<unknown>;
  /** Runs after the commit. A crash before it must be harmless. */
  afterCommit?(): Promise<unknown>;
}

export async function applyChange(
  { db, yes, options: { reason = '' } }: OperatorCommandInput,
  { action, object_id, merchant_id, steps, details = {}, write, afterCommit }: PlannedChange,
): Promise<CommandResult> {
  const shown = { id: object_id, merchant_id, reason, steps: steps.map((text, i) => ({ step: i + 1, text })) };
  if (!yes) return { records: { done: false, ...shown }, isDryRun: true };
  await db.$transaction(async tx => {
    await write(tx);
    const after = { reason, ...details };
    await tx.auditEntry.create({ data: auditEntry(COMMAND_LINE, action, { object_id, after }, merchant_id) });
  });
  await afterCommit?.();
  await wakeWorkers(db);
  return { records: { done: true, ...shown } };
}
