/** The mail with the link to the payment page. */
import { narrowTransaction } from '../charges/rows';
import { paymentPageUrl } from '../charges/view';
import type { Database } from '../database/connection';
import { logoUrl } from '../merchants/profile';
import { darkenFor } from '../platform/colour';
import { html } from '../platform/html';
import { displayMoney } from '../platform/money';
import { type Mail, type Mailers, oneLine } from './mailer';

const MERCHANT_COLUMNS = {
  ...{ name: true, environment: true, status: true },
  ...{ support_email: true, support_phone: true, website: true, logo: true, colour: true },
} as const;

/** Of a merchant without one; and what buttons stand on. */
const USUAL_COLOUR = '#0b6e4f';
const PAPER = '#ffffff';
const BUTTON_STYLE = 'display:inline-block;padding:12px 20px;border-radius:6px;color:#ffffff;text-decoration:none';

/** Until a merchant that is suspended is asked about again: its payers cannot pay meanwhile. */
const SUSPENDED_PAUSE_MS = 600_000;

/** Sends nothing if the payment is not pending any more, and nothing yet while the merchant is suspended. */
export async function sendPaymentMail(db: Database, mailers: Mailers, id: string): Promise<void> {
  const found = await db.transaction.findUnique({
    where: { id },
    include: {
      merchant: { select: MERCHANT_COLUMNS },
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
  const url = paymentPageUrl(row);
  const { support_email, support_phone, website, colour } = merchant;
  const ways = [support_email, support_phone, website].flatMap(way => (way ? [oneLine(way)] : []));
  const questions = ways.length > 0 ? `¿Preguntas? Any questions? ${ways.join(' · ')}` : '';
  const logo = merchant.logo ? logoUrl(new URL(url).origin, merchant.logo) : '';
  await mailers[merchant.environment]?.send({
    to: payer.email,
    ...compose({ ...details, note, url, questions, logo, colour: darkenFor(PAPER, colour ?? USUAL_COLOUR) }),
  });
}

function compose(details: Record<string, string>): Omit<Mail, 'to'> {
  const { name, merchant, amount, description, note, url, questions, logo, colour } = details;
  const lines = [
    `Hola, ${name}:`,
    `${merchant} te pide un pago de ${amount} COP: ${description}`,
    `Paga aquí: ${url}`,
    `${merchant} asks you for a payment of ${amount} COP. Pay at the address above.`,
    'Si no esperabas este mensaje, ignóralo. If you did not expect this message, ignore it.',
    ...(questions ? [questions] : []),
    ...(note ? [note] : []),
  ];
  const paragraphs = lines.map(line =>
    line.endsWith(` ${url}`)
      ? html`<p><a href="${url}" style="${BUTTON_STYLE};background:${colour}">Paga aquí · Pay here</a></p><p>${url}</p>`
      : html`<p>${line}</p>`,
  );
  const mark = logo
    ? html`<p><img src="${logo}" alt="${merchant}" style="max-width:160px;max-height:48px"></p>`
    : html``;
  return { subject: `Tu pago a ${merchant}`, text: lines.join('\n\n'), html: html`${mark}${paragraphs}`.text };
}
