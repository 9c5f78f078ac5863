/** E-mails a payment link. */
import type { PaymentLinkRow } from '../../../billing/paymentLinks/rows';
import { linkUrl } from '../../../billing/paymentLinks/view';
import { displayMoney } from '../../../platform/money';
import { oneLine } from '../mailer';
import { composePayerEmail, EMAIL_COLUMNS } from './compose';
import { emailWords, languageOf } from './languages';
import { sendOnce } from './sendOnce';
import { type PayerMailServices, SUSPENDED_PAUSE_MS } from './subscriptionMails';

/** Sends nothing if the link is used or cancelled, and nothing yet while the merchant is suspended. */
export async function sendPaymentLinkMail({ db, mailers }: PayerMailServices, id: string): Promise<void> {
  const found = await db.paymentLink.findUnique({
    where: { id },
    include: { merchant: { select: EMAIL_COLUMNS }, customer: { select: { name: true, language: true } }, plan: true },
  });
  if (found?.status !== 'active' || !found.email) return;
  const { merchant, customer, plan, email: to, amount, description, merchant_id, customer_id } = found;
  const { environment } = merchant;
  if (merchant.status === 'suspended') {
    const again_at = new Date(Date.now() + SUSPENDED_PAUSE_MS);
    await db.outbox.create({ data: { kind: 'payment_link_mail', object_id: id, environment, again_at } });
    return;
  }
  const language = languageOf(customer);
  const words = emailWords(language);
  // The payer of a link without an amount enters it.
  const price = plan?.amount ?? amount;
  const about = oneLine(plan?.name ?? description ?? '');
  const {
    subject,
    lines,
    button: text = '',
  } = words.links[found.kind as PaymentLinkRow['kind']](
    oneLine(merchant.name),
    price === null ? null : displayMoney(price),
    about,
  );
  const mail = composePayerEmail(
    merchant,
    {
      subject,
      lines: [...(customer ? [words.greeting(oneLine(customer.name))] : []), ...lines],
      button: { text, url: linkUrl(found) },
      notes: [words.unexpected],
    },
    { language, origin: found.page_origin },
  );
  const email = { kind: 'payment_link', merchant_id, environment, customer_id, object_id: id } as const;
  await sendOnce(db, mailers, { ...email, cause: found.email_id ?? id, mail: { to, ...mail } });
}
