/** The mail with the link to the payment page. */
import { narrowTransaction } from '../charges/rows';
import { paymentPageUrl } from '../charges/view';
import type { Database } from '../database/connection';
import { html } from '../platform/html';
import { displayMoney } from '../platform/money';
import { type Mail, type Mailers, oneLine } from './mailer';

/** Until a merchant that is suspended is asked about again: its payers cannot pay meanwhile. */
const SUSPENDED_PAUSE_MS = 600_000;

/** Sends nothing if the payment is not pending any more, and nothing yet while the merchant is suspended. */
export async function sendPaymentMail(db: Database, mailers: Mailers, id: string): Promise<void> {
  const found = await db.transaction.findUnique({
    where: { id },
    include: {
      merchant: { select: { name: true, environment: true, status: true } },
      owner: { select: { name: true, email: true } },
    },
  });
  if (found?.progress !== 'pending') return;
  const { merchant, owner, ...model } = found;
  if (merchant.status === 'suspended') {
    const again_at = new Date(Date.now() + SUSPENDED_PAUSE_MS);
    await db.outbox.create({ data: { kind: 'payment_mail', object_id: id, again_at } });
    return;
  }
  const row = narrowTransaction(model);
  const payer = owner ?? row.customer;
  if (!payer) throw new Error(`the payment ${id} has no payer`);
  const details = {
    name: oneLine(payer.name),
    merchant: oneLine(merchant.name),
    amount: displayMoney(row.amount),
    description: oneLine(row.description ?? ''),
  };
  const note = merchant.environment === 'sandbox' ? 'Prueba: no se mueve dinero. A test: no money moves.' : '';
  await mailers[merchant.environment]?.send({
    to: payer.email,
    ...compose({ ...details, note, url: paymentPageUrl(row) }),
  });
}

function compose({ name, merchant, amount, description, note, url }: Record<string, string>): Omit<Mail, 'to'> {
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
