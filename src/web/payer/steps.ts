/** The pages on which a payer pauses or cancels a subscription. */
import { CANCEL_REASONS } from '../../billing/subscriptions/rules/cancelReasons';
import { html } from '../../platform/html';
import type { Page } from '../layout';
import { pageFrame } from '../results';
import type { Texts } from '../texts';
import type { PayerView } from './find';
import { pauseChoices, pauseDay, payerState } from './state';
import { wordsOf } from './texts';

type To = (step?: string) => string;

export function pausePage(t: Texts, page: PayerView, to: To): Page {
  const { l, on } = wordsOf(t);
  const months = pauseChoices(page).map(
    ({ months, day }, i) =>
      html`<label><input type="radio" name="months" value="${months}" required ${i === 0 && html`checked`}> ${l.months(months, on(day))}</label>`,
  );
  return {
    title: l.pauseTitle,
    body: html`<div class="subscription">
<h1>${l.pauseTitle}</h1>
<p>${l.pauseHint(on(pauseDay(page)))}</p>
<form method="post" action="${to('pause')}" data-busy="${t.processing}">
<fieldset class="methods"><legend>${l.howLong}</legend>
${months}
<label><input type="radio" name="months" value="" required> ${l.openEnd}</label>
</fieldset>
<button>${l.pause}</button>
<p class="busy" role="status"></p>
</form>
<p><a href="${to()}">${l.back}</a></p>
</div>`,
    ...pageFrame(page),
  };
}

export function cancelPage(t: Texts, page: PayerView, to: To): Page {
  const { l, on } = wordsOf(t);
  const { can, due, ends } = payerState(page);
  const reasons = CANCEL_REASONS.map(
    reason => html`<label><input type="radio" name="reason" value="${reason}"> ${l.reasons[reason]}</label>`,
  );
  return {
    title: l.cancelTitle,
    body: html`<div class="subscription">
<h1>${l.cancelTitle}</h1>
<p>${due === undefined ? l.cancelHint(on(ends)) : l.cancelHintDue(on(ends))}</p>
${
  can.pause &&
  html`<div class="note"><p><strong>${l.rather}</strong> ${l.ratherHint}</p>
<p class="actions"><a class="button" href="${to('pause')}">${l.ratherPause}</a></p></div>`
}
<form method="post" action="${to('cancel')}" data-busy="${t.processing}">
<fieldset class="methods"><legend>${l.why}</legend>
${reasons}
</fieldset>
<button class="${can.pause && 'quiet'}">${l.doCancel(on(ends))}</button>
<p class="busy" role="status"></p>
</form>
<p><a href="${to()}">${l.keep}</a></p>
</div>`,
    ...pageFrame(page),
  };
}
