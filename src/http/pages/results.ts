/** What a payer reads where there is nothing to fill in: how the payment stands, or that there is none. */
import { formatMoment } from '../../../workflows/calendar';
import type { ChargedCard } from '../../charges/fields';
import { returnUrl } from '../../charges/pending/redirectUrl';
import { type Html, html } from '../../platform/html';
import { displayMoney } from '../../platform/money';
import type { Payment } from './findPayment';
import type { Page } from './layout';
import type { Texts } from './texts';

export const frame = ({ merchant_name, environment }: Payment): Pick<Page, 'merchant' | 'isSandbox'> => ({
  merchant: merchant_name,
  isSandbox: environment === 'sandbox',
});

/** Day and time in Bogotá, as people there write them. */
export function spellMoment(t: Texts, at: Date): string {
  const [year, month, day, time] = formatMoment(at.getTime()).split(/[-T]/);
  return `${day}/${month}/${year}, ${time?.slice(0, 5)} (${t.zone})`;
}

/** To whom, what for and how much. */
export function summary(t: Texts, { merchant_name, description, amount, status, progress }: Payment): Html {
  const label = status === 'completed' ? t.amountPaid : progress === 'settled' ? t.amountOf : t.amount;
  return html`<section class="summary">
<p>${t.payTo} <strong>${merchant_name}</strong></p>
<p class="description">${description}</p>
<p class="amount"><span>${label}</span> <strong>${displayMoney(amount)}</strong> <abbr title="${t.pesos}">COP</abbr></p>
</section>`;
}

const plain = (title: string, hint: string, status: number): Page => ({
  title,
  status,
  body: html`<h1>${title}</h1><p>${hint}</p>`,
});

export const unknownPage = (t: Texts): Page => plain(t.unknown, t.unknownHint, 404);
export const tooManyPage = (t: Texts): Page => plain(t.tooMany, t.tooManyHint, 429);
export const refusedPage = (t: Texts, status: number): Page => plain(t.refused, t.refusedHint, status);
export const troublePage = (t: Texts, status: number): Page => plain(t.trouble, t.troubleHint, status);

const about = (t: Texts, payment: Payment, title: string, hint: string, status = 200): Page => ({
  ...plain(title, hint, status),
  ...frame(payment),
  body: html`<h1>${title}</h1><p>${hint} ${payment.merchant_name}.</p>${summary(t, payment)}`,
});

export const expiredPage = (t: Texts, payment: Payment): Page => about(t, payment, t.expired, t.expiredHint, 410);
export const failedPage = (t: Texts, payment: Payment): Page => about(t, payment, t.failed, t.failedHint);
export const exhaustedPage = (t: Texts, payment: Payment): Page =>
  about(t, payment, t.tooManyCards, t.tooManyCardsHint);

/** The payer may come back to it, so it sends nobody away by itself. */
export function paidPage(t: Texts, payment: Payment): Page {
  const { id, operation_date, redirect_url, merchant_name } = payment;
  const card = payment.card as unknown as ChargedCard | null;
  const facts: [string, string][] = [
    [t.transaction, id],
    [t.date, spellMoment(t, operation_date)],
    ...(card ? [[t.card, `${card.brand} ···· ${card.card_number.slice(-4)}`] satisfies [string, string]] : []),
  ];
  const [title, hint] = payment.status === 'refunded' ? [t.refunded, t.refundedHint] : [t.paid, t.paidHint];
  const body = html`<h1 class="good">${title}</h1>
<p>${hint}</p>
${summary(t, payment)}
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${redirect_url !== null && html`<p><a class="button" href="${returnUrl(redirect_url, id)}" rel="noreferrer">${t.goBack} ${merchant_name}</a></p>`}`;
  return { title, body, ...frame(payment) };
}

/** At once: it is only seen where the merchant's page takes its time. */
export function leavingPage(t: Texts, payment: Payment, address: string): Page {
  const { merchant_name } = payment;
  return {
    title: payment.status === 'completed' ? t.paid : t.going,
    head: html`<meta http-equiv="refresh" content="0; url=${address}"><meta name="referrer" content="no-referrer">`,
    body: html`<h1>${t.going} ${merchant_name}…</h1><p><a class="button" href="${address}" rel="noreferrer">${t.goBack} ${merchant_name}</a></p>`,
    ...frame(payment),
  };
}

/** Looks again by itself until there is an outcome, also without script. */
export const processingPage = (t: Texts, payment: Payment, address: string): Page => ({
  title: t.processing,
  head: html`<noscript><meta http-equiv="refresh" content="3"></noscript>`,
  body: html`<h1 data-poll="${address}">${t.processing}</h1><p role="status">${t.processingHint}</p>${summary(t, payment)}
<p><a class="button" href="${address}">${t.refresh}</a></p>`,
  ...frame(payment),
});

export const pendingPage = (t: Texts, payment: Payment, bank: string): Page => ({
  title: t.pending,
  body: html`<h1>${t.pending}</h1><p>${t.pendingHint}</p>${summary(t, payment)}<p><a class="button" href="${bank}">${t.goToBank}</a></p>`,
  ...frame(payment),
});
