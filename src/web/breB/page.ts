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

/** The saved image has twice the size of the shown one. */
const SHOWN_MODULE_PX = 4;
const QUIET_ZONE_MODULES = 4;
/** The library draws a module of a QR code with two pixels. */
const LIBRARY_MODULE_PX = 2;

/** Unpaid, and neither expired nor suspended. */
export const isBreBOpen = (payment: Payment): boolean =>
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
    scale: SHOWN_MODULE_PX,
    padding: QUIET_ZONE_MODULES * LIBRARY_MODULE_PX,
    backgroundcolor: 'FFFFFF',
  });

function shownSize(text: string): number {
  const [symbol] = bwipjs.raw('qrcode', text, '');
  if (!symbol || !('pixx' in symbol)) throw new Error('the library returned no QR code');
  return (symbol.pixx + 2 * QUIET_ZONE_MODULES) * SHOWN_MODULE_PX;
}

/** `urls.poll` leads to the outcome once there is one. */
export function breBPage(
  t: Texts,
  payment: Payment,
  code: BreBCode,
  urls: { poll: string; app: string | undefined },
): Page {
  const { amount, expires_at, page_key, merchant_name } = payment;
  const l = breBTexts[t.language as 'es' | 'en'];
  const size = shownSize(code.qr);
  const image = `/pay/${page_key}/qr.png`;
  const body = html`<h1>${l.title}</h1>
${summary(t, payment)}
${expires_at && html`<p>${t.until}: <strong>${displayMoment(t, expires_at)}</strong>.</p>`}
<div class="bre-b">
<div>
<p class="key">${l.key} <strong>${code.key}</strong></p>
<p class="actions"><button type="button" data-copy="${code.key}" data-copied="${l.copied}" hidden>${l.copy}</button> <a class="button quiet" href="${image}" download="bre-b-${payment.id}.png">${l.save}</a> ${urls.app !== undefined && html`<a class="button quiet" href="${urls.app}">${l.openApp}</a>`}</p>
</div>
<figure><img src="${image}" alt="${l.qr} ${displayMoney(amount)}" width="${size}" height="${size}"></figure>
</div>
<h2>${l.howTo}</h2>
<ol>${l.steps(merchant_name).map(step => html`<li>${step}</li>`)}</ol>
<p role="status" data-poll="${urls.poll}">${l.waiting}</p>
<p><a href="${urls.poll}">${t.refresh}</a></p>
${otherMethods(t, payment)}`;
  return { title: l.title, body, ...pageFrame(payment) };
}
