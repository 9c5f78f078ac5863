/** The lines of a receipt, which its page and its PDF share. */
import type { ReceiptDetails } from '../../payments/receipts/receipt';
import { displayMoney, type Money } from '../../platform/money';
import { maskedCard } from '../payer/texts';
import { displayMoment } from '../results';
import type { Texts } from '../texts';
import { receiptTextsOf } from './texts';

type Line = readonly [name: string, value: string];

interface ReceiptContents {
  /** The description, with the number of the period of a subscription. */
  concept: string;
  /** The composition of the total, if it is not the amount of the plan. */
  composition: Line[];
  /** The tax in the total, and the refunds. */
  amounts: Line[];
  facts: Line[];
}

const displaySigned = (amount: Money): string => (amount < 0n ? `−${displayMoney(-amount)}` : displayMoney(amount));

export function receiptContents(t: Texts, receipt: ReceiptDetails): ReceiptContents {
  const l = receiptTextsOf(t);
  const { description, period, amount, tax, refunded, business, payer, authorization, installments, id, card, method } =
    receipt;
  const concept = [description, period !== null && `${l.period} ${period}`].filter(Boolean).join(' · ');
  const rate = tax?.rate ? ` (${String(tax.rate / 100).replace('.', t.language === 'es' ? ',' : '.')} %)` : '';
  const amounts: (Line | false)[] = [
    tax !== null && tax.amount > 0n && [l.base, displayMoney(tax.base)],
    tax !== null && tax.amount > 0n && [l.tax(rate), displayMoney(tax.amount)],
    refunded > 0n && [l.refunded, displaySigned(-refunded)],
    refunded > 0n && [l.net, displayMoney(amount - refunded)],
  ];
  const facts: (Line | false)[] = [
    [l.date, displayMoment(t, receipt.paid_at)],
    [l.method, card ? maskedCard(card) : l.methods[method]],
    (installments ?? 1) > 1 && [t.installments, String(installments)],
    authorization !== null && [l.authorization, authorization],
    [t.transaction, id],
    payer !== undefined && [l.payer, payer],
    business !== undefined && [l.nit, `${business.nit} · ${business.legal_name}`],
  ];
  const isLine = (line: Line | false): line is Line => line !== false;
  return {
    concept,
    composition: compositionOf(t, receipt),
    amounts: amounts.filter(isLine),
    facts: facts.filter(isLine),
  };
}

function compositionOf(t: Texts, { invoice, description }: ReceiptDetails): Line[] {
  if (!invoice) return [];
  const l = receiptTextsOf(t);
  const { quantity, full_amount, discount, extras, credit } = invoice;
  const plan = [description, quantity > 1 && l.quantity(quantity)].filter(Boolean).join(', ');
  return [
    [plan, displayMoney(full_amount)] as const,
    ...(discount > 0n ? [[l.discount, displaySigned(-discount)] as const] : []),
    ...extras.map(extra => [extra.description, displaySigned(extra.amount)] as const),
    ...(credit > 0n ? [[l.credit, displaySigned(-credit)] as const] : []),
  ];
}
