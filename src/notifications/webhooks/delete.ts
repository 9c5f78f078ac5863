import { auditEntry } from '../../accounts/auditLog/entry';
import type { Context } from '../../schema/operation/context';
import { deleteLocked, deleteUnlocked } from './deliveries/rows';
import { auditedSettings, type WebhookRow } from './rows';

/**
 * Deletes a webhook and its deliveries, in small transactions so that nobody waits long; it is disabled first, so it
 * gets nothing new meanwhile. A transaction that holds one of the deliveries may need the webhook's row next, so the
 * locked deliveries are waited for one by one and before the webhook is touched.
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
