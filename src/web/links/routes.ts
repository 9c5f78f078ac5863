/**
 * `/links/{key}`: the page of a payment link. It always shows the current state; after each form it is loaded again, so
 * that a reload submits nothing.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServerDependencies } from '../../api/request';
import type { PaymentLinkRow } from '../../billing/paymentLinks/rows';
import { choosePayment, saveLinkedCard } from '../../billing/paymentLinks/use';
import { openUse } from '../../billing/paymentLinks/uses';
import { hasUses, statusOf } from '../../billing/paymentLinks/view';
import { returnUrl } from '../../payments/charges/pending/redirectUrl';
import { voucherOf } from '../../payments/charges/rows';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { keptFields, readCard } from '../cardForm';
import { isCrossSite, type PageRequest, type RateLimit } from '../findPayment';
import { sendPage, textsFor, withLanguage } from '../layout';
import { recall, remember } from '../payerCookies';
import { addPageDevices } from '../payersDevice';
import { notFoundPage, redirectPage, rejectedPage, tooManyPage } from '../results';
import { findLinkPage, type LinkPage } from './find';
import {
  busyPage,
  type CardPageState,
  cardPage,
  choicePage,
  donePage,
  fullLinkPage,
  orderPaidPage,
  suspendedLinkPage,
  toBankPage,
  unavailableLinkPage,
} from './pages';
import { payerContext } from './payerContext';
import { type PayerForm, readPayer, readUse } from './payerForm';
import { deviceOf, isOutdated, planForms } from './planForm';
import { addQrCodes } from './qrCode';
import { backToLink, linkUrl, toLink } from './urls';

export interface Limits {
  limitGuesses: RateLimit;
  limitAttempts: RateLimit;
}

interface LinkLimits extends Limits {
  /** Counts each coupon that a payer names. */
  limitCodes: RateLimit;
  limitImages: RateLimit;
}

export function addLinks(server: FastifyInstance, dependencies: ServerDependencies, limits: LinkLimits): void {
  const { environment, publicUrl } = dependencies;
  const plans = planForms(dependencies, limits.limitCodes);

  /** Sends an error page and returns undefined if the link does not exist or the rate limit is exceeded. */
  async function lookUp(request: PageRequest, reply: FastifyReply, isAttempt = false): Promise<LinkPage | undefined> {
    const t = textsFor(request);
    const page = await findLinkPage(dependencies, request.params.key);
    // Logged instead of the secret URL.
    if (page) Object.assign(request, { merchant_id: page.link.merchant_id });
    const result = page ? isAttempt && (await limits.limitAttempts(request)) : await limits.limitGuesses(request);
    if (result && !result.isAllowed && result.isExceeded) return void sendPage(request, reply, tooManyPage(t));
    if (!page) sendPage(request, reply, notFoundPage(t));
    return page;
  }

  server.get('/links/:key', async (request: PageRequest, reply) => {
    const page = await lookUp(request, reply);
    if (!page) return reply;
    const typed = keptFields(new URLSearchParams(recall(request, 'typed')));
    return sendState(request, reply, page) ?? (page.plan ? plans.show : sendForm)(request, reply, page, { typed });
  });

  server.post('/links/:key', async (request: PageRequest, reply) => {
    const t = textsFor(request);
    if (isCrossSite(request, publicUrl)) return sendPage(request, reply, rejectedPage(t, 403));
    const page = await lookUp(request, reply, true);
    if (!page) return reply;
    const form = new URLSearchParams(request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : '');
    const { merchant_id } = page.link;
    const context = payerContext(dependencies, request, merchant_id);
    const isUsable =
      statusOf(page.link) === 'active' && !page.isCustomerDeleted && !page.is_suspended && !isFull(page.link);
    if (!isUsable) return backToLink(request, reply);
    const submit = { payment: submitChoice, card: submitCard, subscription: plans.submit }[page.link.kind];
    return submit(request, reply, page, form, context).catch(error => {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === 'order_id_exists') return sendPage(request, reply, orderPaidPage(t, page));
      // Its page shows what has changed meanwhile.
      if (error.kind === 'not_found' || error.kind === 'suspended') return backToLink(request, reply);
      throw error;
    });
  });

  addQrCodes(server, lookUp, limits.limitImages);
  addPageDevices(server, dependencies, '/links', async (request, reply) => (await lookUp(request, reply))?.link);

  async function submitChoice(
    request: PageRequest,
    reply: FastifyReply,
    page: LinkPage,
    form: URLSearchParams,
    context: Context,
  ) {
    const choice = await readPayer(context, page, form);
    if (Array.isArray(choice)) return sendChoice(request, reply, page, { form, problems: choice });
    const { method, amount, payer } = choice;
    const link = hasUses(page.link) ? await openUse(context, page.link, { id: readUse(form), amount }) : page.link;
    await choosePayment(context, link, method, payer);
    return toLink(request, reply, link, 'start');
  }

  async function submitCard(
    request: PageRequest,
    reply: FastifyReply,
    page: LinkPage,
    form: URLSearchParams,
    context: Context,
  ) {
    const { link } = page;
    const { details: card, problems } = readCard(form, environment, link.now);
    const typed = keptFields(form);
    if (!card) return sendForm(request, reply, page, { problems, typed });
    if (isOutdated(page, form)) return sendForm(request, reply, page, { note: 'otherPerson', typed });
    await saveLinkedCard(context, link, { card, ...deviceOf(form), attemptsShown: link.attempts });
    remember(reply, link, 'typed', new URLSearchParams(typed).toString(), '/links');
    return backToLink(request, reply, 'done');
  }
}

/** Whether no further payer may begin. A payer who has begun keeps the place. */
const isFull = ({ places, max_payments }: PaymentLinkRow): boolean => max_payments !== null && places >= max_payments;

const isUnpaidYet = (status: string | undefined): boolean => status === 'past_due' || status === 'unpaid';

/** Undefined if the link waits for a form. */
function sendState(request: PageRequest, reply: FastifyReply, page: LinkPage): FastifyReply | undefined {
  const t = textsFor(request);
  const { link, payment, subscription } = page;
  const query = request.query as Record<string, unknown>;
  const status = statusOf(link);
  if (status === 'completed' && payment) return toPayment(request, reply, page);
  if (status === 'completed' && hasUses(link)) return sendPage(request, reply, fullLinkPage(t, page));
  if (status === 'completed') {
    const id = link.card_id ?? link.subscription_id ?? '';
    const url = link.redirect_url === null ? undefined : returnUrl(link.redirect_url, id);
    const isReturning = url !== undefined && query.done !== undefined && !isUnpaidYet(subscription?.status);
    return sendPage(
      request,
      reply,
      isReturning ? redirectPage(t, page, url) : donePage(t, page, { returnUrl: url, payerUrl: page.payerUrl }),
    );
  }
  if (status !== 'active' || page.isCustomerDeleted) return sendPage(request, reply, unavailableLinkPage(t, page));
  if (page.is_suspended) return sendPage(request, reply, suspendedLinkPage(t, page));
  const isUnpaid = payment ? payment.method === 'card' && payment.progress === 'pending' : !link.subscription_id;
  if (isUnpaid && (isFull(link) || link.is_closed)) return sendPage(request, reply, fullLinkPage(t, page));
  if (payment && (query.change === undefined || payment.progress !== 'pending')) return toPayment(request, reply, page);
  if (link.is_busy || link.subscription_id !== null)
    return sendPage(request, reply, busyPage(t, page, linkUrl(request)));
  return undefined;
}

/** Leads to the page of the chosen payment. */
function toPayment(request: PageRequest, reply: FastifyReply, page: LinkPage) {
  const { payment } = page;
  if (!payment) throw new Error(`payment link ${page.link.id} has no payment`);
  const url = withLanguage(request, `/${voucherOf(payment) ? 'vouchers' : 'pay'}/${payment.page_key}`);
  if (payment.method !== 'bank_account' || payment.progress !== 'pending') return reply.redirect(url, 303);
  const isNew = (request.query as Record<string, unknown>).start !== undefined;
  return sendPage(request, reply, toBankPage(textsFor(request), page, url, linkUrl(request, 'change'), isNew));
}

function sendForm(request: PageRequest, reply: FastifyReply, page: LinkPage, state: Omit<CardPageState, 'action'>) {
  if (page.link.kind === 'payment')
    return sendChoice(request, reply, page, { form: new URLSearchParams(), problems: [] });
  return sendPage(request, reply, cardPage(textsFor(request), page, { ...state, action: linkUrl(request) }));
}

const sendChoice = (request: PageRequest, reply: FastifyReply, page: LinkPage, form: PayerForm) =>
  sendPage(request, reply, choicePage(textsFor(request), page, linkUrl(request), form));
