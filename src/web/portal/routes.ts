/**
 * `/p/{token}`: the portal of a customer. It always shows the current state; after each form it is loaded again, so that a
 * reload submits nothing.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerDependencies } from '../../api/request';
import { openFirstLink } from '../../billing/payerPages/rows';
import { payerPageUrl } from '../../billing/payerPages/token';
import { findPortal } from '../../billing/portals/rows';
import { addCard, removeCard } from '../../billing/portals/use';
import { findSubscription } from '../../billing/subscriptions/list';
import { timeOf } from '../../platform/database/clock';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { keptFields, readCard } from '../cardForm';
import { isCrossSite, type PageRequest } from '../findPayment';
import { sendPage, textsFor, withLanguage } from '../layout';
import { busyPage } from '../links/pages';
import { payerContext } from '../links/payerContext';
import type { Limits } from '../links/routes';
import { unknownLinkPage } from '../payer/page';
import { recall, remember } from '../payerCookies';
import { addPageDevices } from '../payersDevice';
import { rejectedPage, tooManyPage } from '../results';
import { portalCardPage } from './card';
import { findPortalLink, loadPortal, type PortalLink } from './find';
import { expiredPortalPage, type PortalState, portalPage, suspendedPortalPage } from './page';

const NOTES = ['added', 'isUsed'] as const;
type Note = PortalState['note'] | 'tried';

const pathOf = (request: PageRequest): string => `/p/${request.params.key}`;
function urlOf(request: PageRequest, step?: string, note?: Note): string {
  const url = withLanguage(request, step === undefined ? pathOf(request) : `${pathOf(request)}/${step}`);
  return note === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}note=${note}`;
}
const noteIn = (request: FastifyRequest): unknown => (request.query as Record<string, unknown>).note;
function undefinedUnlessFound(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.kind !== 'not_found') throw error;
}
const formOf = (request: FastifyRequest): URLSearchParams =>
  new URLSearchParams(request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : '');

export function addPortal(server: FastifyInstance, dependencies: ServerDependencies, limits: Limits): void {
  const { db, publicUrl, vault, environment } = dependencies;

  /** Sends a page and returns undefined unless the link can be used. */
  async function lookUp(request: PageRequest, reply: FastifyReply, isAttempt = false): Promise<PortalLink | undefined> {
    const t = textsFor(request);
    const link = await findPortalLink(dependencies, request.params.key);
    // Logged instead of the secret URL.
    if (link) Object.assign(request, { merchant_id: link.merchant_id });
    const result = link ? isAttempt && (await limits.limitAttempts(request)) : await limits.limitGuesses(request);
    if (result && !result.isAllowed && result.isExceeded) return void sendPage(request, reply, tooManyPage(t));
    if (!link) return void sendPage(request, reply, unknownLinkPage(t));
    if (link.isExpired) return void sendPage(request, reply, expiredPortalPage(t, link));
    if (link.is_suspended) return void sendPage(request, reply, suspendedPortalPage(t, link));
    return link;
  }

  const contextOf = (request: PageRequest, { merchant_id }: PortalLink) =>
    payerContext(dependencies, request, merchant_id);
  const timeOn = ({ merchant_id, token }: PortalLink) => timeOf({ db, merchant_id, environment }, token.customer_id);
  const cardState = (request: PageRequest, now: Date) => ({
    path: pathOf(request),
    now,
    typed: keptFields(new URLSearchParams(recall(request, 'typed'))),
    isTried: noteIn(request) === 'tried',
    to: (step?: string) => urlOf(request, step),
  });

  server.get('/p/:key', async (request: PageRequest, reply) => {
    const link = await lookUp(request, reply);
    if (!link) return reply;
    const note = NOTES.find(one => one === noteIn(request));
    const view = await loadPortal(dependencies, link);
    return sendPage(
      request,
      reply,
      portalPage(textsFor(request), view, { to: step => urlOf(request, step), ...(note && { note }) }),
    );
  });

  addPageDevices(server, dependencies, '/p', lookUp);

  server.get(
    '/p/:key/subscriptions/:id',
    async (request: FastifyRequest<{ Params: { key: string; id: string } }>, reply) => {
      const link = await lookUp(request, reply);
      if (!link) return reply;
      const found = await findSubscription(contextOf(request, link), request.params.id, link.token.customer_id).catch(
        undefinedUnlessFound,
      );
      const page = found && found.status !== 'cancelled' ? await openFirstLink(db, found.id) : undefined;
      if (!page) return sendPage(request, reply, unknownLinkPage(textsFor(request)));
      const url = payerPageUrl('', vault.linking, page);
      return reply.redirect(withLanguage(request, url), 303);
    },
  );

  server.get('/p/:key/card', async (request: PageRequest, reply) => {
    const link = await lookUp(request, reply);
    if (!link) return reply;
    const t = textsFor(request);
    const { is_busy, has_ended, error_code } = link.portal;
    if (is_busy) return sendPage(request, reply, busyPage(t, link, urlOf(request, 'card', 'tried')));
    const isAdded = noteIn(request) === 'tried' && has_ended && error_code === null;
    if (isAdded) return reply.redirect(urlOf(request, undefined, 'added'), 303);
    return sendPage(request, reply, portalCardPage(t, link, cardState(request, await timeOn(link))));
  });

  server.post('/p/:key/card', async (request: PageRequest, reply) => {
    const t = textsFor(request);
    if (isCrossSite(request, publicUrl)) return sendPage(request, reply, rejectedPage(t, 403));
    const link = await lookUp(request, reply, true);
    if (!link) return reply;
    const form = formOf(request);
    const typed = keptFields(form);
    const now = await timeOn(link);
    const { details, problems } = readCard(form, environment, now);
    if (!details)
      return sendPage(request, reply, portalCardPage(t, link, { ...cardState(request, now), problems, typed }));
    const { number: card_number, brand: _, ...fields } = details;
    const device = form.get('device_session_id') ?? '';
    const card = { ...fields, card_number, ...(isId(device) && { device_session_id: device }) };
    const { portal } = link;
    // A form that was shown before another one was sent is not an attempt.
    const isAttempt = form.get('attempt') === String(portal.attempts);
    try {
      if (isAttempt) await addCard(contextOf(request, link), portal, card);
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'too_many') throw error;
      return sendPage(request, reply, tooManyPage(t));
    }
    const changed = await findPortal(db, portal.customer_id);
    const isRefused = !changed?.has_ended || changed.error_code !== null;
    const cookieOwner = { page_key: request.params.key, page_origin: publicUrl };
    remember(reply, cookieOwner, 'typed', isRefused ? new URLSearchParams(typed).toString() : '', '/p');
    return reply.redirect(
      isRefused ? urlOf(request, 'card', 'tried') : urlOf(request, undefined, isAttempt ? 'added' : undefined),
      303,
    );
  });

  server.post('/p/:key/remove', async (request: PageRequest, reply) => {
    if (isCrossSite(request, publicUrl)) return sendPage(request, reply, rejectedPage(textsFor(request), 403));
    const link = await lookUp(request, reply, true);
    if (!link) return reply;
    const card_id = formOf(request).get('card_id') ?? '';
    const isRemoved = await removeCard(contextOf(request, link), link.token.customer_id, card_id).catch(
      undefinedUnlessFound,
    );
    return reply.redirect(urlOf(request, undefined, isRemoved === false ? 'isUsed' : undefined), 303);
  });
}
