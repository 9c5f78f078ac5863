/** `/vouchers/{key}`: what a payer prints and takes to a store, as a page and as PDF; and the barcodes on it. */

import luhn from 'card-validator/dist/luhn-10';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Issued, NoAnswerError } from '../../acquirer/port';
import { html } from '../../platform/html';
import { simulatePayment } from '../../sandbox/simulatePayment';
import type { ServerDependencies } from '../request';
import { BARCODE_HEIGHT, barcodePng, barcodeWidth, inFours } from './barcode';
import { hasRunOut, isForeign, type Payment } from './findPayment';
import { FOR_GOOD, keepLanguage, type Page, sendPage, textsFor } from './layout';
import type { Find } from './payment';
import { receiptPdf } from './receiptPdf';
import { expiredPage, failedPage, frame, paidPage, refusedPage, spellMoment, summary, unknownPage } from './results';
import type { Texts } from './texts';

type Voucher = Extract<Issued, { reference: string }>;

export function addVoucher(
  server: FastifyInstance,
  { acquirer, environment, publicUrl }: ServerDependencies,
  find: Find,
): void {
  server.get<{ Params: { key: string } }>('/vouchers/:key', async (request, reply) => {
    const payment = await find(request, reply);
    if (!payment) return reply;
    const t = textsFor(request);
    const own = keepLanguage(request, request.params.key);
    return sendPage(request, reply, stateOf(t, payment) ?? voucherPage(t, payment, own));
  });

  server.get<{ Params: { key: string } }>('/vouchers/:key.pdf', async (request, reply) => {
    const payment = await find(request, reply);
    if (!payment) return reply;
    const t = textsFor(request);
    const other = stateOf(t, payment);
    if (other) return sendPage(request, reply, other);
    return sendPdf(reply, await receiptPdf(t, payment, voucherOf(payment)), payment);
  });

  // What a store would do, for who rehearses.
  if (environment === 'sandbox')
    server.post<{ Params: { key: string } }>('/vouchers/:key', async (request, reply) => {
      const t = textsFor(request);
      if (isForeign(request, publicUrl)) return sendPage(request, reply, refusedPage(t, 403));
      const payment = await find(request, reply);
      if (!payment) return reply;
      if (!stateOf(t, payment))
        await simulatePayment(acquirer, payment, 'approved').catch(error => {
          if (!(error instanceof NoAnswerError)) throw error;
        });
      return reply.redirect(keepLanguage(request, `/vouchers/${request.params.key}`), 303);
    });

  server.get<{ Params: { digits: string } }>('/barcodes/:digits.png', async (request, reply) => {
    const { digits } = request.params;
    if (!isReference(digits)) return sendPage(request, reply, unknownPage(textsFor(request)));
    return reply.headers(FOR_GOOD).type('image/png').send(barcodePng(digits));
  });
}

/** A picture of digits says nothing about whose they are, so nobody is asked for it. */
const isReference = (digits: string): boolean => /^\d{20}$/.test(digits) || (/^\d{16}$/.test(digits) && luhn(digits));

const sendPdf = (reply: FastifyReply, pdf: Buffer, { id }: Payment) =>
  reply
    .headers({
      'cache-control': 'no-store',
      'content-disposition': `inline; filename="${id}.pdf"`,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    .type('application/pdf')
    .send(pdf);

const voucherOf = ({ issued }: Payment): Voucher => issued as unknown as Voucher;

/** Where there is nothing to take to a store. */
function stateOf(t: Texts, payment: Payment): Page | undefined {
  if (payment.method !== 'store') return unknownPage(t);
  if (hasRunOut(payment)) return expiredPage(t, payment);
  if (payment.status === 'failed') return failedPage(t, payment);
  return payment.progress === 'settled' ? paidPage(t, payment) : undefined;
}

function voucherPage(t: Texts, payment: Payment, own: string): Page {
  const { reference, paybin_reference } = voucherOf(payment);
  const [key, query = ''] = own.split('?');
  const code = (name: string, digits: string) => html`<figure>
<img src="/barcodes/${digits}.png" alt="${t.barcodeOf} ${inFours(digits)}" width="${barcodeWidth(digits)}" height="${BARCODE_HEIGHT}">
<figcaption>${name}: <strong>${inFours(digits)}</strong></figcaption>
</figure>`;
  const body = html`<h1>${t.voucher}</h1>
${summary(t, payment)}
<p>${t.voucherSteps}</p>
${payment.expires_at && html`<p>${t.until} <strong>${spellMoment(t, payment.expires_at)}</strong>.</p>`}
${code(t.reference, reference)}
${code(t.paybin, paybin_reference)}
<p class="actions"><button type="button" data-print>${t.print}</button> <a class="button" href="/vouchers/${key}.pdf${query && `?${query}`}">${t.pdf}</a></p>
${payment.environment === 'sandbox' && html`<form method="post" action="/vouchers/${own}"><button class="quiet">${t.simulate}</button></form>`}`;
  return { title: t.voucher, body, ...frame(payment) };
}
