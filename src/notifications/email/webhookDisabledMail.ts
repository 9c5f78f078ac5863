/** The mail to a merchant whose webhook has failed for three days and is disabled. */
import type { Database } from '../../platform/database/connection';
import { html } from '../../platform/html';
import { type Mailer, oneLine } from './mailer';

export async function sendWebhookDisabledMail(db: Database, mailer: Mailer, id: string): Promise<void> {
  const row = await db.webhook.findUnique({
    where: { id },
    include: { merchant: { select: { name: true, email: true } } },
  });
  if (row?.status !== 'disabled') return;
  const lines = [
    `Hola, ${oneLine(row.merchant.name)}:`,
    `Tu webhook ${row.url} no ha recibido eventos en tres días y quedó desactivado. Verifícalo otra vez para activarlo; los eventos siguen en GET /events.`,
    `Your webhook ${row.url} has received nothing for three days and is disabled. Verify it again to enable it; its events are still at GET /events.`,
  ];
  const body = { text: lines.join('\n\n'), html: html`${lines.map(line => html`<p>${line}</p>`)}`.text };
  await mailer.send({ to: row.merchant.email, subject: 'Webhook desactivado', ...body });
}
