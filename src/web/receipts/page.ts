/** The page of a receipt, and the page that verifies the code on one. */
import type { ReceiptDetails } from '../../payments/receipts/receipt';
import { type Html, html } from '../../platform/html';
import type { Language } from '../../platform/language';
import { displayMoney } from '../../platform/money';
import type { Page } from '../layout';
import { displayMoment, factRows, pageFrame } from '../results';
import type { Texts } from '../texts';
import { receiptContents } from './contents';
import { receiptTextsOf } from './texts';

const SIGNS: Record<ReceiptDetails['status'], string> = {
  paid: 'good',
  partly_refunded: 'info',
  refunded: 'info',
  disputed: 'warn',
  reversed: 'bad',
};

const statusChip = (t: Texts, { status }: ReceiptDetails): Html =>
  html`<p class="chip ${SIGNS[status]}">${receiptTextsOf(t).statuses[status]}</p>`;

const totalOf = (t: Texts, { amount }: ReceiptDetails, label: string): Html =>
  html`<p class="amount"><span>${label}</span> <strong>${displayMoney(amount)}</strong> <abbr title="${t.pesos}">COP</abbr></p>`;

interface ReceiptUrls {
  pdf: string;
  /** The page that verifies the code. */
  check: string;
}

export function receiptPage(t: Texts, receipt: ReceiptDetails, { pdf, check }: ReceiptUrls): Page {
  const l = receiptTextsOf(t);
  const { concept, composition, amounts, facts } = receiptContents(t, receipt);
  const body = html`<div class="receipt">
<div class="heading"><h1>${l.title}</h1>${statusChip(t, receipt)}</div>
<section class="summary"><p>${l.paidTo} <strong>${receipt.merchant_name}</strong></p>
<p class="description">${concept}</p>
${totalOf(t, receipt, l.total)}</section>
${composition.length > 0 && html`<section class="details"><h2>${l.lines}</h2>${factRows([...composition, [l.total, html`<strong>${displayMoney(receipt.amount)}</strong>`]])}</section>`}
${amounts.length > 0 && factRows(amounts)}
${factRows(facts)}
<p class="code"><span>${l.code}</span> <strong>${receipt.code}</strong> <span class="hint">${l.verify} <a href="${check}">${check.replace(/\?.*/, '')}</a></span></p>
<p class="actions"><a class="button" href="${pdf}">${t.pdf}</a> <button type="button" class="quiet" data-print>${t.print}</button></p>
</div>`;
  return { title: l.title, body, ...pageFrame(receipt) };
}

interface CheckState {
  /** The chosen language, which the form keeps. */
  language: Language | undefined;
  isSandbox: boolean;
  /** The text that was entered. */
  code?: string | undefined;
  receipt?: ReceiptDetails | undefined;
}

/** Shows the merchant, the date, the amount and the status only: the code is not a secret. */
export function checkPage(t: Texts, { language, isSandbox, code, receipt }: CheckState): Page {
  const l = receiptTextsOf(t);
  const isWrong = code !== undefined && !receipt;
  return {
    title: l.check,
    status: isWrong ? 404 : 200,
    isSandbox,
    body: html`<div class="receipt"><h1>${l.check}</h1>
${receipt && found(t, receipt)}
<form method="get" action="/r">
${language && html`<input type="hidden" name="lang" value="${language}">`}
<div class="field"><label for="code">${l.code}</label>
<input id="code" name="code" required value="${code}" maxlength="30" placeholder="XXXX-XXXX-XXXX" autocomplete="off" autocapitalize="characters" spellcheck="false" ${isWrong && html`aria-invalid="true"`} aria-describedby="code-hint">
<p class="hint" id="code-hint">${isWrong && html`<strong class="bad" role="alert">${l.wrong}</strong> `}${l.checkHint}</p></div>
<button>${l.checkButton}</button>
</form></div>`,
  };
}

function found(t: Texts, receipt: ReceiptDetails): Html {
  const l = receiptTextsOf(t);
  return html`<section class="summary" role="status"><div class="heading"><h2 class="good">${l.genuine}</h2>${statusChip(t, receipt)}</div>
${totalOf(t, receipt, l.amount)}
${factRows([
  [l.merchant, receipt.merchant_name],
  [l.date, displayMoment(t, receipt.paid_at)],
])}
${receipt.environment === 'sandbox' && html`<p><strong>${l.test}</strong></p>`}</section>`;
}
