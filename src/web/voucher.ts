/** `/vouchers/{key}`: the voucher that a payer takes to a store, as a page and as PDF, and the barcodes on it. */

import type { FastifyInstance } from 'fastify';
import type { ServerDependencies } from '../api/request';
import { NoAnswerError, type VoucherReferences } from '../gateway/acquirer/port';
import { passesLuhn } from '../gateway/luhn';
import type { Payment } from '../payments/charges/pending/rows';
import { voucherOf } from '../payments/charges/rows';
import { receiptOf } from '../payments/receipts/receipt';
import { receiptPath } from '../payments/receipts/token';
import { html } from '../platform/html';
import { simulatePayment } from '../sandbox/simulatePayment';
import { barcodePng, barcodeSize, groupDigits } from './barcode';
import { isCrossSite, isExpired, isSuspended, type PaymentLookup } from './findPayment';
import { type Page, sendPage, textsFor, withLanguage } from './layout';
import { IMMUTABLE_HEADERS } from './look/assets';
import { receiptPdf } from './receipts/receiptPdf';
import { sendPdf } from './receipts/sheet';
import {
  displayMoment,
  expiredPage,
  failedPage,
  notFoundPage,
  otherMethods,
  pageFrame,
  paidPage,
  rejectedPage,
  summary,
  suspendedPage,
  voucherNetworks,
} from './results';
import type { Texts } from './texts';
import { voucherPdf } from './voucherPdf';

export function addVoucher(
  server: FastifyInstance,
  { db, vault, acquirer, environment, publicUrl }: ServerDependencies,
  lookUpPayment: PaymentLookup,
): void {
  server.get<{ Params: { key: string } }>('/vouchers/:key', async (request, reply) => {
    const payment = await lookUpPayment(request, reply);
    if (!payment) return reply;
    const t = textsFor(request);
    const page = statusPage(t, payment, withLanguage(request, receiptPath(vault.linking, payment)));
    return sendPage(request, reply, page ?? voucherPage(t, payment, withLanguage(request, request.params.key)));
  });

  server.get<{ Params: { key: string } }>('/vouchers/:key.pdf', async (request, reply) => {
    const payment = await lookUpPayment(request, reply);
    if (!payment) return reply;
    const t = textsFor(request);
    const receipt = isPaid(payment) && (await receiptOf({ db, vault, environment }, payment.id));
    if (receipt) return sendPdf(reply, await receiptPdf(t, receipt, `${publicUrl}/r`), payment.id);
    const page = statusPage(t, payment, receiptPath(vault.linking, payment));
    if (page) return sendPage(request, reply, page);
    return sendPdf(reply, await voucherPdf(t, payment, voucherDetails(payment)), payment.id);
  });

  // Simulates the payment in a store.
  if (environment === 'sandbox')
    server.post<{ Params: { key: string } }>('/vouchers/:key', async (request, reply) => {
      const t = textsFor(request);
      if (isCrossSite(request, publicUrl)) return sendPage(request, reply, rejectedPage(t, 403));
      const payment = await lookUpPayment(request, reply);
      if (!payment) return reply;
      if (!statusPage(t, payment, receiptPath(vault.linking, payment)))
        await simulatePayment({ db, acquirer: acquirer.forMerchant(payment.merchant_id) }, payment, 'approved').catch(
          error => {
            if (!(error instanceof NoAnswerError)) throw error;
          },
        );
      return reply.redirect(withLanguage(request, `/vouchers/${request.params.key}`), 303);
    });

  server.get<{ Params: { digits: string } }>('/barcodes/:digits.png', async (request, reply) => {
    const { digits } = request.params;
    if (!isReference(digits)) return sendPage(request, reply, notFoundPage(textsFor(request)));
    return reply.headers(IMMUTABLE_HEADERS).type('image/png').send(barcodePng(digits));
  });
}

/** A barcode says nothing about the payment, so it needs no key: any valid reference will do. */
const isReference = (digits: string): boolean =>
  /^\d{20}$/.test(digits) || (/^\d{16}$/.test(digits) && passesLuhn(digits));

function voucherDetails(payment: Payment): VoucherReferences {
  const voucher = voucherOf(payment);
  if (!voucher) throw new Error(`${payment.id} has no voucher`);
  return voucher;
}

/** Settled and paid. */
const isPaid = (payment: Payment): boolean =>
  voucherOf(payment) !== undefined &&
  payment.progress === 'settled' &&
  payment.status !== 'failed' &&
  !isExpired(payment);

/** Page for a voucher that cannot be paid, with the URL of its receipt. */
function statusPage(t: Texts, payment: Payment, receipt: string): Page | undefined {
  if (!voucherOf(payment)) return notFoundPage(t);
  if (isPaid(payment)) return paidPage(t, payment, receipt);
  if (isExpired(payment)) return expiredPage(t, payment);
  if (isSuspended(payment)) return suspendedPage(t, payment);
  return payment.status === 'failed' ? failedPage(t, payment) : undefined;
}

function voucherPage(t: Texts, payment: Payment, keyAndQuery: string): Page {
  const networks = voucherNetworks(t, voucherDetails(payment)).map(({ name, stores, digits }) => {
    const { width, height } = barcodeSize(digits);
    return html`<section class="network">
<h2>${name}</h2>
${stores && html`<p class="hint">${t.paidAt}: ${stores}.</p>`}
<figure>
<img src="/barcodes/${digits}.png" alt="${t.barcodeOf} ${groupDigits(digits)}" width="${width}" height="${height}">
<figcaption>${t.reference}: <strong>${groupDigits(digits)}</strong></figcaption>
</figure>
</section>`;
  });
  const deadline =
    payment.expires_at &&
    html`<p class="deadline"><span>${t.until}</span> <strong>${displayMoment(t, payment.expires_at)}</strong></p>`;
  const [key, query] = keyAndQuery.split('?');
  const body = html`<h1>${t.voucher}</h1>
${summary(t, payment, deadline)}
<p>${t.voucherSteps}</p>
${networks}
<p class="actions"><button type="button" data-print>${t.print}</button> <a class="button quiet" href="/vouchers/${key}.pdf${query && `?${query}`}">${t.pdf}</a></p>
${otherMethods(t, payment)}
${payment.environment === 'sandbox' && html`<form method="post" action="/vouchers/${keyAndQuery}"><button class="quiet">${t.simulate}</button></form>`}`;
  return { title: t.voucher, body, ...pageFrame(payment) };
}
