/** E-mails a payment link. */
import { logoUrl } from '../../accounts/merchants/profile';
import type { PaymentLinkRow } from '../../billing/paymentLinks/rows';
import { linkUrl } from '../../billing/paymentLinks/view';
import type { Database } from '../../platform/database/connection';
import { displayMoney } from '../../platform/money';
import { type Mailers, oneLine } from './mailer';
import { composePayerEmail, EMAIL_COLUMNS, SUSPENDED_PAUSE_MS } from './payerEmail';

/** Sends nothing if the link is used or cancelled, and nothing yet while the merchant is suspended. */
export async function sendPaymentLinkMail(db: Database, mailers: Mailers, id: string): Promise<void> {
  const found = await db.paymentLink.findUnique({
    where: { id },
    include: { merchant: { select: EMAIL_COLUMNS }, customer: { select: { name: true } }, plan: true },
  });
  if (found?.status !== 'active' || !found.email) return;
  const { merchant, customer, plan, email: to, amount, description } = found;
  const kind = found.kind as PaymentLinkRow['kind'];
  const { environment } = merchant;
  if (merchant.status === 'suspended') {
    const again_at = new Date(Date.now() + SUSPENDED_PAUSE_MS);
    await db.outbox.create({ data: { kind: 'payment_link_mail', object_id: id, environment, again_at } });
    return;
  }
  const name = oneLine(merchant.name);
  const url = linkUrl(found);
  const about = oneLine(description ?? '');
  const planName = oneLine(plan?.name ?? '');
  const price = displayMoney(plan?.amount ?? amount ?? 0n);
  // The payer enters the amount.
  const [of, ofEnglish] = amount === null ? ['', ''] : [` de ${price} COP`, ` of ${price} COP`];
  const texts = {
    payment: {
      subject: `Tu pago a ${name}`,
      lines: [`${name} te solicita un pago${of}: ${about}`, `${name} requests a payment${ofEnglish}.`],
      button: 'Pagar · Pay',
    },
    card: {
      subject: `Registra tu tarjeta en ${name}`,
      lines: [
        `${name} te invita a registrar una tarjeta para tus pagos. Ahora no se cobra nada.`,
        `${name} invites you to save a card for your payments. Nothing is charged now.`,
      ],
      button: 'Registrar tarjeta · Save a card',
    },
    subscription: {
      subject: `Tu suscripción a ${planName}`,
      lines: [
        `${name} te invita a suscribirte a ${planName} por ${price} COP. Las condiciones están en el enlace.`,
        `${name} invites you to subscribe to ${planName} for ${price} COP. The link has the terms.`,
      ],
      button: 'Suscribirme · Subscribe',
    },
  }[kind];
  const mail = composePayerEmail(merchant, {
    subject: texts.subject,
    lines: [...(customer ? [`Hola, ${oneLine(customer.name)}:`] : []), ...texts.lines],
    button: { text: texts.button, url },
    notes: ['Si no esperabas este correo, ignóralo. If you did not expect this e-mail, ignore it.'],
    ...(merchant.logo && { logo: logoUrl(new URL(url).origin, merchant.logo) }),
  });
  await mailers[environment]?.send({ to, ...mail });
}
