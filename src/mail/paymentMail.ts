/** The letter with the address of the page on which its payer pays. */
import { pageOf } from '../charges/view';
import type { Database } from '../database/connection';
import { html } from '../platform/html';
import { spellMoney } from '../platform/money';
import type { Letter, Mailer } from './mailer';

/** Not sent to who has nothing to pay any more. */
export async function mailPayment(db: Database, mailer: Mailer, id: string): Promise<void> {
  const row = await db.transaction.findUnique({
    where: { id },
    include: {
      merchant: { select: { name: true, environment: true } },
      owner: { select: { name: true, email: true } },
    },
  });
  if (row?.progress !== 'pending') return;
  const { name, email } = row.owner ?? (row.customer as unknown as { name: string; email: string });
  const letter = {
    name,
    merchant: row.merchant.name,
    amount: spellMoney(row.amount),
    description: row.description ?? '',
  };
  const note = row.merchant.environment === 'sandbox' ? 'Prueba: no se mueve dinero. A test: no money moves.' : '';
  await mailer.send({ to: email, ...spell({ ...letter, note, url: pageOf(row) }) });
}

function spell({ name, merchant, amount, description, note, url }: Record<string, string>): Omit<Letter, 'to'> {
  const lines = [
    `Hola, ${name}:`,
    `${merchant} te pide un pago de ${amount} COP: ${description}`,
    `Paga aquí: ${url}`,
    `${merchant} asks you for a payment of ${amount} COP. Pay at the address above.`,
    'Si no esperabas este mensaje, ignóralo. If you did not expect this message, ignore it.',
    ...(note ? [note] : []),
  ];
  const paragraphs = lines.map(line =>
    line.endsWith(` ${url}`) ? html`<p><a href="${url}">Paga aquí · Pay here</a><br>${url}</p>` : html`<p>${line}</p>`,
  );
  return { subject: `Tu pago a ${merchant}`, text: lines.join('\n\n'), html: html`${paragraphs}`.text };
}
