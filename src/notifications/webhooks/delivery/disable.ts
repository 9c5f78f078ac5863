import type { Database } from '../../../platform/database/connection';
import { newId } from '../../../platform/identifiers';
import { rendererOf } from '../../../schema/render';
import { Webhook } from '../fields';
import { narrowWebhook, toWebhook } from '../rows';
import type { FailedWebhook } from './attempts/rows';

const MAX_FAILING_MS = 3 * 86_400_000;

const render = rendererOf(Webhook);

/**
 * Disables webhooks whose endpoint is gone, or without a successful delivery for three days, with an event and an e-mail to
 * the merchant.
 */
export const disableWebhooks = (db: Database, failed: readonly FailedWebhook[]): Promise<void> =>
  db.$transaction(async tx => {
    const ids = failed.map(({ webhook_id }) => webhook_id);
    const rows = await tx.webhook.updateManyAndReturn({
      where: { id: { in: ids }, status: 'verified', failing_since: { lt: new Date(Date.now() - MAX_FAILING_MS) } },
      data: { status: 'disabled', disabled_reason: 'failing' },
    });
    for (const { webhook_id: id, url, is_gone } of failed) {
      if (!is_gone) continue;
      // Only while it has the URL that responded.
      const where = { id, url, status: { not: 'disabled' } };
      const data = { status: 'disabled', disabled_reason: 'gone' };
      rows.push(...(await tx.webhook.updateManyAndReturn({ where, data })));
    }
    for (const row of rows) {
      await tx.event.create({
        data: {
          id: newId('event'),
          merchant_id: row.merchant_id,
          type: 'webhook.disabled',
          object_id: row.id,
          object: render(toWebhook(narrowWebhook(row))) as object,
          creation_date: new Date(),
        },
      });
      const { environment } = await tx.merchant.findUniqueOrThrow({ where: { id: row.merchant_id } });
      await tx.outbox.create({ data: { kind: 'webhook_mail', object_id: row.id, environment } });
    }
  });
