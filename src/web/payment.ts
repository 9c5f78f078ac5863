/**
 * `/pay/{key}`: the payment page, with a card form, a Bre-B code or a redirect to the bank. It always shows the current
 * state.
 * `/return`: the payer arrives there after the form or the bank and is redirected to the merchant.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServerDependencies } from '../api/request';
import { NoAnswerError } from '../gateway/acquirer/port';
import { payByCard } from '../payments/charges/pending/payByCard';
import { returnUrl } from '../payments/charges/pending/redirectUrl';
import type { Payment } from '../payments/charges/pending/rows';
import { breBOf, type TransactionRow, voucherOf } from '../payments/charges/rows';
import { receiptPath } from '../payments/receipts/token';
import { ApiError } from '../platform/errors';
import { html } from '../platform/html';
import { isId } from '../platform/identifiers';
import { displayMoney } from '../platform/money';
import { addQrCode, breBPage } from './breB/page';
import { cardForm, declineText, keptFields, type Problems, readCard, readInstallments, type Typed } from './cardForm';
import { isCrossSite, isExpired, isSuspended, type PageRequest, type PaymentLookup } from './findPayment';
import { chosenLanguage, type Page, sendPage, textsFor, withLanguage } from './layout';
import { recall, remember } from './payerCookies';
import { deviceScript } from './payersDevice';
import {
  displayMoment,
  expiredPage,
  failedPage,
  notFoundPage,
  otherMethods,
  pageFrame,
  paidPage,
  pendingPage,
  processingPage,
  redirectPage,
  rejectedPage,
  summary,
  suspendedPage,
  tooManyCardsPage,
  tooManyPage,
} from './results';
import type { Texts } from './texts';

export function addPayment(
  server: FastifyInstance,
  dependencies: ServerDependencies,
  lookUpAnyPayment: PaymentLookup,
): void {
  // Vouchers have separate pages.
  const lookUpPayment: PaymentLookup = async (request, reply, isCardAttempt) => {
    const payment = await lookUpAnyPayment(request, reply, isCardAttempt);
    if (!payment || !voucherOf(payment)) return payment;
    sendPage(request, reply, notFoundPage(textsFor(request)));
    return undefined;
  };

  const receiptOf = (payment: Payment): string => receiptPath(dependencies.vault.linking, payment);

  server.get('/pay/:key', async (request: PageRequest, reply) => {
    const payment = await lookUpPayment(request, reply);
    if (!payment) return reply;
    keepLanguage(request, reply, payment);
    const typed = keptFields(new URLSearchParams(recall(request, 'typed')));
    return sendPaymentPage(request, reply, payment, { typed, receipt: receiptOf(payment) });
  });

  addQrCode(server, lookUpPayment);

  server.get('/pay/:key/return', async (request: PageRequest, reply) => {
    const payment = await lookUpPayment(request, reply);
    if (!payment) return reply;
    keepLanguage(request, reply, payment);
    return sendReturnPage(request, reply, payment);
  });

  server.post('/pay/:key', async (request: PageRequest, reply) => {
    const t = textsFor(request);
    if (isCrossSite(request, dependencies.publicUrl)) return sendPage(request, reply, rejectedPage(t, 403));
    const payment = await lookUpPayment(request, reply, true);
    if (!payment) return reply;
    if (payment.method !== 'card' || payment.progress !== 'pending' || isSuspended(payment))
      return redirectToReturn(request, reply);
    const form = new URLSearchParams(request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : '');
    const installments = readInstallments(form, payment);
    if (installments === undefined) return sendPage(request, reply, rejectedPage(t, 422));
    const { details, problems } = readCard(form, dependencies.environment, payment.now);
    const typed = keptFields(form);
    if (!details) return sendPaymentPage(request, reply, payment, { problems, typed, receipt: receiptOf(payment) });
    const { attempts } = payment;
    if (form.get('attempt') !== String(attempts))
      return sendPaymentPage(request, reply, payment, { note: t.changed, typed, receipt: receiptOf(payment) });
    const acquirer = dependencies.acquirer.forMerchant(payment.merchant_id);
    const device = form.get('device_session_id') ?? '';
    const payer = { address: request.ip, device_session_id: isId(device) ? device : null, installments };
    const paying = payByCard({ ...dependencies, acquirer }, payment, attempts, details, payer);
    const paid = await paying.catch((error): TransactionRow | 'refused' | undefined => {
      if (error instanceof ApiError && error.kind === 'too_many') return 'refused';
      // The recovery resolves the outcome; the next page polls for it.
      if (!(error instanceof NoAnswerError)) throw error;
      return undefined;
    });
    if (paid === 'refused') return sendPage(request, reply, tooManyPage(t));
    if (paid?.status !== 'completed') remember(reply, payment, 'typed', new URLSearchParams(typed).toString());
    else if (recall(request, 'typed')) remember(reply, payment, 'typed', '');
    return redirectToReturn(request, reply);
  });
}

/** Redirects after every form, so that a reload does not resubmit it. */
const redirectToReturn = (request: PageRequest, reply: FastifyReply) =>
  reply.redirect(withLanguage(request, `/pay/${request.params.key}/return`), 303);

/** Banks do not return the chosen language. */
function keepLanguage(request: PageRequest, reply: FastifyReply, payment: Payment): void {
  const language = chosenLanguage(request);
  if (payment.method !== 'card' && language && language !== recall(request, 'lang'))
    remember(reply, payment, 'lang', language);
}

/** Parts of the form in addition to the payment: problems, a note and the fields entered before. */
interface FormState {
  problems?: Problems;
  note?: string;
  typed: Typed;
  /** The path of the receipt of a paid payment. */
  receipt: string;
}

function sendPaymentPage(request: PageRequest, reply: FastifyReply, payment: Payment, form: FormState) {
  const t = textsFor(request);
  const { status, progress, method } = payment;
  if (isExpired(payment)) return sendPage(request, reply, expiredPage(t, payment));
  if (progress === 'paying' || progress === 'voiding')
    return sendPage(request, reply, processingPageFor(request, t, payment));
  if (status === 'failed') return sendPage(request, reply, failedPage(t, payment));
  if (progress === 'settled')
    return sendPage(request, reply, paidPage(t, payment, withLanguage(request, form.receipt)));
  if (isSuspended(payment)) return sendPage(request, reply, suspendedPage(t, payment));
  const breB = breBOf(payment);
  if (breB) {
    const poll = withLanguage(request, `/pay/${request.params.key}/return`);
    const app = breB.url === undefined ? undefined : bankUrl(request, payment);
    return sendPage(request, reply, breBPage(t, payment, breB, { poll, app }));
  }
  if (method !== 'card') return reply.redirect(bankUrl(request, payment), 303);
  if (payment.link?.is_closed) return reply.redirect(withLanguage(request, `/links/${payment.link.page_key}`), 303);
  return sendPage(request, reply, formPage(request, t, payment, form));
}

function sendReturnPage(request: PageRequest, reply: FastifyReply, payment: Payment) {
  const t = textsFor(request);
  const { id, status, progress, method, redirect_url } = payment;
  if (progress === 'paying' || progress === 'voiding')
    return sendPage(request, reply, processingPageFor(request, t, payment));
  if (breBOf(payment) && progress === 'pending') return redirectToPage(request, reply);
  // After the card form, only successful payers return to the merchant; after the bank, all of them do.
  if (redirect_url !== null && (method === 'card' ? status === 'completed' : status !== 'cancelled'))
    return sendPage(request, reply, redirectPage(t, payment, returnUrl(redirect_url, id)));
  if (progress === 'pending' && method !== 'card' && !isExpired(payment) && !isSuspended(payment))
    return sendPage(request, reply, pendingPage(t, payment, bankUrl(request, payment)));
  return redirectToPage(request, reply);
}

const redirectToPage = (request: PageRequest, reply: FastifyReply) =>
  reply.redirect(withLanguage(request, `/pay/${request.params.key}`), 303);

/** Only the simulated bank of the sandbox supports `lang`; the URL of a real bank must not change. */
function bankUrl(request: PageRequest, { issued, environment }: Payment): string {
  const { url } = issued as { url: string };
  return environment === 'sandbox' ? withLanguage(request, url) : url;
}

const processingPageFor = (request: PageRequest, t: Texts, payment: Payment): Page =>
  processingPage(t, payment, withLanguage(request, `/pay/${request.params.key}/return`));

function formPage(request: PageRequest, t: Texts, payment: Payment, { problems = {}, note, typed }: FormState): Page {
  const { error_code, expires_at } = payment;
  const hasProblems = Object.keys(problems).length > 0;
  const button = `${t.pay} ${displayMoney(payment.amount)}`;
  const form = cardForm(t, payment, button, withLanguage(request, `/pay/${request.params.key}`), problems, typed);
  if (!form) return tooManyCardsPage(t, payment);
  const declineAlert = error_code === null ? undefined : `${declineText(t, error_code)} ${t.notPaid} ${t.tryAgain}`;
  const alert = note ?? (hasProblems ? t.fixFields : declineAlert);
  const body = html`<h1>${t.payByCard}</h1>
${alert && html`<p class="alert" role="alert">${alert}</p><p class="hint">${t.typeAgain}</p>`}
${summary(t, payment)}
${payment.environment === 'sandbox' && html`<p class="hint">${t.testCard}</p>`}
${form}
${expires_at && html`<p class="hint">${t.until}: ${displayMoment(t, expires_at)}.</p>`}
${otherMethods(t, payment)}`;
  return {
    title: t.payByCard,
    body,
    head: deviceScript(`/pay/${request.params.key}`),
    status: hasProblems ? 422 : 200,
    ...pageFrame(payment),
  };
}
