/** E-mails the link to the payment page. */
import { narrowTransaction } from '../../../payments/charges/rows';
import { paymentPageUrl } from '../../../payments/charges/view';
import { displayMoney } from '../../../platform/money';
import { oneLine } from '../mailer';
import { composePayerEmail, EMAIL_COLUMNS } from './compose';
import { emailWords, languageOf } from './languages';
import { sendOnce } from './sendOnce';
import { type PayerMailServices, SUSPENDED_PAUSE_MS } from './subscriptionMails';

/** Sends nothing if the payment is not pending any more, and nothing yet while the merchant is suspended. */
export async function sendPaymentMail({ db, mailers }: PayerMailServices, id: string): Promise<void> {
  const found = await db.transaction.findUnique({
    where: { id },
    include: {
      merchant: { select: EMAIL_COLUMNS },
      owner: { select: { name: true, email: true, language: true } },
    },
  });
  if (found?.progress !== 'pending') return;
  const { merchant, owner, ...model } = found;
  const { environment } = merchant;
  if (merchant.status === 'suspended') {
    // Its payers cannot pay meanwhile.
    const again_at = new Date(Date.now() + SUSPENDED_PAUSE_MS);
    await db.outbox.create({ data: { kind: 'payment_mail', object_id: id, environment, again_at } });
    return;
  }
  const row = narrowTransaction(model);
  const payer = owner ?? row.customer;
  if (!payer) throw new Error(`the payment ${id} has no payer`);
  const language = languageOf(owner);
  const words = emailWords(language);
  const about = oneLine(row.description ?? '');
  const {
    subject,
    lines,
    button: text = '',
  } = words.links.payment(oneLine(merchant.name), displayMoney(row.amount), about);
  const url = paymentPageUrl(row);
  const mail = composePayerEmail(
    merchant,
    {
      subject,
      lines: [words.greeting(oneLine(payer.name)), ...lines],
      button: { text, url },
      notes: [words.unexpected],
    },
    { language, origin: row.page_origin ?? undefined },
  );
  const { merchant_id, customer_id } = row;
  const email = { kind: 'payment', cause: id, merchant_id, environment, customer_id, object_id: id } as const;
  await sendOnce(db, mailers, { ...email, mail: { to: payer.email, ...mail } });
}
