/**
 * Changes with a preview, for the commands and the operator page. A confirmed change is applied in one transaction with its
 * audit log entry.
 */
import type { Client } from '@temporalio/client';
import type { Prisma } from '../../../../prisma/generated/client';
import type { AuditAction } from '../../../accounts/auditLog/actions';
import { type AuditOrigin, auditEntry } from '../../../accounts/auditLog/entry';
import { COMMAND_LINE } from '../../../accounts/merchants/accounts';
import type { Database } from '../../../platform/database/connection';
import { wakeWorkers } from '../../../platform/database/outbox';
import { newId } from '../../../platform/identifiers';
import { type OperatorCommand, type Step, toSteps } from '../command';

export interface ChangeRequest {
  db: Database;
  /** Absent without TEMPORAL_ADDRESS. */
  temporal?: Client | undefined;
  newId: typeof newId;
  id: string;
}

export interface PlannedResolution {
  action: AuditAction;
  object_id: string;
  merchant_id: string;
  /** One sentence each. */
  steps: Step[];
  /** Added to the audit log entry. */
  details?: Prisma.InputJsonObject;
  /** Throws if the row has changed since it was planned. */
  write(tx: Prisma.TransactionClient): Promise<unknown>;
  /** Runs after the commit. A crash before it must be harmless. */
  afterCommit?(reason: string): Promise<unknown>;
}

/** Throws if the change is not possible. */
export type ChangePlan = (request: ChangeRequest) => Promise<PlannedResolution>;

export async function applyChange(
  db: Database,
  by: AuditOrigin,
  { action, object_id, merchant_id, details = {}, write, afterCommit }: PlannedResolution,
  reason: string,
): Promise<void> {
  await db.$transaction(async tx => {
    await write(tx);
    const after = { reason, ...details };
    await tx.auditEntry.create({ data: auditEntry(by, action, { object_id, after }, merchant_id) });
  });
  await afterCommit?.(reason);
  await wakeWorkers(db);
}

/** The command that applies the plan, or only shows its steps without `--yes`. */
export const runPlan =
  (plan: ChangePlan): OperatorCommand['run'] =>
  async ({ db, temporal, id, yes = false, options: { reason = '' } }) => {
    const change = await plan({ db, temporal, newId, id });
    if (yes) await applyChange(db, COMMAND_LINE, change, reason);
    const { object_id, merchant_id, steps } = change;
    return { records: { done: yes, id: object_id, merchant_id, reason, steps: toSteps(steps) }, isDryRun: !yes };
  };
