/** The page on which a payer subscribes to a plan: terms, discount, charges, consent and card. */
import { addDays, dayOf } from '../../../workflows/calendar';
import { hasUses } from '../../billing/paymentLinks/view';
import type { PlanRow } from '../../billing/plans/rows';
import type { Offer } from '../../billing/subscriptions/creation/offer';
import { trialEnd } from '../../billing/subscriptions/rules/periods';
import { countedAttempts } from '../../payments/charges/pending/payByCard';
import { includedTax } from '../../payments/charges/tax';
import { type Html, html } from '../../platform/html';
import { displayMoney, type Money } from '../../platform/money';
import { cardForm } from '../cardForm';
import type { Page } from '../layout';
import { deviceScript } from '../payersDevice';
import { pageFrame } from '../results';
import type { Texts } from '../texts';
import type { LinkPage } from './find';
import {
  type CardPageState,
  declineOf,
  displayDay,
  expiryHint,
  periodOf,
  textsOf,
  tooManyLinkCardsPage,
} from './pages';
import { type FieldName, payerFields, useField } from './payerForm';

export interface PlanFormState extends Omit<CardPageState, 'action'> {
  offer: Offer;
  form: URLSearchParams;
  wrong: readonly (FieldName | 'coupon' | 'consent')[];
  /** The coupon that the payer has entered. */
  named: string | null;
}

const priceOf = (t: Texts, plan: PlanRow, full: Money): string => `${displayMoney(full)} ${periodOf(t, plan)}`;

/** The sentence to which the payer agrees, and which is stored. */
export function consentText(t: Texts, { merchant_name, plan }: LinkPage, { full, charges }: Offer): string {
  const l = textsOf(t);
  const [first] = charges;
  const price = plan ? priceOf(t, plan, full) : displayMoney(full);
  return `${l.iAuthorize} ${merchant_name} ${l.toCharge} ${price}, ${l.startingOn} ${displayDay(first?.day ?? '')} ${l.untilCancelled}`;
}

export function planPage(
  t: Texts,
  page: LinkPage,
  state: PlanFormState & { url: string; language: string | undefined },
): Page {
  const l = textsOf(t);
  const { link, plan, environment } = page;
  if (!plan) throw new Error(`payment link ${link.id} has no plan`);
  const { offer, form, wrong, problems = {}, note, typed, url } = state;
  const isMarked = (name: string): boolean => wrong.includes(name as FieldName);
  const action = `${url}${url.includes('?') ? '&' : '?'}trial=${plan.trial_days}`;
  const payer = wrong.filter((name): name is FieldName => name !== 'coupon' && name !== 'consent');
  const before = html`<input type="hidden" name="coupon" value="${offer.coupon}">
${hasUses(link) && html`${useField(form)}${payerFields(l, { form, problems: payer })}`}`;
  const isUnchecked = isMarked('consent');
  const after = html`<div class="field">
<label class="check"><input type="checkbox" id="consent" name="consent" value="yes" required data-problem="${l.wrong_consent}" ${form.has('consent') && html`checked`} ${isUnchecked && html`aria-invalid="true"`} aria-describedby="consent-hint"> <span>${consentText(t, page, offer)}</span></label>
<p class="hint" id="consent-hint">${isUnchecked && html`<strong class="bad">${l.wrong_consent}</strong>`}</p>
</div>`;
  const subject = { ...countedAttempts(link), now: link.now };
  const button = `${l.subscribeFor} ${priceOf(t, plan, offer.full)}`;
  const fields = cardForm(t, subject, button, action, problems, typed, { before, after });
  if (!fields) return tooManyLinkCardsPage(t, page);
  const isWrong = Object.keys(problems).length > 0 || wrong.length > 0;
  const decline = declineOf(t, page, l.notSubscribed);
  const alert = note ? l[note] : isWrong ? t.fixFields : decline;
  return {
    title: l.subscribe,
    status: isWrong ? 422 : 200,
    head: deviceScript(`/links/${link.page_key}`),
    body: html`<h1>${l.subscribe}</h1>
${alert && html`<p class="alert" role="alert">${alert}</p>`}${alert && !isMarked('coupon') && html`<p class="hint">${t.typeAgain}</p>`}
${terms(t, page, plan, offer)}
${charges(t, plan, offer)}
${link.accepts_coupons && couponForm(t, state, isMarked('coupon'))}
${environment === 'sandbox' && html`<p class="hint">${t.testCard}</p>`}
${fields}
${expiryHint(t, page)}`,
    ...pageFrame(page),
  };
}

/** Price, period and trial. */
function terms(t: Texts, { merchant_name, link }: LinkPage, plan: PlanRow, { full }: Offer): Html {
  const l = textsOf(t);
  const first = addDays(trialEnd(dayOf(link.now.getTime()), plan.trial_days), 1);
  const trialText = `${plan.trial_days} ${plan.trial_days === 1 ? l.trialDay : l.trialDays} ${displayDay(first)}.`;
  const units = (link.quantity ?? 1) > 1 && html` × ${link.quantity}`;
  return html`<section class="summary">
<p>${l.subscribeTo} <strong>${merchant_name}</strong></p>
<p class="description">${plan.name}${units}${link.description && html`<br>${link.description}`}</p>
<p class="amount"><strong>${displayMoney(full)}</strong> <abbr title="${t.pesos}">COP</abbr> ${periodOf(t, plan)}</p>
<p>${plan.trial_days > 0 ? trialText : l.noTrial}</p>
</section>`;
}

/** The first charges, as they will be billed. */
function charges(t: Texts, plan: PlanRow, { discount, full, charges: planned }: Offer): Html {
  const l = textsOf(t);
  const [first, next, ...rest] = planned;
  const later = rest.find(({ amount }) => amount !== next?.amount);
  const line = (name: string, { day, amount }: Offer['charges'][number]): [string, string] => [
    `${name} ${displayDay(day)}`,
    displayMoney(amount),
  ];
  const saved = full - (first?.amount ?? full);
  const tax = includedTax(plan.iva, first?.amount ?? full)?.amount ?? 0n;
  const rows: [string, string][] = [
    ...(discount && saved > 0n
      ? [[`${l.discount} ${discount.code}`, `−${displayMoney(saved)}`] as [string, string]]
      : []),
    ...(first ? [line(l.firstCharge, first)] : []),
    ...(tax > 0n ? [[l.tax, displayMoney(tax)] as [string, string]] : []),
    ...(next ? [line(l.nextChargeOn, next)] : []),
    ...(later ? [line(l.fromDay, later)] : []),
  ];
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Shows the offer again with a coupon, before the payer enters a card. */
function couponForm(
  t: Texts,
  { offer, named, url, language }: PlanFormState & { url: string; language: string | undefined },
  isWrong: boolean,
): Html {
  const l = textsOf(t);
  return html`<form class="coupon" method="get" action="${url.split('?')[0]}">
${language && html`<input type="hidden" name="lang" value="${language}">`}
<div class="field">
<label for="coupon">${l.coupon}</label>
<div class="with-button"><input id="coupon" name="coupon" maxlength="50" autocomplete="off" autocapitalize="characters" spellcheck="false" value="${named ?? offer.coupon}" ${isWrong && html`aria-invalid="true"`} aria-describedby="coupon-hint">
<button class="plain">${l.applyCoupon}</button></div>
<p class="hint" id="coupon-hint">${isWrong && html`<strong class="bad">${l.wrong_coupon}</strong>`}${!isWrong && offer.discount && l.couponApplied}</p>
</div>
</form>`;
}
