/** The card form: its fields, their parsing and the texts for errors. Nothing that was typed is sent back. */
import type { Environment } from '../../../prisma/generated/enums';
import { type CardDetails, parseCard } from '../../cardDetails/details';
import { acceptsCards } from '../../charges/pending/payByCard';
import { ApiError, type ErrorKind, errorKindOf } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import { displayMoney } from '../../platform/money';
import type { Payment } from './findPayment';
import type { Texts } from './texts';

const FIELDS = ['holder_name', 'card_number', 'expiration', 'cvv2'] as const;
type FieldName = (typeof FIELDS)[number];
export type Problems = Partial<Record<FieldName, keyof Texts>>;

/** Longer than any valid field. */
const MAX_INPUT_LENGTH = 100;
const MAX_HOLDER_LENGTH = 80;

interface CardFormResult {
  details?: CardDetails;
  problems: Problems;
}

export function readCard(form: URLSearchParams, environment: Environment, now: Date): CardFormResult {
  const [holder_name = '', card_number = '', expiration = '', cvv2 = ''] = FIELDS.map(name =>
    (form.get(name) ?? '').slice(0, MAX_INPUT_LENGTH).trim(),
  );
  const [, expiration_month = '', expiration_year = ''] =
    /^(\d{1,2})\s*[/ .-]?\s*(\d{2}|\d{4})$/.exec(expiration) ?? [];
  const problems: Problems = {};
  if ([...holder_name].length > MAX_HOLDER_LENGTH || /[\p{C}]/u.test(holder_name))
    problems.holder_name = 'wrong_holder';
  if (!expiration_month) problems.expiration = 'wrong_expiration';
  const card = { holder_name, card_number, expiration_month, expiration_year, cvv2 };
  try {
    const details = parseCard(card, environment, now);
    return Object.keys(problems).length > 0 ? { problems } : { details, problems };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { problems: { ...problems, ...problemOf(error) } };
  }
}

/** The text beside the field that an error is about. The form has one for both parts of the expiration. */
const problemsByField: Record<string, Problems> = {
  holder_name: { holder_name: 'wrong_holder' },
  card_number: { card_number: 'wrong_number' },
  expiration_month: { expiration: 'wrong_expiration' },
  expiration_year: { expiration: 'wrong_expiration' },
  cvv2: { cvv2: 'wrong_cvv2' },
};

function problemOf({ kind, field = '' }: ApiError): Problems {
  if (kind === 'expiration_in_past') return { expiration: 'expiration_in_past' };
  if (kind === 'test_number') return { card_number: 'test_number' };
  return problemsByField[field] ?? { card_number: 'wrong_number' };
}

/** The text that a payer gets for a decline. Why a card is blocked is between its holder and the bank. */
const declineTexts: Partial<Record<ErrorKind, keyof Texts>> = {
  card_expired: 'card_expired',
  insufficient_funds: 'insufficient_funds',
  card_stolen: 'card_blocked',
  fraud: 'card_blocked',
  card_lost: 'card_blocked',
  card_restricted: 'card_blocked',
  card_retained: 'card_blocked',
  not_online: 'not_online',
  bank_authorization: 'bank_authorization',
  unavailable: 'unavailable',
};

export const declineText = (t: Texts, error_code: number): string =>
  t[declineTexts[errorKindOf(error_code)] ?? 'declined'];

/** Undefined when the payment accepts no more cards. */
export function cardForm(t: Texts, payment: Payment, action: string, problems: Problems): Html | undefined {
  if (!acceptsCards(payment)) return undefined;
  const field = (name: FieldName, label: string, attributes: Html, hint?: Html): Html => {
    const problem = problems[name];
    return html`<div class="field ${name}">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required ${attributes} ${problem && html`aria-invalid="true"`} aria-describedby="${name}-hint">
<p class="hint" id="${name}-hint">${problem && html`<strong class="bad">${t[problem]}</strong> `}${hint}</p>
</div>`;
  };
  return html`<form method="post" action="${action}" data-busy="${t.processing}">
<input type="hidden" name="attempt" value="${payment.attempts}">
<fieldset>
<legend>${t.cardData}</legend>
${field('card_number', t.cardNumber, html`autocomplete="cc-number" inputmode="numeric" maxlength="30" placeholder="0000 0000 0000 0000"`, html`<output id="brand" for="card_number"></output>`)}
${field('holder_name', t.holder, html`autocomplete="cc-name" maxlength="80" autocapitalize="characters" spellcheck="false"`)}
<div class="row">
${field('expiration', t.expiration, html`autocomplete="cc-exp" inputmode="numeric" maxlength="9" placeholder="MM/${t.language === 'es' ? 'AA' : 'YY'}"`)}
${field('cvv2', t.cvv2, html`autocomplete="cc-csc" inputmode="numeric" maxlength="4"`, html`${t.cvv2Hint}`)}
</div>
</fieldset>
<button>${t.pay} ${displayMoney(payment.amount)}</button>
<p class="busy" role="status"></p>
<p class="hint">${t.safe}</p>
</form>`;
}
