import { readFitting, readPage } from '../../schema/boundedList';
import { toConnection } from '../../schema/connections/connection';
import { countRecords } from '../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../schema/connections/window';
import type { Context } from '../../schema/operation/context';
import { AUDIT_ACTIONS } from './actions';
import type { AuditArgs, AuditConnectionArgs, AuditEntry, AuditEntryConnection } from './fields';
import { type AuditRow, auditConditions, BY_DATE, boundedList } from './rows';

/** The entries of one merchant, or of all merchants. */
export async function listAuditLog(
  context: Context,
  merchant_id: string | undefined,
  page: AuditArgs,
): Promise<AuditEntry[]> {
  const slice = { ...pageSlice(page), order: BY_DATE };
  const rows = await readPage(context, boundedList(context, auditConditions(merchant_id, page), slice));
  return rows.map(toAuditEntry);
}

export async function auditConnection(
  context: Context,
  merchant_id: string | undefined,
  window: AuditConnectionArgs,
  show = (entry: AuditEntry): AuditEntry => entry,
): Promise<AuditEntryConnection> {
  const conditions = auditConditions(merchant_id, window);
  const list = boundedList(context, conditions, sliceOf(window, BY_DATE));
  const { records, isCut } = await readFitting(context, list);
  const readTotal = () => countRecords(context.db, 'audit_log', conditions);
  const entries = records.map(row => show(toAuditEntry(row)));
  return toConnection(window, entries, readTotal, { isCut, order: BY_DATE });
}

const toAuditEntry = (row: AuditRow): AuditEntry => ({ ...row, description: AUDIT_ACTIONS[row.action] ?? row.action });
