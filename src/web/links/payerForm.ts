/** The form in which a payer chooses a method and enters a name and an address: fields, parsing and errors. */
import { rejectCardNumbers } from '../../payments/cards/rejectNumbers';
import { CreateCustomer } from '../../payments/customers/fields';
import { checkRequest } from '../../payments/methods/checks';
import { type ChargeMethodName, METHODS, PAYER_ADDRESS_FIELDS } from '../../payments/methods/methods';
import { ApiError } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import { idPattern, newId } from '../../platform/identifiers';
import type { Money } from '../../platform/money';
import { isBlank, violationsOf } from '../../schema/check';
import type { Context } from '../../schema/operation/context';
import { amountField, readAmount } from './amountField';
import type { LinkPage } from './find';
import type { LinkTexts } from './texts';

type AddressField = (typeof PAYER_ADDRESS_FIELDS)[number];
export type FieldName = 'method' | 'amount' | 'name' | 'email' | 'phone_number' | AddressField;

const AUTOCOMPLETE: Partial<Record<FieldName, Html>> = {
  name: html`autocomplete="name" required`,
  email: html`type="email" autocomplete="email" inputmode="email" required`,
  phone_number: html`type="tel" autocomplete="tel" inputmode="tel"`,
  department: html`autocomplete="address-level1"`,
  city: html`autocomplete="address-level2"`,
  additional: html`autocomplete="street-address"`,
};
const MAX_LENGTHS: Partial<Record<FieldName, number>> = { name: 100, email: 100, phone_number: 25 };
const MAX_ADDRESS_LENGTH = 255;

export interface PayerForm {
  form: URLSearchParams;
  problems: FieldName[];
}

interface PayerChoice {
  method: ChargeMethodName;
  amount: Money;
  /** The payer of a merchant-level payment. */
  payer: CreateCustomer | undefined;
}

/** Returns the fields with problems, or the choice. */
export async function readPayer(
  context: Context,
  { link }: LinkPage,
  form: URLSearchParams,
): Promise<PayerChoice | FieldName[]> {
  const method = link.methods.find(name => name === (form.get('method') ?? link.methods[0]));
  if (!method) return ['method'];
  const amount = link.amount ?? readAmount(link, form);
  if (link.customer_id !== null) return amount === undefined ? ['amount'] : { method, amount, payer: undefined };
  const details = await readDetails(context, form, method);
  if (amount === undefined) return ['amount', ...(Array.isArray(details) ? details : [])];
  if (Array.isArray(details)) return details;
  try {
    checkRequest(method, { amount, customer: details });
  } catch (error) {
    return problemsOf(error);
  }
  return { method, amount, payer: details };
}

/** Returns the fields with problems, or the name and address of the payer. */
export async function readDetails(
  context: Context,
  form: URLSearchParams,
  method: ChargeMethodName = 'card',
): Promise<CreateCustomer | FieldName[]> {
  const { needsPayerAddress } = METHODS[method];
  const text = (name: FieldName): string => (form.get(name) ?? '').trim();
  const required = (['name', 'email'] as const).filter(name => isBlank(text(name)));
  const payer: CreateCustomer = {
    ...{ name: text('name'), email: text('email'), requires_account: false },
    ...(text('phone_number') && { phone_number: text('phone_number') }),
    ...(needsPayerAddress && {
      customer_address: Object.fromEntries(PAYER_ADDRESS_FIELDS.map(name => [name, text(name)])),
    }),
  };
  const address = needsPayerAddress ? PAYER_ADDRESS_FIELDS.filter(name => isBlank(text(name))) : [];
  const problems = [...required, ...address, ...violationsOf(payer, CreateCustomer).map(toField)];
  if (problems.length > 0) return problems;
  const rejected = rejectCardNumbers(context, payer, CreateCustomer)?.then(() => undefined, problemsOf);
  return (await rejected) ?? payer;
}

function problemsOf(error: unknown): FieldName[] {
  if (error instanceof ApiError && error.field !== undefined) return error.fields.map(toField);
  throw error;
}

/** Identifies the use of a link by this form, also if it is sent twice. */
export const useField = (form: URLSearchParams): Html =>
  html`<input type="hidden" name="use" value="${readUse(form)}">`;

const USE = new RegExp(idPattern('payment_link'));

export const readUse = (form: URLSearchParams): string => {
  const id = form.get('use') ?? '';
  return USE.test(id) ? id : newId('payment_link');
};

/** A path such as `customer_address.city` ends with the name of its field. */
const toField = ({ field = '' }: { field?: string | undefined }): FieldName =>
  (field.split('.').at(-1) ?? 'name') as FieldName;

type PayerField = Exclude<FieldName, 'method' | 'amount'>;

function payerInput(l: LinkTexts, { form, problems }: PayerForm, name: PayerField): Html {
  const isWrong = problems.includes(name);
  const max = MAX_LENGTHS[name] ?? MAX_ADDRESS_LENGTH;
  return html`<div class="field">
<label for="${name}">${l[name]}</label>
<input id="${name}" name="${name}" maxlength="${max}" ${AUTOCOMPLETE[name]} value="${form.get(name)}" data-problem="${l[`wrong_${name}`]}" ${isWrong && html`aria-invalid="true"`} aria-describedby="${name}-hint">
<p class="hint" id="${name}-hint">${isWrong && html`<strong class="bad">${l[`wrong_${name}`]}</strong>`}</p>
</div>`;
}

export const payerFields = (l: LinkTexts, state: PayerForm): Html =>
  html`<fieldset><legend>${l.payer}</legend>${(['name', 'email', 'phone_number'] as const).map(name => payerInput(l, state, name))}</fieldset>`;

export function payerForm(l: LinkTexts, { link }: LinkPage, action: string, { form, problems }: PayerForm): Html {
  const chosen = form.get('method') ?? link.methods[0];
  const input = (name: PayerField): Html => payerInput(l, { form, problems }, name);
  const methods = html`<fieldset class="methods">
<legend>${l.method}</legend>
${link.methods.map(method => html`<label><input type="radio" name="method" value="${method}" required ${method === chosen && html`checked`}> ${l[method]}</label>`)}
</fieldset>`;
  const isMerchantLevel = link.customer_id === null;
  return html`<form method="post" action="${action}" data-busy="${l.processing}">
${useField(form)}
${link.amount === null && amountField(l, link, form, problems.includes('amount'))}
${link.methods.length > 1 && methods}
${isMerchantLevel && payerFields(l, { form, problems })}
${isMerchantLevel && link.methods.includes('bank_account') && html`<fieldset class="bank-address"><legend>${l.address}</legend>${PAYER_ADDRESS_FIELDS.map(input)}</fieldset>`}
<button>${l.continue}</button>
<p class="busy" role="status"></p>
<p class="hint">${l.continueHint}</p>
</form>`;
}
