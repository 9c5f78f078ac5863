/** The mail to a merchant whose payouts go to another bank account from now on: whoever did not do that must know. */
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
    `Desde ahora los pagos a tu comercio van a la cuenta ${account}. Si no fuiste tú, cambia tus llaves y escríbenos enseguida.`,
    `From now on your payouts go to the account ${account}. If that was not you, replace your keys and write to us at once.`,
  ];
  const body = { text: lines.join('\n\n'), html: html`${lines.map(line => html`<p>${line}</p>`)}`.text };
  await mailer.send({ to: row.merchant.email, subject: 'Cambió la cuenta bancaria de tu comercio', ...body });
}
