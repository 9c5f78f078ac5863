/** E-mails a merchant whose webhook was disabled. */
import type { Database } from '../../platform/database/connection';
import { html } from '../../platform/html';
import { type Mailer, oneLine } from './mailer';

export async function sendWebhookDisabledMail(db: Database, mailer: Mailer, id: string): Promise<void> {
  const row = await db.webhook.findUnique({
    where: { id },
    include: { merchant: { select: { name: true, email: true } } },
  });
  if (row?.status !== 'disabled') return;
  const isGone = row.disabled_reason === 'gone';
  const why = isGone ? 'respondió 410 Gone' : 'lleva tres días sin recibir eventos';
  const reason = isGone ? 'it responded 410 Gone' : 'it has received no events for three days';
  const lines = [
    `Hola, ${oneLine(row.merchant.name)}:`,
    `Desactivamos tu webhook ${row.url} porque ${why}. Verifícalo de nuevo para activarlo; los eventos siguen disponibles en GET /events.`,
    `We disabled your webhook ${row.url} because ${reason}. Verify it again to enable it; its events are still available at GET /events.`,
  ];
  const body = { text: lines.join('\n\n'), html: html`${lines.map(line => html`<p>${line}</p>`)}`.text };
  await mailer.send({ to: row.merchant.email, subject: 'Webhook desactivado', ...body });
}
