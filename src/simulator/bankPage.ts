/** The sandbox's bank, on the simulated acquirer: the payer says what becomes of the payment, and goes back to where it came from. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isCrossSite } from '../http/pages/findPayment';
import { addAssets, type Page, sendPage, textsFor, withLanguage } from '../http/pages/layout';
import { notFoundPage, rejectedPage } from '../http/pages/results';
import type { Texts } from '../http/pages/texts';
import { html } from '../platform/html';
import { displayMoney } from '../platform/money';
import type { Notifier } from './notifier';
import type { BankPayment, PayerDecisions } from './payers';

type Paged = FastifyRequest<{ Params: { page: string } }>;

export function addBankPages(server: FastifyInstance, payers: PayerDecisions, teller: Notifier): void {
  addAssets(server);
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, text, done) =>
    done(null, new URLSearchParams(text as string)),
  );
  server.get('/bank/:page', async (request: Paged, reply) => {
    const payment = payers.paymentOf(request.params.page);
    return payment ? show(request, reply, payment) : sendPage(request, reply, notFoundPage(textsFor(request)));
  });
  server.post('/bank/:page', async (request: Paged, reply) => {
    const payment = payers.paymentOf(request.params.page);
    if (isCrossSite(request)) return sendPage(request, reply, rejectedPage(textsFor(request), 403));
    if (!payment) return sendPage(request, reply, notFoundPage(textsFor(request)));
    const outcome = request.body instanceof URLSearchParams ? request.body.get('outcome') : null;
    const isDecision = outcome === 'approved' || outcome === 'rejected';
    // Where the gateway is away it hears of it later; the payer need not wait for that.
    if (isDecision && (await payers.decide(payment.key, outcome === 'approved')))
      await teller.notify(payment.key).catch(() => undefined);
    return reply.redirect(payment.return_url, 303);
  });
}

const show = (request: Paged, reply: FastifyReply, payment: BankPayment) => {
  const own = withLanguage(request, `/bank/${request.params.page}`);
  return sendPage(request, reply, bankPage(textsFor(request), payment, own), ` ${new URL(payment.return_url).origin}`);
};

function bankPage(t: Texts, payment: BankPayment, own: string): Page {
  const { merchant, description, amount, return_url, over } = payment;
  const choices = [
    ['approved', t.approve],
    ['rejected', t.reject],
    ['pending', t.later],
  ] as const;
  const decide = html`<p>${t.bankHint}</p><form method="post" action="${own}">
${choices.map(([outcome, label]) => html`<button name="outcome" value="${outcome}" ${outcome !== 'approved' && html`class="quiet"`}>${label}</button>`)}
</form>`;
  const body = html`<h1>${t.bank}</h1>
<section class="summary"><p>${t.payTo} <strong>${merchant}</strong></p><p class="description">${description}</p>
<p class="amount"><strong>${displayMoney(BigInt(amount))}</strong> <abbr title="${t.pesos}">COP</abbr></p></section>
${over ? html`<p>${t.decided}</p><p><a class="button" href="${return_url}">${t.return}</a></p>` : decide}`;
  return { title: t.bank, body, merchant: t.bank, isSandbox: true };
}
