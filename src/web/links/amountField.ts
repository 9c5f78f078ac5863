/** The amount that a payer enters on a link without a fixed amount, or chooses from those that the merchant suggests. */
import type { PaymentLinkRow } from '../../billing/paymentLinks/rows';
import { type Html, html } from '../../platform/html';
import { CENTAVOS_PER_PESO, displayMoney, MAX_MONEY, type Money } from '../../platform/money';
import type { LinkTexts } from './texts';

/** Whole pesos, with or without separators of thousands: `50000`, `50.000`, `$ 50,000`. */
const PESOS = /^\$?\s*(\d{1,3}(?:[.,\s]\d{3})+|\d{1,13})(?:[.,]00)?$/;
const OTHER = 'other';

type AmountRange = Pick<PaymentLinkRow, 'min_amount' | 'max_amount' | 'suggested_amounts'>;

const rangeOf = ({ min_amount, max_amount }: AmountRange): [Money, Money] => [
  min_amount ?? 0n,
  max_amount ?? MAX_MONEY,
];

/** Undefined unless it is an amount that the link accepts. */
export function readAmount(link: AmountRange, form: URLSearchParams): Money | undefined {
  const suggested = form.get('suggested');
  const text = suggested === null || suggested === OTHER ? form.get('amount') : suggested;
  const [, digits = ''] = PESOS.exec(text?.trim() ?? '') ?? [];
  const amount = BigInt(digits.replace(/\D/g, '')) * CENTAVOS_PER_PESO;
  const [min, max] = rangeOf(link);
  return digits && amount >= min && amount <= max ? amount : undefined;
}

export function amountField(l: LinkTexts, link: AmountRange, form: URLSearchParams, isWrong: boolean): Html {
  const { suggested_amounts } = link;
  const [min, max] = rangeOf(link);
  const range = `${l.amountFrom} ${displayMoney(min)} ${l.amountTo} ${displayMoney(max)}.`;
  const problem = `${l.wrong_amount} ${range}`;
  const chosen = form.get('suggested') ?? (form.get('amount') || suggested_amounts.length === 0 ? OTHER : '');
  const choice = (value: string, name: string): Html =>
    html`<label><input type="radio" name="suggested" value="${value}" required ${value === chosen && html`checked`}> ${name}</label>`;
  const choices = html`<div class="choices">${suggested_amounts.map(one => choice(`${one}`, displayMoney(BigInt(one) * CENTAVOS_PER_PESO)))}
${choice(OTHER, l.otherAmount)}</div>`;
  return html`<fieldset class="amounts">
<legend>${l.amountToPay}</legend>
${suggested_amounts.length > 0 && choices}
<div class="field">
<label for="amount">${l.pesos}</label>
<input id="amount" name="amount" maxlength="25" inputmode="numeric" autocomplete="off" ${suggested_amounts.length === 0 && html`required`} value="${form.get('amount')}" data-problem="${problem}" ${isWrong && html`aria-invalid="true"`} aria-describedby="amount-hint">
<p class="hint" id="amount-hint">${isWrong ? html`<strong class="bad">${problem}</strong>` : range}</p>
</div>
</fieldset>`;
}
