/**
 * The page on which a payer pays by Bre-B, and its QR code as an image. Payers on a phone cannot scan their own screen, so
 * they copy the key or save the image.
 */
import bwipjs from 'bwip-js';
import type { FastifyInstance } from 'fastify';
import type { BreBCode } from '../../gateway/acquirer/port';
import type { Payment } from '../../payments/charges/pending/rows';
import { breBOf } from '../../payments/charges/rows';
import { html } from '../../platform/html';
import { displayMoney } from '../../platform/money';
import { isExpired, isSuspended, type PageRequest, type PaymentLookup } from '../findPayment';
import { type Page, pageHeaders, sendPage, textsFor } from '../layout';
import { displayMoment, notFoundPage, otherMethods, pageFrame, summary } from '../results';
import type { Texts } from '../texts';
import { breBTexts } from './texts';

/** Constant, because computing the number of modules takes longer than the rest of the page. */
const SHOWN_PX = 288;
/** Large enough for a saved image. */
const LIBRARY_SCALE = 4;
/** The library draws a module of a QR code with two pixels. */
const QUIET_ZONE = 4 * 2;

/** Unpaid, and neither expired nor suspended. */
const isBreBOpen = (payment: Payment): boolean =>
  breBOf(payment) !== undefined && payment.progress === 'pending' && !isExpired(payment) && !isSuspended(payment);

export function addQrCode(server: FastifyInstance, lookUpPayment: PaymentLookup): void {
  server.get('/pay/:key/qr.png', async (request: PageRequest, reply) => {
    const payment = await lookUpPayment(request, reply);
    if (!payment) return reply;
    const code = isBreBOpen(payment) ? breBOf(payment) : undefined;
    if (!code) return sendPage(request, reply, notFoundPage(textsFor(request)));
    return reply
      .headers(pageHeaders())
      .type('image/png')
      .send(await qrPng(code.qr));
  });
}

const qrPng = (text: string): Promise<Buffer> =>
  bwipjs.toBuffer({
    bcid: 'qrcode',
    text,
    scale: LIBRARY_SCALE,
    padding: QUIET_ZONE,
    backgroundcolor: 'FFFFFF',
  });

/** `urls.poll` leads to the outcome once there is one. */
export function breBPage(
  t: Texts,
  payment: Payment,
  code: BreBCode,
  urls: { poll: string; app: string | undefined },
): Page {
  const { amount, expires_at, page_key, merchant_name } = payment;
  const l = breBTexts[t.language as 'es' | 'en'];
  const image = `/pay/${page_key}/qr.png`;
  const body = html`<h1>${l.title}</h1>
${summary(t, payment)}
${expires_at && html`<p>${t.until}: <strong>${displayMoment(t, expires_at)}</strong>.</p>`}
<div class="bre-b">
<div>
<p class="key">${l.key} <strong>${code.key}</strong></p>
<p class="actions"><button type="button" data-copy="${code.key}" data-copied="${l.copied}" aria-live="polite" hidden>${l.copy}</button> <a class="button quiet" href="${image}" download="bre-b-${payment.id}.png">${l.save}</a> ${urls.app !== undefined && html`<a class="button quiet" href="${urls.app}">${l.openApp}</a>`}</p>
</div>
<figure><img src="${image}" alt="${l.qr} ${displayMoney(amount)}" width="${SHOWN_PX}" height="${SHOWN_PX}"></figure>
</div>
<h2>${l.howTo}</h2>
<ol>${l.steps(merchant_name).map(step => html`<li>${step}</li>`)}</ol>
<p role="status" data-poll="${urls.poll}">${l.waiting}</p>
<p><a href="${urls.poll}">${t.refresh}</a></p>
${otherMethods(t, payment)}`;
  return { title: l.title, body, ...pageFrame(payment) };
}
