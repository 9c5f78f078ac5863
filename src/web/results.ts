/** Pages without a form: payment states and errors. */
import { formatMoment } from '../../workflows/calendar';
import type { VoucherReferences } from '../gateway/acquirer/port';
import { brandTitle } from '../payments/cardDetails/brands';
import { returnUrl } from '../payments/charges/pending/redirectUrl';
import type { Payment } from '../payments/charges/pending/rows';
import { includedTax } from '../payments/charges/tax';
import { type Html, html } from '../platform/html';
import { displayMoney } from '../platform/money';
import type { Page } from './layout';
import type { Texts } from './texts';

type Framed = Pick<Payment, 'merchant_name' | 'appearance' | 'environment'>;

export const pageFrame = ({ merchant_name, appearance, environment }: Framed): Partial<Page> => ({
  merchant: merchant_name,
  appearance,
  isSandbox: environment === 'sandbox',
});

/** Date and time in Bogotá, in Colombian format. */
export function displayMoment(t: Texts, at: Date): string {
  const [year, month, day, time] = formatMoment(at.getTime()).split(/[-T]/);
  return `${day}/${month}/${year}, ${time?.slice(0, 5)} (${t.zone})`;
}

export function summary(t: Texts, payment: Payment, more?: Html | null): Html {
  const { merchant_name, description, amount, status, progress } = payment;
  // The form of a pending payment has a field for installments.
  const installments = progress === 'pending' && payment.max_installments !== null ? null : payment.installments;
  const label = status === 'completed' ? t.amountPaid : progress === 'settled' ? t.amountOf : t.amount;
  return html`<section class="summary">
<p>${t.payTo} <strong>${merchant_name}</strong></p>
<p class="description">${description}</p>
<p class="amount"><span>${label}</span> <strong>${displayMoney(amount)}</strong> <abbr title="${t.pesos}">COP</abbr></p>
${installments !== null && installments > 1 && html`<p class="installments">${t.installments}: <strong>${installments}</strong></p>`}
${more}</section>`;
}

/** Names and values, in pairs. */
export const factRows = (rows: readonly (readonly [Html | string, Html | string])[]): Html =>
  html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

export const messagePage = (title: string, hint: string, status: number): Page => ({
  title,
  status,
  body: html`<h1>${title}</h1><p>${hint}</p>`,
});

export const notFoundPage = (t: Texts): Page => messagePage(t.unknown, t.unknownHint, 404);
export const tooManyPage = (t: Texts): Page => messagePage(t.tooMany, t.tooManyHint, 429);
export const rejectedPage = (t: Texts, status: number): Page => messagePage(t.refused, t.refusedHint, status);
export const serverErrorPage = (t: Texts, status: number): Page => messagePage(t.trouble, t.troubleHint, status);

const paymentMessagePage = (t: Texts, payment: Payment, title: string, hint: string, status = 200): Page => ({
  ...messagePage(title, hint, status),
  ...pageFrame(payment),
  body: html`<h1>${title}</h1><p>${hint} ${payment.merchant_name}.</p>${summary(t, payment)}`,
});

/** A page of a payment that has failed. With a payment link, the payer can try again. */
function unpaidPage(t: Texts, payment: Payment, title: string, hint: string, status = 200): Page {
  const { link } = payment;
  if (!link) return paymentMessagePage(t, payment, title, hint, status);
  return {
    ...messagePage(title, hint, status),
    ...pageFrame(payment),
    body: html`<h1>${title}</h1><p>${t.notPaid}</p>${summary(t, payment)}
<p><a class="button" href="/links/${link.page_key}?change=yes&amp;lang=${t.language}">${t.payAgain}</a></p>`,
  };
}

/** Leads to the other methods of a payment link. */
export const otherMethods = (t: Texts, { link }: Payment): Html | false =>
  link !== null &&
  !link.is_closed &&
  link.methods.length > 1 &&
  html`<p><a href="/links/${link.page_key}?change=yes&amp;lang=${t.language}">${t.otherMethods}</a></p>`;

export const expiredPage = (t: Texts, payment: Payment): Page => unpaidPage(t, payment, t.expired, t.expiredHint, 410);
export const suspendedPage = (t: Texts, payment: Payment): Page =>
  paymentMessagePage(t, payment, t.suspended, t.suspendedHint, 423);
export const failedPage = (t: Texts, payment: Payment): Page => unpaidPage(t, payment, t.failed, t.failedHint);
export function tooManyCardsPage(t: Texts, payment: Payment): Page {
  const page = paymentMessagePage(t, payment, t.tooManyCards, t.tooManyCardsHint);
  return { ...page, body: html`${page.body}${otherMethods(t, payment)}` };
}

function paidFacts(t: Texts, payment: Payment): [name: string, value: string][] {
  const { id, operation_date, card, iva, amount } = payment;
  const tax = includedTax(iva, amount)?.amount ?? 0n;
  const facts: [string, string][] = [
    [t.transaction, id],
    [t.date, displayMoment(t, operation_date)],
  ];
  if (tax > 0n) facts.push([t.tax, `${displayMoney(tax)} COP`]);
  if (card) facts.push([t.card, `${brandTitle(card.brand)} ···· ${card.card_number.slice(-4)}`.trim()]);
  return facts;
}

/** One per reference. The stores are known only if the acquirer reports them. */
export function voucherNetworks(
  t: Texts,
  { reference, paybin_reference, networks = [] }: VoucherReferences,
): { name: string; stores: string | undefined; digits: string }[] {
  const list = new Intl.ListFormat(t.language);
  return [reference, paybin_reference].map((digits, i) => {
    const { name, stores } = networks[i] ?? {};
    return { name: name ?? (i === 0 ? t.stores : 'Paybin'), stores: stores && list.format(stores), digits };
  });
}

const paidTexts = (t: Texts, { status }: Payment): [title: string, hint: string] =>
  status === 'refunded' ? [t.refunded, t.refundedHint] : [t.paid, t.paidHint];

/** A check mark, which the heading beside it says in words. */
const paidSign = html`<svg class="sign" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="24"/><path d="m14 25 7 7 14-15"/></svg>`;

/** Links to the receipt, and to the merchant without redirecting, because payers may return to this page. */
export function paidPage(t: Texts, payment: Payment, receipt: string): Page {
  const { id, redirect_url, merchant_name, status } = payment;
  const [title, hint] = paidTexts(t, payment);
  const back = redirect_url === null ? undefined : returnUrl(redirect_url, id);
  const body = html`${status === 'refunded' ? undefined : paidSign}<h1 class="good">${title}</h1>
<p>${hint}</p>
${summary(t, payment)}
${factRows(paidFacts(t, payment))}
<p class="actions">${back && html`<a class="button" href="${back}" rel="noreferrer">${t.goBack} ${merchant_name}</a> `}<a class="button quiet" href="${receipt}">${t.receipt}</a> <a href="${receipt.replace(/(?=\?|$)/, '.pdf')}">${t.pdf}</a></p>`;
  return { title, body, ...pageFrame(payment) };
}

/** Redirects immediately; visible only while the merchant's page loads. */
export function redirectPage(t: Texts, payment: Framed & { status?: string }, url: string): Page {
  const { merchant_name } = payment;
  return {
    title: payment.status === 'completed' ? t.paid : t.going,
    head: html`<meta http-equiv="refresh" content="0; url=${url}"><meta name="referrer" content="no-referrer">`,
    body: html`<h1>${t.going} ${merchant_name}…</h1><p><a class="button" href="${url}" rel="noreferrer">${t.goBack} ${merchant_name}</a></p>`,
    ...pageFrame(payment),
  };
}

/** Reloads until there is an outcome, also without JavaScript. */
export const processingPage = (t: Texts, payment: Payment, url: string): Page => ({
  title: t.processing,
  head: html`<noscript><meta http-equiv="refresh" content="3"></noscript>`,
  body: html`<h1 data-poll="${url}">${t.processing}</h1><p role="status">${t.processingHint}</p>${summary(t, payment)}
<p><a class="button" href="${url}">${t.refresh}</a></p>`,
  ...pageFrame(payment),
});

export const pendingPage = (t: Texts, payment: Payment, bankUrl: string): Page => ({
  title: t.pending,
  body: html`<h1>${t.pending}</h1><p>${t.pendingHint}</p>${summary(t, payment)}<p><a class="button" href="${bankUrl}">${t.goToBank}</a></p>${otherMethods(t, payment)}`,
  ...pageFrame(payment),
});
