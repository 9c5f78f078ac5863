/** The form for another card, on the page of a subscription that is due and on a page of its own. */
import { dayOf } from '../../../workflows/calendar';
import { clockNow } from '../../billing/subscriptions/rows';
import { EXPIRED } from '../../billing/subscriptions/rules/retries';
import { countedAttempts } from '../../payments/charges/pending/payByCard';
import { errorKindOf } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import { displayMoney } from '../../platform/money';
import { cardForm, declineText, type Problems, type Typed } from '../cardForm';
import type { Page } from '../layout';
import { deviceScript } from '../payersDevice';
import { pageFrame } from '../results';
import type { Texts } from '../texts';
import type { PayerView } from './find';
import { type PayerState, payerState } from './state';
import { maskedCard, wordsOf } from './texts';

export interface CardFormState {
  problems?: Problems;
  typed: Typed;
  /** Whether the payer comes from a form for a card. */
  isTried: boolean;
  /** The URL of a step, or of the page. */
  to: (step?: string) => string;
}

/** The outcome of the latest form. */
export function wasTried(t: Texts, { link, row }: PayerView, { isTried, problems = {} }: CardFormState): Html | false {
  const { l } = wordsOf(t);
  const { error_code } = link;
  if (Object.keys(problems).length > 0)
    return html`<p class="alert" role="alert">${t.fixFields}</p><p class="hint">${t.typeAgain}</p>`;
  if (!isTried) return false;
  if (error_code === null)
    return (
      row.status !== 'past_due' &&
      row.status !== 'unpaid' &&
      html`<p class="note good" role="status">${l.changed(maskedCard(row.card))}</p>`
    );
  const kind = errorKindOf(error_code);
  const why = kind === 'not_allowed' ? l.unusable : kind === 'declined' ? l.verified : declineText(t, error_code);
  return html`<p class="alert" role="alert">${why} ${l.nothingChanged} ${kind !== 'not_allowed' && t.tryAgain}</p>`;
}

/** The amount that is due, why it was declined, and what happens otherwise. */
export function dueSummary(
  t: Texts,
  { row, decline, payment }: PayerView,
  { due = 0n, needsNewCard, until }: PayerState,
): Html {
  const { l, on } = wordsOf(t);
  const { error_code = null } = decline ?? {};
  // A refusal for good is explained by what follows.
  const why = error_code !== null && (!needsNewCard || error_code === EXPIRED) && declineText(t, error_code);
  const declined =
    decline &&
    html`<p>${l.declinedOn(on(dayOf(decline.operation_date.getTime())), maskedCard(decline.card ?? row.card))} ${why}</p>`;
  const later = until && (row.status === 'unpaid' ? l.endsUnpaid(on(until)) : l.retryOn(on(until)));
  return html`<div class="summary"><p class="amount"><span>${l.due}</span> <strong>${displayMoney(due)}</strong> <abbr title="${t.pesos}">COP</abbr></p>
${declined}
${needsNewCard && row.status === 'past_due' && html`<p>${l.newCard}</p>`}
${!payment && later && !row.cancel_at_period_end && html`<p>${later}</p>`}</div>`;
}

export function cardSection(t: Texts, page: PayerView, form: CardFormState, { due }: PayerState): Html {
  const { l } = wordsOf(t);
  const { link, environment, merchant_name, row } = page;
  const subject = { ...countedAttempts(link), now: new Date(clockNow(row)) };
  const button = due === undefined ? l.save : l.pay(displayMoney(due));
  const fields = cardForm(t, subject, button, form.to('card'), form.problems ?? {}, form.typed);
  if (!fields) return html`<p class="alert">${l.tooManyCards} ${merchant_name}.</p>`;
  return html`${wasTried(t, page, form)}
${due !== undefined && html`<h2>${l.payWith}</h2>`}
${environment === 'sandbox' && html`<p class="hint">${t.testCard}</p>`}
${fields}
<p class="hint">${due === undefined ? l.changeCardHint : l.consent}</p>`;
}

export function cardPage(t: Texts, page: PayerView, form: CardFormState): Page {
  const { l } = wordsOf(t);
  const state = payerState(page);
  const isDue = state.due !== undefined;
  const title = isDue ? l.payWith : l.changeCard;
  const now = html`<p>${l.nowPays} ${maskedCard(page.row.card)}.</p>`;
  return {
    title,
    status: Object.keys(form.problems ?? {}).length > 0 ? 422 : 200,
    head: deviceScript(page.path),
    body: html`<div class="subscription">
<h1>${isDue ? page.row.plan_name : title}</h1>
<section>${isDue ? dueSummary(t, page, state) : now}
${cardSection(t, page, form, state)}</section>
<p><a href="${form.to()}">${l.back}</a></p>
</div>`,
    ...pageFrame(page),
  };
}
