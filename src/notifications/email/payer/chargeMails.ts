/** E-mails payers about their payments: receipts, refunds and vouchers. Each is caused by an event. */

import type { Prisma } from '../../../../prisma/generated/client';
import { dayOf } from '../../../../workflows/calendar';
import type { EventType } from '../../../events/types';
import { brandTitle } from '../../../payments/cardDetails/brands';
import { takeEmailQuota } from '../../../payments/charges/pending/emailQuota';
import { narrowTransaction, type TransactionRow, voucherOf } from '../../../payments/charges/rows';
import { includedTax } from '../../../payments/charges/tax';
import { METHODS } from '../../../payments/methods/methods';
import { receiptUrl } from '../../../payments/receipts/token';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { displayMoney, type Money } from '../../../platform/money';
import { oneLine } from '../mailer';
import { composePayerEmail, EMAIL_COLUMNS, type EmailContent } from './compose';
import { emailWords, languageOf } from './languages';
import { sendOnce } from './sendOnce';
import type { PayerMailServices } from './subscriptionMails';
import type { EmailWords } from './words';

type ChargeEmailKind = 'receipt' | 'refunded' | 'voucher';

const KINDS: Partial<Record<EventType, ChargeEmailKind>> = {
  'charge.succeeded': 'receipt',
  'charge.refunded': 'refunded',
  'charge.created': 'voucher',
};

const RELATED = {
  merchant: { select: EMAIL_COLUMNS },
  owner: { select: { name: true, email: true, language: true, status: true } },
  subscription: { select: { plan: { select: { name: true } } } },
} as const satisfies Prisma.TransactionInclude;

/** Sends nothing if the payer has no e-mail address, or the merchant has switched the kind off meanwhile. */
export async function sendChargeMail({ db, mailers, payerPages }: PayerMailServices, id: string): Promise<void> {
  const event = await db.event.findUnique({ where: { id } });
  const kind = event ? KINDS[event.type as EventType] : undefined;
  if (!event || !kind) return;
  const found = await db.transaction.findUnique({ where: { id: event.object_id }, include: RELATED });
  if (!found?.merchant.payer_emails.includes(kind)) return;
  const { merchant, owner, subscription, ...model } = found;
  const row = narrowTransaction(model);
  const payer = owner ?? row.customer;
  if (owner?.status === 'deleted') return;
  if (!payer || (kind === 'voucher' && (row.progress !== 'pending' || !voucherOf(row)))) return;
  if (kind === 'voucher' && !(await isWithinQuota(db, row.merchant_id, payer.email))) return;
  const { environment } = merchant;
  const language = languageOf(owner);
  const words = emailWords(language);
  const refund = kind === 'refunded' ? refundIn(event.object) : undefined;
  const origin = row.page_origin ?? payerPages?.origins[environment];
  const receipt = payerPages && origin && receiptUrl(origin, payerPages.key, row);
  const url = kind === 'voucher' ? `${row.page_origin}/vouchers/${row.page_key}` : receipt;
  const name = oneLine(merchant.name);
  const isPart = refund !== undefined && refund < row.amount;
  const {
    subject,
    lines,
    button: text,
  } = kind === 'refunded' ? words.refunded(name, isPart ? displayMoney(row.amount) : undefined) : words[kind](name);
  const content: EmailContent = {
    subject,
    // On a public link, any name and address can be entered.
    lines: [...(owner ? [words.greeting(oneLine(payer.name))] : []), ...lines],
    amount: displayMoney(refund ?? row.amount),
    facts: factsOf(words, row, kind, subscription?.plan.name),
    ...(url && text && { button: { text, url } }),
  };
  const mail = composePayerEmail(merchant, content, { language, origin });
  const { merchant_id, customer_id } = row;
  const email = { kind, cause: id, merchant_id, environment, customer_id, object_id: row.id };
  await sendOnce(db, mailers, { ...email, date: event.creation_date, mail: { to: payer.email, ...mail } });
}

/** Vouchers can be made by anyone who knows a public link. */
const isWithinQuota = (db: Database, merchant_id: string, email: string): Promise<boolean> =>
  takeEmailQuota(db, merchant_id, email).then(
    () => true,
    error => {
      if (error instanceof ApiError && error.kind === 'too_many') return false;
      throw error;
    },
  );

/** The snapshot in the event has the refund that it is about, in pesos. */
function refundIn(object: unknown): Money {
  const { refund } = object as { refund: { amount: number } };
  return BigInt(Math.round(refund.amount * 100));
}

function methodOf({ methods }: EmailWords, { card, method }: TransactionRow): string {
  if (card) return methods.card(brandTitle(card.brand), card.card_number.slice(-4)).trim();
  return method === 'store' ? methods.store : method === 'customer' ? methods.other : METHODS[method].name.en;
}

function factsOf(
  words: EmailWords,
  row: TransactionRow,
  kind: ChargeEmailKind,
  plan: string | undefined,
): [label: string, value: string][] {
  const { labels, day } = words;
  const { amount, iva, description, order_id, authorization, operation_date, expires_at } = row;
  const tax = kind === 'receipt' ? (includedTax(iva, amount)?.amount ?? 0n) : 0n;
  const reference = kind === 'voucher' ? voucherOf(row)?.reference : undefined;
  const facts: [label: string, value: string | null | undefined][] = [
    [labels.plan, plan],
    [labels.concept, plan === undefined ? description : undefined],
    [labels.order, order_id],
    [labels.method, kind === 'voucher' ? undefined : methodOf(words, row)],
    [kind === 'refunded' ? labels.of : labels.date, kind === 'voucher' ? undefined : day(dayOf(+operation_date))],
    [labels.iva, tax > 0n ? `${displayMoney(tax)} COP` : undefined],
    [labels.authorization, kind === 'receipt' ? authorization : undefined],
    [labels.reference, reference],
    [labels.until, kind === 'voucher' && expires_at ? day(dayOf(+expires_at)) : undefined],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, oneLine(value)]] : []));
}
