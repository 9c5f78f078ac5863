/**
 * `/pay/{key}`: the page on which a payer pays by card, or from which one goes to the bank. It shows how the payment stands, whoever
 * loads it how often; `/return` is where a payer comes back to, from our own form or from the bank, and goes on to the merchant.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NoAnswerError } from '../../acquirer/port';
import { payByCard } from '../../charges/pending/payByCard';
import { returnUrl } from '../../charges/pending/redirectUrl';
import { html } from '../../platform/html';
import type { ServerDependencies } from '../request';
import { cardForm, declineText, type Problems, readCard } from './cardForm';
import { hasRunOut, isForeign, type Payment } from './findPayment';
import { keepLanguage, type Page, sendPage, textsFor } from './layout';
import {
  exhaustedPage,
  expiredPage,
  failedPage,
  frame,
  leavingPage,
  paidPage,
  pendingPage,
  processingPage,
  refusedPage,
  spellMoment,
  summary,
  unknownPage,
} from './results';
import type { Texts } from './texts';

type Keyed = FastifyRequest<{ Params: { key: string } }>;

export function addPayment(server: FastifyInstance, parts: ServerDependencies, findAny: Find): void {
  // A voucher has a page of its own.
  const find: Find = async (request, reply, isTry) => {
    const payment = await findAny(request, reply, isTry);
    if (payment?.method !== 'store') return payment;
    sendPage(request, reply, unknownPage(textsFor(request)));
  };

  server.get('/pay/:key', async (request: Keyed, reply) => {
    const payment = await find(request, reply);
    return payment ? show(request, reply, payment) : reply;
  });

  server.get('/pay/:key/return', async (request: Keyed, reply) => {
    const payment = await find(request, reply);
    return payment ? goOn(request, reply, payment) : reply;
  });

  server.post('/pay/:key', async (request: Keyed, reply) => {
    const t = textsFor(request);
    if (isForeign(request, parts.publicUrl)) return sendPage(request, reply, refusedPage(t, 403));
    const payment = await find(request, reply, true);
    if (!payment) return reply;
    if (payment.method !== 'card' || payment.progress !== 'pending') return leave(request, reply);
    const form = new URLSearchParams(request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : '');
    const { details, problems } = readCard(form, parts.environment, new Date());
    if (!details) return show(request, reply, payment, problems);
    const { attempts } = payment;
    if (form.get('attempt') !== String(attempts)) return show(request, reply, payment, {}, t.changed);
    await payByCard(parts, payment, attempts, details).catch(error => {
      // The recovery finds out; the page that follows waits for it.
      if (!(error instanceof NoAnswerError)) throw error;
    });
    return leave(request, reply);
  });
}

export type Find = (request: Keyed, reply: FastifyReply, isTry?: boolean) => Promise<Payment | undefined>;

/** Whatever happened: a reload then repeats nothing. */
const leave = (request: Keyed, reply: FastifyReply) =>
  reply.redirect(keepLanguage(request, `/pay/${request.params.key}/return`), 303);

function show(request: Keyed, reply: FastifyReply, payment: Payment, problems: Problems = {}, note?: string) {
  const t = textsFor(request);
  const { status, progress, method } = payment;
  if (hasRunOut(payment)) return sendPage(request, reply, expiredPage(t, payment));
  if (progress === 'paying' || progress === 'voiding') return sendPage(request, reply, processing(request, t, payment));
  if (status === 'failed') return sendPage(request, reply, failedPage(t, payment));
  if (progress === 'settled') return sendPage(request, reply, paidPage(t, payment));
  if (method !== 'card') return reply.redirect(bankOf(payment), 303);
  return sendPage(request, reply, formPage(request, t, payment, problems, note));
}

function goOn(request: Keyed, reply: FastifyReply, payment: Payment) {
  const t = textsFor(request);
  const { id, status, progress, method, redirect_url } = payment;
  if (progress === 'paying' || progress === 'voiding') return sendPage(request, reply, processing(request, t, payment));
  // From a card only who has paid is sent on; from a bank everybody comes back.
  if (redirect_url !== null && (method === 'card' ? status === 'completed' : status !== 'cancelled'))
    return sendPage(request, reply, leavingPage(t, payment, returnUrl(redirect_url, id)));
  if (progress === 'pending' && method !== 'card' && !hasRunOut(payment))
    return sendPage(request, reply, pendingPage(t, payment, bankOf(payment)));
  return reply.redirect(keepLanguage(request, `/pay/${request.params.key}`), 303);
}

const bankOf = ({ issued }: Payment): string => (issued as { url: string }).url;

const processing = (request: Keyed, t: Texts, payment: Payment): Page =>
  processingPage(t, payment, keepLanguage(request, `/pay/${request.params.key}/return`));

function formPage(request: Keyed, t: Texts, payment: Payment, problems: Problems, note?: string): Page {
  const { error_code, expires_at } = payment;
  const isWrong = Object.keys(problems).length > 0;
  const form = cardForm(t, payment, keepLanguage(request, `/pay/${request.params.key}`), problems);
  if (!form) return exhaustedPage(t, payment);
  const declined = error_code === null ? undefined : `${declineText(t, error_code)} ${t.notPaid} ${t.tryAgain}`;
  const alert = note ?? (isWrong ? t.fixFields : declined);
  const body = html`<h1>${t.payByCard}</h1>
${alert && html`<p class="alert" role="alert">${alert}</p>`}
${summary(t, payment)}
${payment.environment === 'sandbox' && html`<p class="hint">${t.testCard}</p>`}
${form}
${expires_at && html`<p class="hint">${t.until} ${spellMoment(t, expires_at)}.</p>`}`;
  return {
    title: t.payByCard,
    body,
    status: isWrong ? 422 : 200,
    ...frame(payment),
  };
}
