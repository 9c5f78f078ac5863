/** E-mails a merchant whose bank account changed, since an intruder could redirect the payouts. */
import type { Database } from '../../platform/database/connection';
import { html } from '../../platform/html';
import { type Mailer, oneLine } from './mailer';

export async function sendBankAccountMail(db: Database, mailer: Mailer, id: string): Promise<void> {
  const row = await db.bankAccount.findUnique({
    where: { id },
    include: { merchant: { select: { name: true, email: true } } },
  });
  if (!row) return;
  const account = `${oneLine(row.bank)} ${row.number}`;
  const lines = [
    `Hola, ${oneLine(row.merchant.name)}:`,
    `A partir de ahora, los desembolsos de tu comercio van a la cuenta ${account}. Si no hiciste este cambio, reemplaza tus llaves y escríbenos de inmediato.`,
    `From now on, your payouts go to the account ${account}. If you did not make this change, replace your keys and contact us immediately.`,
  ];
  const body = { text: lines.join('\n\n'), html: html`${lines.map(line => html`<p>${line}</p>`)}`.text };
  await mailer.send({ to: row.merchant.email, subject: 'Cambió la cuenta bancaria de tu comercio', ...body });
}
