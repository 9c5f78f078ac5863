/** E-mails the link to the payment page. */

import { logoUrl } from '../../accounts/merchants/profile';
import { narrowTransaction } from '../../payments/charges/rows';
import { paymentPageUrl } from '../../payments/charges/view';
import type { Database } from '../../platform/database/connection';
import { displayMoney } from '../../platform/money';
import { type Mailers, oneLine } from './mailer';
import { composePayerEmail, EMAIL_COLUMNS, SUSPENDED_PAUSE_MS } from './payerEmail';

/** Sends nothing if the payment is not pending any more, and nothing yet while the merchant is suspended. */
export async function sendPaymentMail(db: Database, mailers: Mailers, id: string): Promise<void> {
  const found = await db.transaction.findUnique({
    where: { id },
    include: {
      merchant: { select: EMAIL_COLUMNS },
      owner: { select: { name: true, email: true } },
    },
  });
  if (found?.progress !== 'pending') return;
  const { merchant, owner, ...model } = found;
  if (merchant.status === 'suspended') {
    // Its payers cannot pay meanwhile.
    const again_at = new Date(Date.now() + SUSPENDED_PAUSE_MS);
    const { environment } = merchant;
    await db.outbox.create({ data: { kind: 'payment_mail', object_id: id, environment, again_at } });
    return;
  }
  const row = narrowTransaction(model);
  const payer = owner ?? row.customer;
  if (!payer) throw new Error(`the payment ${id} has no payer`);
  const name = oneLine(merchant.name);
  const amount = displayMoney(row.amount);
  const url = paymentPageUrl(row);
  const email = composePayerEmail(merchant, {
    subject: `Tu pago a ${name}`,
    lines: [
      `Hola, ${oneLine(payer.name)}:`,
      `${name} te solicita un pago de ${amount} COP: ${oneLine(row.description ?? '')}`,
    ],
    button: { text: 'Pagar', url },
    notes: ['Si no esperabas este correo, ignóralo.'],
    ...(merchant.logo && { logo: logoUrl(new URL(url).origin, merchant.logo) }),
  });
  await mailers[merchant.environment]?.send({ to: payer.email, ...email });
}
