/**
 * The card form: fields, parsing and error texts. The entered fields are kept, except for the number and the security
 * code.
 */
import type { Environment } from '../../prisma/generated/enums';
import { type CardDetails, examineCard } from '../payments/cardDetails/details';
import { type CardField, splitExpiration } from '../payments/cardDetails/typed';
import { acceptsCards, type CardAttempts } from '../payments/charges/pending/payByCard';
import { type ApiError, type ErrorKind, errorKindOf } from '../platform/errors';
import { type Html, html } from '../platform/html';
import type { Texts } from './texts';

const FIELDS = ['holder_name', 'card_number', 'expiration', 'cvv2'] as const satisfies CardField[];
export type Problems = Partial<Record<CardField, keyof Texts>>;

/** Exceeds all valid values. */
const MAX_INPUT_LENGTH = 100;
const MAX_HOLDER_LENGTH = 80;

/** Fields that keep their value after an error. */
const MAX_KEPT_LENGTHS = { holder_name: MAX_HOLDER_LENGTH, expiration: 9, installments: 2 } as const;
export type Typed = Partial<Record<keyof typeof MAX_KEPT_LENGTHS, string>>;

/** A field with more digits may contain a misplaced card number. */
const MAX_KEPT_DIGITS = 6;

export function keptFields(form: URLSearchParams): Typed {
  const kept: Typed = {};
  for (const name of Object.keys(MAX_KEPT_LENGTHS) as (keyof Typed)[]) {
    const text = form.get(name)?.trim() ?? '';
    const digits = text.replace(/\D/g, '').length;
    if (text.length <= MAX_KEPT_LENGTHS[name] && digits <= MAX_KEPT_DIGITS && !/\p{C}/u.test(text)) kept[name] = text;
  }
  return kept;
}

interface FormSubject extends CardAttempts {
  now: Date;
  /** Absent where nothing is paid in installments. */
  max_installments?: number | null;
}

/** One without a choice; undefined if the number is not offered. */
export function readInstallments(form: URLSearchParams, { max_installments }: FormSubject): number | undefined {
  const installments = Number(form.get('installments') ?? 1);
  return Number.isInteger(installments) && installments >= 1 && installments <= (max_installments ?? 1)
    ? installments
    : undefined;
}

interface CardFormResult {
  /** Undefined if there are problems. */
  details?: CardDetails | undefined;
  problems: Problems;
}

export function readCard(form: URLSearchParams, environment: Environment, now: Date): CardFormResult {
  const [holder_name = '', card_number = '', expiration = '', cvv2 = ''] = FIELDS.map(name =>
    (form.get(name) ?? '').slice(0, MAX_INPUT_LENGTH).trim(),
  );
  const { month: expiration_month = '', year: expiration_year = '' } = splitExpiration(expiration) ?? {};
  const card = { holder_name, card_number, expiration_month, expiration_year, cvv2 };
  const { details, errors } = examineCard(card, environment, now);
  const problems: Problems = {};
  if ([...holder_name].length > MAX_HOLDER_LENGTH || /[\p{C}]/u.test(holder_name))
    problems.holder_name = 'wrong_holder';
  // The first error of a field wins.
  for (const error of errors.toReversed()) Object.assign(problems, problemOf(error));
  return Object.keys(problems).length > 0 ? { problems } : { details, problems };
}

const fieldTexts: Record<CardField, keyof Texts> = {
  holder_name: 'wrong_holder',
  card_number: 'wrong_number',
  expiration: 'wrong_expiration',
  cvv2: 'wrong_cvv2',
};

function problemOf({ kind, field = '' }: ApiError): Problems {
  if (kind === 'expiration_in_past') return { expiration: 'expiration_in_past' };
  if (kind === 'test_number') return { card_number: 'test_number' };
  // The form has one field for both parts of the expiration.
  const name = FIELDS.find(one => field.startsWith(one)) ?? 'card_number';
  return { [name]: fieldTexts[name] };
}

/** The texts for declines. They do not reveal why a card is blocked. */
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

interface FieldExtras {
  hint?: Html;
  /** Shown inside the field. */
  mark?: Html;
}

/** Further fields of the form. */
interface FormParts {
  before?: Html;
  after?: Html;
}

/** Undefined if the payment accepts no more attempts. */
export function cardForm(
  t: Texts,
  payment: FormSubject,
  button: string,
  action: string,
  problems: Problems,
  typed: Typed,
  { before, after }: FormParts = {},
): Html | undefined {
  if (!acceptsCards(payment)) return undefined;
  const field = (name: CardField, label: string, attributes: Html, { hint, mark }: FieldExtras = {}): Html => {
    const problem = problems[name];
    const value = name in MAX_KEPT_LENGTHS ? typed[name as keyof Typed] : undefined;
    return html`<div class="field ${name}">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required ${attributes} value="${value}" data-problem="${t[fieldTexts[name]]}" ${problem && html`aria-invalid="true"`} aria-describedby="${name}-hint">${mark}
<p class="hint" id="${name}-hint">${problem && html`<strong class="bad">${t[problem]}</strong> `}${hint}</p>
</div>`;
  };
  return html`<form method="post" action="${action}" data-busy="${t.processing}" data-now="${payment.now.toISOString()}">
<input type="hidden" name="attempt" value="${payment.attempts}">
<input type="hidden" name="device_session_id">
${before}
<fieldset>
<legend>${t.cardData}</legend>
${field('card_number', t.cardNumber, html`autocomplete="cc-number" inputmode="numeric" maxlength="30" placeholder="0000 0000 0000 0000"`, { mark: html`<output id="brand" for="card_number"></output>` })}
${field('holder_name', t.holder, html`autocomplete="cc-name" maxlength="80" autocapitalize="characters" spellcheck="false"`)}
<div class="row">
${field('expiration', t.expiration, html`autocomplete="cc-exp" inputmode="numeric" maxlength="9" data-expired="${t.expiration_in_past}" placeholder="MM/${t.language === 'es' ? 'AA' : 'YY'}"`)}
${field('cvv2', t.cvv2, html`autocomplete="cc-csc" inputmode="numeric" maxlength="4"`, { hint: html`${t.cvv2Hint}` })}
</div>
${payment.max_installments && installmentsField(t, payment.max_installments, typed.installments)}
</fieldset>
${after}
<button>${button}</button>
<p class="busy" role="status"></p>
<p class="hint">${t.safe}</p>
</form>`;
}

function installmentsField(t: Texts, max: number, chosen: string | undefined): Html {
  const counts = Array.from({ length: max }, (_, i) => i + 1);
  const option = (count: number) =>
    html`<option value="${count}" ${String(count) === chosen && html`selected`}>${count} ${count === 1 ? t.installment : t.ofInstallments}</option>`;
  return html`<div class="field installments">
<label for="installments">${t.installments}</label>
<select id="installments" name="installments" aria-describedby="installments-hint">${counts.map(option)}</select>
<p class="hint" id="installments-hint">${t.installmentsHint}</p>
</div>`;
}
