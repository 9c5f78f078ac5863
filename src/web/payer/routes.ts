/**
 * `/s/{token}`: the page of a subscription for its payer. It always shows the current state; after each form it is loaded
 * again, so that a reload submits nothing.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServerDependencies } from '../../api/request';
import { previewChange } from '../../billing/subscriptions/history/preview';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { isCrossSite, type PageRequest } from '../findPayment';
import { sendPage, textsFor } from '../layout';
import { busyPage } from '../links/pages';
import { payerContext } from '../links/payerContext';
import type { Limits } from '../links/routes';
import { addPageDevices } from '../payersDevice';
import { rejectedPage, tooManyPage } from '../results';
import { findPayerPage, type PayerView } from './find';
import { formState, PAYER_STEPS, triedUrl, urlOf } from './forms';
import { endedPage, subscriptionPage, unknownLinkPage } from './page';
import { payerState } from './state';

export function addPayerPages(server: FastifyInstance, dependencies: ServerDependencies, limits: Limits): void {
  /** Sends an error page and returns undefined if the link is invalid or the rate limit is exceeded. */
  async function lookUp(request: PageRequest, reply: FastifyReply, isAttempt = false): Promise<PayerView | undefined> {
    const t = textsFor(request);
    const page = await findPayerPage(dependencies, request.params.key);
    // Logged instead of the secret URL.
    if (page) Object.assign(request, { merchant_id: page.row.merchant_id });
    const result = page ? isAttempt && (await limits.limitAttempts(request)) : await limits.limitGuesses(request);
    if (result && !result.isAllowed && result.isExceeded) return void sendPage(request, reply, tooManyPage(t));
    if (!page) sendPage(request, reply, unknownLinkPage(t));
    return page;
  }

  const contextOf = (request: PageRequest, { row, is_suspended }: PayerView): Context =>
    payerContext(dependencies, request, row.merchant_id, is_suspended);

  server.get('/s/:key', async (request: PageRequest, reply) => {
    const page = await lookUp(request, reply);
    if (!page) return reply;
    const t = textsFor(request);
    if (page.row.status === 'cancelled') return sendPage(request, reply, endedPage(t, page));
    if (page.link.is_busy) return sendPage(request, reply, busyPage(t, page, triedUrl(request)));
    const { charge_now: resumption } = payerState(page).can.resume
      ? await previewChange(contextOf(request, page), page.row, { resume: true })
      : { charge_now: 0n };
    return sendPage(request, reply, subscriptionPage(t, page, { ...formState(request), resumption }));
  });

  addPageDevices(server, dependencies, '/s', async (request, reply) => (await lookUp(request, reply))?.row);

  for (const { name, action, show, isAllowed, submit } of PAYER_STEPS) {
    if (show)
      server.get(`/s/:key/${name}`, async (request: PageRequest, reply) => {
        const page = await lookUp(request, reply);
        if (!page) return reply;
        const isOffered = page.row.status !== 'cancelled' && !page.link.is_busy && isAllowed(page, payerState(page));
        if (!isOffered) return reply.redirect(urlOf(request), 303);
        return sendPage(request, reply, show(textsFor(request), page, formState(request)));
      });
    server.post(`/s/:key/${name}`, async (request: PageRequest, reply) => {
      const t = textsFor(request);
      if (isCrossSite(request, dependencies.publicUrl)) return sendPage(request, reply, rejectedPage(t, 403));
      const page = await lookUp(request, reply, true);
      if (!page) return reply;
      if (action && !page.actions.includes(action)) return sendPage(request, reply, rejectedPage(t, 403));
      // Its page shows what has changed meanwhile.
      if (page.row.status === 'cancelled') return reply.redirect(urlOf(request), 303);
      const state = payerState(page);
      if (!isAllowed(page, state)) return reply.redirect(urlOf(request), 303);
      const form = new URLSearchParams(request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : '');
      const context = contextOf(request, page);
      try {
        const next = await submit({ request, reply, page, state, form, context });
        return typeof next === 'string' ? reply.redirect(next, 303) : next;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.kind === 'too_many') return sendPage(request, reply, tooManyPage(t));
        if (error.kind === 'not_allowed' || error.kind === 'suspended') return reply.redirect(urlOf(request), 303);
        throw error;
      }
    });
  }
}
