/** Page of the simulated bank: the payer approves or rejects the payment and is redirected to the gateway. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../platform/html';
import { displayMoney } from '../../platform/money';
import { isCrossSite } from '../../web/findPayment';
import { type Page, sendPage, textsFor, withLanguage } from '../../web/layout';
import { addAssets } from '../../web/look/assets';
import { notFoundPage, rejectedPage } from '../../web/results';
import type { Texts } from '../../web/texts';
import type { Notifier } from './notifier';
import type { BankPayment, PayerDecisions } from './payers';

type BankPageRequest = FastifyRequest<{ Params: { page: string } }>;

export function addBankPages(server: FastifyInstance, payers: PayerDecisions, notifier: Notifier): void {
  addAssets(server);
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, text, done) =>
    done(null, new URLSearchParams(text as string)),
  );
  server.get('/bank/:page', async (request: BankPageRequest, reply) => {
    const payment = payers.paymentOf(request.params.page);
    return payment ? sendBankPage(request, reply, payment) : sendPage(request, reply, notFoundPage(textsFor(request)));
  });
  server.post('/bank/:page', async (request: BankPageRequest, reply) => {
    const payment = payers.paymentOf(request.params.page);
    if (isCrossSite(request)) return sendPage(request, reply, rejectedPage(textsFor(request), 403));
    if (!payment) return sendPage(request, reply, notFoundPage(textsFor(request)));
    const outcome = request.body instanceof URLSearchParams ? request.body.get('outcome') : null;
    const isDecision = outcome === 'approved' || outcome === 'rejected';
    // The notifier retries in the background; the payer does not wait.
    if (isDecision && (await payers.decide(payment.key, outcome === 'approved')))
      await notifier.notify(payment.key).catch(() => undefined);
    return reply.redirect(withLanguage(request, payment.return_url), 303);
  });
}

const sendBankPage = (request: BankPageRequest, reply: FastifyReply, payment: BankPayment) => {
  const formUrl = withLanguage(request, `/bank/${request.params.page}`);
  const return_url = withLanguage(request, payment.return_url);
  const page = bankPage(textsFor(request), { ...payment, return_url }, formUrl);
  return sendPage(request, reply, page, ` ${new URL(return_url).origin}`);
};

function bankPage(t: Texts, payment: BankPayment, formUrl: string): Page {
  const { merchant, description, amount, return_url, isClosed } = payment;
  const choices = [
    ['approved', t.approve],
    ['rejected', t.reject],
    ['pending', t.later],
  ] as const;
  const decisionForm = html`<p>${t.bankHint}</p><form method="post" action="${formUrl}">
${choices.map(([outcome, label]) => html`<button name="outcome" value="${outcome}" ${outcome !== 'approved' && html`class="quiet"`}>${label}</button>`)}
</form>`;
  const body = html`<h1>${t.bank}</h1>
<section class="summary"><p>${t.payTo} <strong>${merchant}</strong></p><p class="description">${description}</p>
<p class="amount"><strong>${displayMoney(BigInt(amount))}</strong> <abbr title="${t.pesos}">COP</abbr></p></section>
${isClosed ? html`<p>${t.decided}</p><p><a class="button" href="${return_url}">${t.return}</a></p>` : decisionForm}`;
  return { title: t.bank, body, merchant: t.bank, isSandbox: true };
}
