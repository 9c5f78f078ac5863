import { auditEntry } from '../../accounts/auditLog/entry';
import type { Context } from '../../schema/operation/context';
import { deleteLocked, deleteUnlocked } from './deliveries/rows';
import { auditedSettings, type WebhookRow } from './rows';

/**
 * Disables the webhook and deletes its deliveries in small transactions. A transaction that holds a lock on a delivery may
 * need the webhook next, so locked deliveries are awaited one by one before the webhook is deleted.
 */
export async function deleteWebhook(context: Context, webhook: WebhookRow): Promise<void> {
  const { db } = context;
  const { id } = webhook;
  const audit = auditEntry(context, 'webhook.deleted', { object_id: id, before: auditedSettings(webhook) });
  await db.$transaction(async tx => {
    const { count } = await tx.webhook.updateMany({ where: { id }, data: { status: 'disabled' } });
    if (count > 0) await tx.auditEntry.create({ data: audit });
  });
  while ((await deleteUnlocked(db, id)) > 0 || (await deleteLocked(db, id)) > 0);
  await db.webhook.deleteMany({ where: { id } });
}
