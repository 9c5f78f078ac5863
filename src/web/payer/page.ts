/** The page of a subscription: what it is, what is due, and what its payer can do. */
import { dayOf } from '../../../workflows/calendar';
import { includedTax } from '../../payments/charges/tax';
import { type Html, html } from '../../platform/html';
import { displayMoney, type Money } from '../../platform/money';
import type { Page } from '../layout';
import { everyPeriod } from '../links/texts';
import { deviceScript } from '../payersDevice';
import { factRows, messagePage, pageFrame } from '../results';
import type { Texts } from '../texts';
import { type CardFormState, cardSection, dueSummary, wasTried } from './cardStep';
import type { PayerView } from './find';
import { canPay, waitingNote } from './payStep';
import { type PayerState, payerState } from './state';
import { maskedCard, wordsOf } from './texts';

export const SIGNS: Record<PayerState['status'], string> = {
  trial: 'info',
  active: 'good',
  paused: 'info',
  past_due: 'warn',
  unpaid: 'bad',
};

/** `resumption` is what resuming charges at once. */
export function subscriptionPage(
  t: Texts,
  page: PayerView,
  { resumption, ...form }: CardFormState & { resumption: Money },
): Page {
  const { l } = wordsOf(t);
  const { row, first_name, path, is_suspended } = page;
  const state = payerState(page);
  const isDue = state.due !== undefined;
  const isCut = is_suspended || state.isCharging;
  const otherWays =
    canPay(page) && html`<p class="actions"><a class="button quiet" href="${form.to('pay')}">${l.payOtherwise}</a></p>`;
  const cardLink = html`<p class="actions"><a class="button quiet" href="${form.to('card')}">${l.changeCard}</a></p>`;
  return {
    title: l.title,
    head: deviceScript(path),
    body: html`<div class="subscription">
${first_name && html`<p class="hello">${l.hello} ${first_name}</p>`}
<div class="heading"><h1>${row.plan_name}</h1><p class="chip ${SIGNS[state.status]}">${l.statuses[state.status]}</p></div>
${is_suspended && html`<p class="note">${l.suspended}</p>`}
${state.isCharging && html`<p class="note" role="status">${l.charging}</p>`}
${!isDue && wasTried(t, page, form)}
${stateNote(t, page, state, form, resumption)}
${isDue && html`<section>${dueSummary(t, page, state)}${waitingNote(t, page, state, form)}${!isCut && !page.payment && cardSection(t, page, form, state)}${!isCut && otherWays}</section>`}
${facts(t, page, state)}
${!isDue && !isCut && cardLink}
${charges(t, state)}
${receipts(t, page)}
${manage(t, state, form)}
</div>`,
    ...pageFrame(page),
  };
}

/** The trial, pause or scheduled end of the subscription, with the form that ends it. */
function stateNote(t: Texts, { row }: PayerView, state: PayerState, { to }: CardFormState, resumption: Money) {
  const { l, on } = wordsOf(t);
  const { pause, can, due } = state;
  const post = (step: 'keep' | 'resume', label: string) =>
    html`<form method="post" action="${to(step)}" data-busy="${t.processing}"><button class="quiet">${label}</button><p class="busy" role="status"></p></form>`;
  if (row.cancel_at_period_end)
    return html`<div class="note"><p>${due === undefined ? l.endsOn(on(state.ends)) : l.endsOnDue(on(state.ends))}</p>${can.keep && post('keep', l.keep)}</div>`;
  if (pause) {
    const { since, resume_date, isInEffect } = pause;
    const text = isInEffect
      ? resume_date
        ? l.pausedUntil(on(resume_date))
        : l.paused
      : resume_date
        ? l.pauseFromUntil(on(since), on(resume_date))
        : l.pauseFrom(on(since));
    const label = !isInEffect ? l.withdrawPause : resumption > 0n ? l.resumeFor(displayMoney(resumption)) : l.resume;
    return html`<div class="note"><p>${text}</p>${can.resume && post('resume', label)}</div>`;
  }
  return row.status === 'trial' && html`<div class="note"><p>${l.trialUntil(on(row.trial_end_date))}</p></div>`;
}

function facts(t: Texts, { row }: PayerView, { charges: [next] }: PayerState): Html {
  const { l, language, on } = wordsOf(t);
  const { amount, quantity, repeat_every, repeat_unit, card } = row;
  return html`<section>${factRows([
    [l.price, `${displayMoney(amount)} ${everyPeriod(language, repeat_every, repeat_unit)}`],
    ...(quantity > 1 ? [[l.quantity, String(quantity)] as const] : []),
    ...(next ? [[l.nextCharge, on(next.day)] as const] : []),
    [l.card, maskedCard(card)],
  ])}</section>`;
}

function charges(t: Texts, state: PayerState): Html | false {
  const { l, on } = wordsOf(t);
  return (
    state.charges.length > 0 &&
    html`<section><h2>${l.upcoming}</h2>${factRows(state.charges.map(({ day, amount }) => [on(day), displayMoney(amount)]))}</section>`
  );
}

function receipts(t: Texts, page: PayerView): Html | false {
  const { l, language, on } = wordsOf(t);
  const paid = page.receipts.map(({ operation_date, amount, iva, status, path }) => {
    const tax = includedTax(iva, amount)?.amount ?? 0n;
    const value = html`${displayMoney(amount)}${status === 'refunded' && ` (${l.refunded})`}${tax > 0n && html`<small>${l.tax}: ${displayMoney(tax)}</small>`}`;
    const day = on(dayOf(operation_date.getTime()));
    const link = html`<a href="${path}?lang=${language}" aria-label="${l.receiptOf(day)}">${day}</a>`;
    return [link, value] as const;
  });
  return paid.length > 0 && html`<section><h2>${l.receipts}</h2>${factRows(paid)}</section>`;
}

function manage(t: Texts, { can }: PayerState, { to }: CardFormState): Html | false {
  const { l } = wordsOf(t);
  return (
    (can.pause || can.cancel) &&
    html`<section><h2>${l.manage}</h2><p class="actions">
${can.pause && html`<a class="button quiet" href="${to('pause')}">${l.pause}</a>`}
${can.cancel && html`<a href="${to('cancel')}">${l.cancel}</a>`}
</p></section>`
  );
}

/** Nothing is offered, and the payer is not named. */
export function endedPage(t: Texts, page: PayerView): Page {
  const { l } = wordsOf(t);
  const body = html`<h1>${l.ended}</h1><p>${l.endedHint(page.row.plan_name)} ${page.merchant_name}.</p>`;
  return { ...messagePage(l.ended, '', 410), ...pageFrame(page), body };
}

export const unknownLinkPage = (t: Texts): Page => {
  const { l } = wordsOf(t);
  return messagePage(l.unknown, l.unknownHint, 404);
};
