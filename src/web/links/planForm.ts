/** The form with which a payer subscribes to a plan. */
import type { FastifyReply } from 'fastify';
import type { ServerDependencies } from '../../api/request';
import type { PaymentLinkRow } from '../../billing/paymentLinks/rows';
import { subscribeByLink } from '../../billing/paymentLinks/use';
import { openUse } from '../../billing/paymentLinks/uses';
import { hasUses } from '../../billing/paymentLinks/view';
import { type Offer, offerOf } from '../../billing/subscriptions/creation/offer';
import { isId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
import { keptFields, readCard } from '../cardForm';
import { count, type PageRequest, type RateLimit } from '../findPayment';
import { sendPage, textsFor } from '../layout';
import { remember } from '../payerCookies';
import type { LinkPage } from './find';
import { payerContext } from './payerContext';
import { readDetails, readUse } from './payerForm';
import { consentText, type PlanFormState, planPage } from './planPage';
import { linkUrl, toLink } from './urls';

/** A browser without scripts has no device session. */
export function deviceOf(form: URLSearchParams): { device_session_id: string | null } {
  const device = form.get('device_session_id') ?? '';
  return { device_session_id: isId(device) ? device : null };
}

/** Another attempt was made since the page was rendered. */
export const isOutdated = ({ link }: LinkPage, form: URLSearchParams): boolean =>
  form.get('attempt') !== String(link.attempts) && !link.is_busy && link.subscription_id === null;

/** The coupon of the merchant, unless the payer may name another one. An empty text means none. */
function couponOf({ coupon, accepts_coupons }: PaymentLinkRow, named: string | null): string | null {
  if (named === '') return null;
  return (accepts_coupons && named?.trim().slice(0, 50)) || coupon;
}

export function planForms(dependencies: ServerDependencies, limitCodes: RateLimit) {
  const { environment } = dependencies;

  async function offerFor(
    request: PageRequest,
    context: Context,
    { link, plan }: LinkPage,
    named: string | null,
  ): Promise<Offer> {
    if (!plan) throw new Error(`payment link ${link.id} has no plan`);
    if (link.accepts_coupons && named) await count(request, limitCodes);
    return offerOf(context, plan, { ...link, coupon: couponOf(link, named) }, link.now);
  }

  async function show(
    request: PageRequest,
    reply: FastifyReply,
    page: LinkPage,
    state: Omit<PlanFormState, 'offer' | 'form' | 'wrong' | 'named'> & Partial<PlanFormState>,
  ) {
    const { coupon, lang } = request.query as Record<string, unknown>;
    const named = typeof coupon === 'string' && coupon !== '' ? coupon : null;
    const context = payerContext(dependencies, request, page.link.merchant_id);
    const offer = state.offer ?? (await offerFor(request, context, page, named));
    const wrong = state.wrong ?? (named !== null && offer.isCouponRefused ? ['coupon' as const] : []);
    const form = state.form ?? new URLSearchParams();
    const language = typeof lang === 'string' ? lang : undefined;
    const shown = { ...state, offer, wrong, form, named: state.named ?? named, language, url: linkUrl(request) };
    return sendPage(request, reply, planPage(textsFor(request), page, shown));
  }

  async function submit(
    request: PageRequest,
    reply: FastifyReply,
    page: LinkPage,
    form: URLSearchParams,
    context: Context,
  ) {
    const { link, plan } = page;
    const isShared = hasUses(link);
    const { details: card, problems } = readCard(form, environment, link.now);
    const typed = keptFields(form);
    const named = form.get('coupon');
    const offer = await offerFor(request, context, page, named);
    const details = isShared ? await readDetails(context, form) : undefined;
    const wrong = [
      ...(Array.isArray(details) ? details : []),
      ...(offer.isCouponRefused ? (['coupon'] as const) : []),
      ...(form.get('consent') === null ? (['consent'] as const) : []),
    ];
    const state = { typed, form, offer };
    if (!card || wrong.length > 0 || Array.isArray(details))
      return show(request, reply, page, { ...state, problems, wrong, named });
    const { trial } = request.query as Record<string, unknown>;
    if (trial !== String(plan?.trial_days)) return show(request, reply, page, { ...state, note: 'planChanged' });
    if (!isShared && isOutdated(page, form)) return show(request, reply, page, { ...state, note: 'otherPerson' });
    const { coupon } = offer;
    const use = isShared ? await openUse(context, link, { id: readUse(form), coupon, payer: details }) : link;
    // The page of the payer shows what became of an earlier run of this form.
    if (isShared && use.attempts > 0) return toLink(request, reply, use, 'done');
    const consent = consentText(textsFor(request), page, offer);
    await subscribeByLink(context, use, { card, ...deviceOf(form), attemptsShown: use.attempts, coupon, consent });
    remember(reply, use, 'typed', new URLSearchParams(typed).toString(), '/links');
    return toLink(request, reply, use, 'done');
  }

  return { show, submit };
}
