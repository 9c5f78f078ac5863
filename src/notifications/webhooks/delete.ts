import { auditEntry, insertAudit } from '../../accounts/auditLog/entry';
import { idsOf } from '../../platform/database/rows';
import type { Context } from '../../schema/operation/context';
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
