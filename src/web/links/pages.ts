/** The pages of a payment link. A payment that was chosen has its own page. */

import type { PlanRow } from '../../billing/plans/rows';
import { toSubscription } from '../../billing/subscriptions/view';
import { brandTitle } from '../../payments/cardDetails/brands';
import { countedAttempts } from '../../payments/charges/pending/payByCard';
import { errorCodeOf } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import { displayMoney } from '../../platform/money';
import { cardForm, declineText, type Problems, type Typed } from '../cardForm';
import type { Page } from '../layout';
import { deviceScript } from '../payersDevice';
import { displayMoment, factRows, messagePage, pageFrame } from '../results';
import type { Texts } from '../texts';
import type { LinkPage } from './find';
import { type PayerForm, payerForm } from './payerForm';
import { everyPeriod, linkTexts } from './texts';

export const textsOf = ({ language }: Texts) => linkTexts[language as 'es' | 'en'];

/** `23/12/2026` */
export const displayDay = (day: string): string => day.split('-').reverse().join('/');

export const periodOf = (t: Texts, { repeat_every, repeat_unit }: PlanRow): string =>
  everyPeriod(t.language as 'es' | 'en', repeat_every, repeat_unit);

/** A page with a title, a sentence that ends with the name of the merchant, and details. */
function statePage(page: LinkPage, title: string, hint: string, status: number, details?: Html): Page {
  const { merchant_name } = page;
  const body = html`<h1>${title}</h1><p>${hint} ${merchant_name}.</p>${details}`;
  return { ...messagePage(title, hint, status), ...pageFrame(page), body };
}

export const unavailableLinkPage = (t: Texts, page: LinkPage): Page =>
  statePage(page, textsOf(t).unavailable, textsOf(t).unavailableHint, 410);
export const fullLinkPage = (t: Texts, page: LinkPage): Page =>
  statePage(page, textsOf(t).unavailable, textsOf(t).fullHint, 410);
export const orderPaidPage = (t: Texts, page: LinkPage): Page =>
  statePage(page, textsOf(t).orderPaid, textsOf(t).orderPaidHint, 409);
export const suspendedLinkPage = (t: Texts, page: LinkPage): Page =>
  statePage(page, textsOf(t).suspended, t.suspendedHint, 423);
export const tooManyLinkCardsPage = (t: Texts, page: LinkPage): Page =>
  statePage(page, t.tooManyCards, t.tooManyCardsHint, 200);

/** Reloads until the attempt has ended, also without JavaScript. */
export function busyPage(t: Texts, page: Parameters<typeof pageFrame>[0], url: string): Page {
  const l = textsOf(t);
  return {
    title: l.processing,
    head: html`<noscript><meta http-equiv="refresh" content="3"></noscript>`,
    body: html`<h1 data-poll="${url}">${l.processing}</h1><p role="status">${l.processingHint}</p>
<p><a class="button" href="${url}">${t.refresh}</a></p>`,
    ...pageFrame(page),
  };
}

/** A form cannot redirect to the bank, which is another site: this page does. */
export function toBankPage(t: Texts, page: LinkPage, url: string, otherMethodsUrl: string, isNew: boolean): Page {
  const l = textsOf(t);
  const others = page.link.methods.length > 1 && html`<p><a href="${otherMethodsUrl}">${t.otherMethods}</a></p>`;
  return {
    title: isNew ? l.toBank : t.pending,
    head: html`${isNew && html`<meta http-equiv="refresh" content="0; url=${url}">`}`,
    body: html`<h1>${isNew ? l.toBank : t.pending}</h1><p>${l.toBankHint}</p>${paymentSummary(t, page)}
<p><a class="button" href="${url}">${t.goToBank}</a></p>${others}`,
    ...pageFrame(page),
  };
}

const paymentSummary = (t: Texts, { merchant_name, link }: LinkPage): Html => html`<section class="summary">
<p>${t.payTo} <strong>${merchant_name}</strong></p>
<p class="description">${link.description}</p>
${link.amount !== null && html`<p class="amount"><span>${t.amount}</span> <strong>${displayMoney(link.amount)}</strong> <abbr title="${t.pesos}">COP</abbr></p>`}
</section>`;

export const expiryHint = (t: Texts, { link }: LinkPage): Html =>
  html`<p class="hint">${textsOf(t).validUntil} ${displayMoment(t, link.expires_at)}.</p>`;

export function choicePage(t: Texts, page: LinkPage, action: string, form: PayerForm): Page {
  const l = textsOf(t);
  const title = page.link.methods.length > 1 ? l.choose : `${t.payTo} ${page.merchant_name}`;
  const isWrong = form.problems.length > 0;
  const { error_code } = page.link;
  const alert = isWrong ? t.fixFields : error_code === null ? undefined : `${declineText(t, error_code)} ${t.notPaid}`;
  return {
    title,
    status: isWrong ? 422 : 200,
    body: html`<h1>${title}</h1>
${alert && html`<p class="alert" role="alert">${alert}</p>`}
${paymentSummary(t, page)}
${payerForm(l, page, action, form)}
${expiryHint(t, page)}`,
    ...pageFrame(page),
  };
}

/** The state of the card form. */
export interface CardPageState {
  action: string;
  problems?: Problems;
  note?: 'planChanged' | 'otherPerson' | undefined;
  typed: Typed;
}

/** Why the latest card was not accepted. */
export function declineOf(t: Texts, { link: { error_code } }: LinkPage, consequence: string): string | undefined {
  return error_code === null ? undefined : `${problemOf(t, error_code)} ${consequence} ${t.tryAgain}`;
}

/** The form for a card to save. */
export function cardPage(t: Texts, page: LinkPage, { action, problems = {}, note, typed }: CardPageState): Page {
  const l = textsOf(t);
  const { link, environment } = page;
  const form = cardForm(t, { ...countedAttempts(link), now: link.now }, l.save, action, problems, typed);
  if (!form) return tooManyLinkCardsPage(t, page);
  const isWrong = Object.keys(problems).length > 0;
  const alert = note ? l[note] : isWrong ? t.fixFields : declineOf(t, page, l.notSaved);
  return {
    title: l.saveCard,
    status: isWrong ? 422 : 200,
    head: deviceScript(`/links/${link.page_key}`),
    body: html`<h1>${l.saveCard}</h1>
${alert && html`<p class="alert" role="alert">${alert}</p><p class="hint">${t.typeAgain}</p>`}
<p>${page.merchant_name} ${l.saveCardHint}</p>
${environment === 'sandbox' && html`<p class="hint">${t.testCard}</p>`}
${form}
${expiryHint(t, page)}`,
    ...pageFrame(page),
  };
}

function problemOf(t: Texts, error_code: number): string {
  if (error_code === errorCodeOf('card_exists')) return textsOf(t).card_exists;
  return error_code === errorCodeOf('declined') ? textsOf(t).declined : declineText(t, error_code);
}

/** `payerUrl` is the page of the subscription, on which another card can be tried. */
export function donePage(
  t: Texts,
  page: LinkPage,
  { returnUrl, payerUrl }: { returnUrl: string | undefined; payerUrl: string | undefined },
): Page {
  const l = textsOf(t);
  const { subscription, merchant_name } = page;
  const [title, hint, isGood] = outcome();
  const body = html`<h1 class="${isGood ? 'good' : ''}">${title}</h1>
<p>${hint}</p>
${!isGood && payerUrl && html`<p><a class="button" href="${payerUrl}">${l.payWithOther}</a></p>`}
${factsOf(t, page)}
${returnUrl && html`<p><a class="button" href="${returnUrl}" rel="noreferrer">${t.goBack} ${merchant_name}</a></p>`}`;
  return { title, body, ...pageFrame(page) };

  function outcome(): [title: string, hint: string, isGood: boolean] {
    if (!subscription) return [l.saved, l.savedHint, true];
    if (subscription.status === 'trial') return [l.trial, l.trialHint, true];
    if (subscription.status === 'active') return [l.subscribed, l.subscribedHint, true];
    const isOver = subscription.status === 'cancelled';
    if (!isOver && payerUrl) return [l.unpaid, l.unpaidHere, false];
    return [isOver ? l.ended : l.unpaid, `${isOver ? l.endedHint : l.unpaidHint} ${merchant_name}.`, false];
  }
}

const maskedCard = ({ brand, card_number }: { brand: string; card_number: string }): string =>
  `${brandTitle(brand)} ···· ${card_number.slice(-4)}`.trim();

function factsOf(t: Texts, { subscription, plan, savedCard }: LinkPage): Html {
  const l = textsOf(t);
  const rows: [string, string][] = savedCard ? [[t.card, maskedCard(savedCard)]] : [];
  if (subscription && plan) {
    const { id, charge_date, card, status, quantity } = toSubscription(subscription);
    const price = `${displayMoney(plan.amount * BigInt(quantity))} ${periodOf(t, plan)}`;
    rows.push([l.plan, plan.name], [l.price, price], [l.subscription, id]);
    if (status !== 'cancelled') rows.push([l.nextCharge, displayDay(charge_date)]);
    rows.push([t.card, maskedCard(card)]);
  }
  return factRows(rows);
}
