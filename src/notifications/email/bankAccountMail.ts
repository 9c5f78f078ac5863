/**
 * E-mails a merchant whose bank account changed, since an intruder could redirect the payouts. A change that waits is also
 * reported to the earlier addresses, and its link stops it.
 */
import { formatMoment } from '../../../workflows/calendar';
import type { Database } from '../../platform/database/connection';
import { html } from '../../platform/html';
import { type Mailer, oneLine } from './mailer';

const DAY_MS = 86_400_000;
/** A changed e-mail address still receives the warnings for this time. */
export const FORMER_EMAIL_DAYS = 30;

export async function sendBankAccountMail(db: Database, mailer: Mailer, id: string): Promise<void> {
  const since = new Date(Date.now() - FORMER_EMAIL_DAYS * DAY_MS);
  const former_emails = { where: { replaced_at: { gt: since } }, select: { email: true } };
  const row = await db.bankAccount.findUnique({
    where: { id },
    include: { merchant: { select: { name: true, email: true, former_emails } } },
  });
  if (!row) return;
  const { merchant, page_key, page_origin, effective_at } = row;
  const account = `${oneLine(row.bank)} ${row.number}`;
  const [day, time] = formatMoment(effective_at.getTime()).split('T');
  const at = `${day} ${time?.slice(0, 5)}`;
  const lines =
    page_key === null
      ? [
          `A partir de ahora, los desembolsos de tu comercio van a la cuenta ${account}. Si no hiciste este cambio, reemplaza tus llaves y escríbenos de inmediato.`,
          `From now on, your payouts go to the account ${account}. If you did not make this change, replace your keys and contact us immediately.`,
        ]
      : [
          `Desde el ${at} (hora de Bogotá), los desembolsos de tu comercio irán a la cuenta ${account}. Si no hiciste este cambio, detenlo y reemplaza tus llaves.`,
          `From ${at} (Bogotá time), your payouts will go to the account ${account}. If you did not make this change, stop it and replace your keys.`,
          `Detén el cambio · Stop the change: ${page_origin}/bank-accounts/${page_key}`,
        ];
  const text = [`Hola, ${oneLine(merchant.name)}:`, ...lines];
  const body = { text: text.join('\n\n'), html: html`${text.map(line => html`<p>${line}</p>`)}`.text };
  const addresses = new Set([merchant.email, ...merchant.former_emails.map(({ email }) => email)]);
  for (const to of addresses) await mailer.send({ to, subject: 'Cambió la cuenta bancaria de tu comercio', ...body });
}
