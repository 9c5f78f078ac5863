/** Renders the page of a request for production access, and the production keys once. */
import type { LiveKeys } from '../../accounts/activation/fields';
import { displayNit } from '../../accounts/activation/nit';
import type { LiveRequestRow } from '../../accounts/activation/rows';
import { type Html, html } from '../../platform/html';
import type { Page } from '../layout';
import { displayMoment } from '../results';
import type { Texts } from '../texts';
import type { FieldProblems, TypedFields } from './readForm';
import type { FieldPath, LiveTexts } from './texts';

/** A request with data of its merchant. */
export type ShownRequest = LiveRequestRow & { merchant: { name: string; email: string } };

type MessageName = 'unknown' | 'tooMany' | 'rejected' | 'trouble';

export const messagePage = (t: LiveTexts, name: MessageName, status: number): Page => ({
  title: t[name],
  status,
  body: html`<h1>${t[name]}</h1><p>${t[`${name}Hint`]}</p>`,
});

const ATTRIBUTES: Readonly<Record<Exclude<FieldPath, 'bank_account.type'>, Html>> = {
  legal_name: html`autocomplete="organization" maxlength="150"`,
  nit: html`inputmode="numeric" maxlength="20" autocomplete="off"`,
  website: html`type="text" inputmode="url" autocomplete="url" maxlength="255" autocapitalize="none"`,
  expected_monthly_volume: html`inputmode="numeric" maxlength="25" autocomplete="off"`,
  'representative.name': html`autocomplete="name" maxlength="100"`,
  'representative.document': html`maxlength="20" autocomplete="off"`,
  'representative.email': html`type="email" autocomplete="email" maxlength="100"`,
  'representative.phone': html`type="tel" autocomplete="tel" maxlength="25"`,
  'bank_account.bank': html`maxlength="100" autocomplete="off"`,
  'bank_account.number': html`inputmode="numeric" maxlength="30" autocomplete="off"`,
  support_email: html`type="email" maxlength="100" autocomplete="off"`,
  support_phone: html`type="tel" maxlength="25" autocomplete="off"`,
};

/** Entered values and their problems. */
export interface LiveFormState {
  typed: TypedFields;
  problems?: FieldProblems;
}

export function formPage(
  t: LiveTexts,
  request: ShownRequest,
  action: string,
  { typed, problems = {} }: LiveFormState,
): Page {
  const { status, reason, merchant, business } = request;
  const hasProblems = Object.keys(problems).length > 0;
  const labelled = (path: FieldPath, control: (attributes: Html) => Html, hint: Html | string | undefined): Html => {
    const [label, wrong] = t.fields[path];
    const problem = problems[path];
    const id = path.replace('.', '-');
    const attributes = html`id="${id}" name="${path}" data-problem="${wrong}" ${problem && html`aria-invalid="true"`} aria-describedby="${id}-hint"`;
    const said =
      problem && html`<strong class="bad">${problem === 'wrongCheckDigit' ? t.wrongCheckDigit : wrong}</strong> `;
    return html`<div class="field">
<label for="${id}">${label}</label>
${control(attributes)}
<p class="hint" id="${id}-hint">${said}${hint}</p>
</div>`;
  };
  const field = (path: keyof typeof ATTRIBUTES): Html => {
    const isKept = path === 'bank_account.number' && business !== null;
    const kept = isKept && html`${t.keptNumber} ${business.bank_account.number.slice(-4)}. ${t.keepNumber}`;
    const required = isKept ? undefined : html`required`;
    return labelled(
      path,
      attributes => html`<input ${attributes} ${ATTRIBUTES[path]} ${required} value="${typed[path]}">`,
      kept || t.fields[path][2],
    );
  };
  const option = (value: 'savings' | 'checking'): Html =>
    html`<option value="${value}" ${typed['bank_account.type'] === value && html`selected`}>${t[value]}</option>`;
  const accountType = labelled(
    'bank_account.type',
    attributes =>
      html`<select ${attributes} required><option value="">${t.choose}</option>${option('savings')}${option('checking')}</select>`,
    undefined,
  );
  const heading = status === 'returned' ? t.returned : t.title;
  const body = html`<h1>${heading}</h1>
${hasProblems && html`<p class="alert" role="alert">${t.fix}</p>`}
${status === 'returned' ? html`<p class="reason">${reason}</p><p>${t.returnedHint}</p>` : html`<p>${t.intro} <strong>${merchant.email}</strong>.</p>`}
<form method="post" action="${action}" data-busy="${t.sending}" class="business">
<fieldset><legend>${t.business}</legend>
${field('legal_name')}
<div class="pair">${field('nit')}${field('expected_monthly_volume')}</div>
${field('website')}
</fieldset>
<fieldset><legend>${t.representative}</legend>
<div class="pair">${field('representative.name')}${field('representative.document')}</div>
<div class="pair">${field('representative.email')}${field('representative.phone')}</div>
</fieldset>
<fieldset><legend>${t.account}</legend>
<div class="pair">${field('bank_account.bank')}${accountType}</div>
${field('bank_account.number')}
</fieldset>
<fieldset><legend>${t.support}</legend>
<div class="pair">${field('support_email')}${field('support_phone')}</div>
</fieldset>
<button>${t.send}</button>
<p class="busy" role="status"></p>
</form>`;
  return { title: heading, body, status: hasProblems ? 422 : 200, merchant: merchant.name };
}

export function statusPage(t: LiveTexts, common: Texts, request: ShownRequest): Page {
  const { status, reason, merchant, business, submitted_at, production_merchant_id } = request;
  const facts: [string, string | undefined][] = [
    [t.fields.legal_name[0], business?.legal_name],
    [t.fields.nit[0], business ? displayNit(business.nit) : undefined],
    [t.merchant, production_merchant_id ?? undefined],
    [t.sentAt, submitted_at ? displayMoment(common, submitted_at) : undefined],
  ];
  const [title, hint] =
    status === 'refused'
      ? [t.refused, html`<p class="reason">${reason}</p><p>${t.refusedHint}</p>`]
      : status === 'approved'
        ? [t.collected, html`<p>${t.collectedHint}</p>`]
        : [t.submitted, html`<p>${t.submittedHint} <strong>${merchant.email}</strong>.</p>`];
  const body = html`<h1 ${status === 'approved' && html`class="good"`}>${title}</h1>
${hint}
${factList(facts)}`;
  return { title, body, merchant: merchant.name };
}

const factList = (facts: [name: string, value: string | undefined][]): Html =>
  html`<dl>${facts.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

export const collectPage = (t: LiveTexts, { merchant }: ShownRequest, action: string, isWrong = false): Page => ({
  title: t.approved,
  status: isWrong ? 422 : 200,
  merchant: merchant.name,
  body: html`<h1 class="good">${t.approved}</h1>
<p>${t.approvedHint}</p>
<p>${t.onceHint}</p>
<form method="post" action="${action}">
<div class="field">
<label for="private_key">${t.privateKey}</label>
<input id="private_key" name="private_key" type="password" required maxlength="100" autocomplete="off" spellcheck="false" data-problem="${t.wrongKey}" ${isWrong && html`aria-invalid="true"`} aria-describedby="private_key-hint">
<p class="hint" id="private_key-hint">${isWrong && html`<strong class="bad">${t.wrongKey}</strong> `}${t.privateKeyHint}</p>
</div>
<button>${t.collect}</button>
</form>`,
});

export const keysPage = (t: LiveTexts, { merchant }: ShownRequest, keys: LiveKeys): Page => ({
  title: t.keys,
  merchant: merchant.name,
  body: html`<h1>${t.keys}</h1>
<p class="alert once" role="alert">${t.keysHint}</p>
<dl class="keys">
<div><dt>${t.merchant}</dt><dd><code>${keys.merchant_id}</code></dd></div>
<div><dt>${t.secretKey}</dt><dd><code>${keys.private_key}</code></dd></div>
<div><dt>${t.publicKey}</dt><dd><code>${keys.public_key}</code></dd></div>
</dl>
<p>${t.keepHint}</p>
<p class="hint">${t.lostHint}</p>`,
});
