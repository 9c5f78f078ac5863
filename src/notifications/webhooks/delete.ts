import { auditEntry, insertAudit } from '../../accounts/auditLog/entry';
import { idsOf } from '../../platform/database/rows';
import type { Context } from '../../schema/operation/context';
import { auditedSettings, type WebhookRow } from './rows';

/**
 * Disables the webhook and deletes its deliveries in small transactions. A transaction that holds a lock on a delivery may
 * need the webhook next, so locked deliveries are awaited one by one before the webhook is deleted.
 */
export async function deleteWebhook(context: Context, webhook: WebhookRow): Promise<void> {
  const { db } = context;
  const { id } = webhook;
  const audit = auditEntry(context, 'webhook.deleted', { object_id: id, before: auditedSettings(webhook) });
  await db.$executeRaw`
    with disabled_webhook as (update webhooks set status = 'disabled' where id = ${id} returning id)
    ${insertAudit([audit], idsOf('disabled_webhook'))}`;
  const deleteUnlocked = () => db.$executeRaw`
    delete from deliveries where id in (
      select id from deliveries where webhook_id = ${id} limit 1000 for update skip locked)`;
  const deleteLocked = () => db.$executeRaw`
    delete from deliveries where id in (select id from deliveries where webhook_id = ${id} limit 1 for update)`;
  while ((await deleteUnlocked()) > 0 || (await deleteLocked()) > 0);
  await db.webhook.deleteMany({ where: { id } });
}
