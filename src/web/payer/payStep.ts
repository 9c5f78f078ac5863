/** The payment of a due period in another way than by the card of the subscription. */
import type { FastifyReply } from 'fastify';
import { beginPeriodPayment, offeredPayments } from '../../billing/subscriptions/payments/begin';
import { voucherOf } from '../../payments/charges/rows';
import { METHODS } from '../../payments/methods/methods';
import { type Html, html } from '../../platform/html';
import type { Context } from '../../schema/operation/context';
import type { Page } from '../layout';
import { remember } from '../payerCookies';
import { displayMoment, pageFrame } from '../results';
import type { Texts } from '../texts';
import { type CardFormState, dueSummary } from './cardStep';
import type { PayerView } from './find';
import { type PayerState, payerState } from './state';
import { wordsOf } from './texts';

export const canPay = ({ row, is_suspended }: PayerView): boolean => !is_suspended && offeredPayments(row).length > 0;

export function payPage(t: Texts, page: PayerView, { to }: CardFormState, isUnavailable = false): Page {
  const { l } = wordsOf(t);
  const methods = offeredPayments(page.row).map(
    ({ method, until }, i) =>
      html`<label><input type="radio" name="method" value="${method}" required ${i === 0 && html`checked`}> <span>${l.methods[method]}<small>${l.payableUntil(displayMoment(t, new Date(until)))}</small></span></label>`,
  );
  return {
    title: l.otherWays,
    status: isUnavailable ? 503 : 200,
    body: html`<div class="subscription">
<h1>${page.row.plan_name}</h1>
${isUnavailable && html`<p class="alert" role="alert">${l.unavailable}</p>`}
<section>${dueSummary(t, page, payerState(page))}
<form method="post" action="${to('pay')}" data-busy="${t.processing}">
<fieldset class="methods"><legend>${l.otherWays}</legend>
${methods}
</fieldset>
<button>${l.continue}</button>
<p class="busy" role="status"></p>
</form>
<p class="hint">${l.onlyThisPeriod}</p></section>
<p><a href="${to()}">${l.back}</a></p>
</div>`,
    ...pageFrame(page),
  };
}

const paymentUrl = ({ payment }: PayerView): string =>
  payment ? `/${voucherOf(payment) ? 'vouchers' : 'pay'}/${payment.page_key}` : '';

/** The payment for which the subscription waits. */
export function waitingNote(t: Texts, page: PayerView, { due }: PayerState, { to }: CardFormState): Html | false {
  const { payment } = page;
  if (!payment || due === undefined) return false;
  const { l } = wordsOf(t);
  return html`<div class="note" role="status"><p><strong>${l.waitsFor[payment.method === 'customer' ? 'card' : payment.method]}</strong></p>
<p>${payment.expires_at && l.payableUntil(displayMoment(t, payment.expires_at))}</p>
<p class="actions"><a class="button" href="${paymentUrl(page)}">${l.continuePayment}</a></p>
<form method="post" action="${to('other')}" data-busy="${t.processing}"><button class="quiet">${l.payOtherwise}</button><p class="busy" role="status"></p></form></div>`;
}

/** A form cannot redirect to the bank, which is another site: this page does. */
function bankPage(t: Texts, page: PayerView, url: string): Page {
  const { l } = wordsOf(t);
  return {
    title: l.toBank,
    head: html`<meta http-equiv="refresh" content="0; url=${url}">`,
    body: html`<h1>${l.toBank}</h1><p><a class="button" href="${url}">${t.goToBank}</a></p>`,
    ...pageFrame(page),
  };
}

/** Returns the page that leads to the bank, or the URL of the payment. */
export async function beginPayment(
  t: Texts,
  context: Context,
  page: PayerView,
  { form, reply }: { form: URLSearchParams; reply: FastifyReply },
): Promise<Page | string> {
  const payment = await beginPeriodPayment(context, page.row, form.get('method'));
  // Not stored with the payment, whose page the payer may show to another person.
  remember(reply, payment, 'back', page.path);
  const url = paymentUrl({ ...page, payment });
  const isAtBank = payment.method !== 'customer' && METHODS[payment.method].issue?.instructions === 'url';
  return isAtBank ? bankPage(t, page, url) : url;
}
