/** The forms of the page of a subscription, and the pages that show them. */
import type { FastifyReply } from 'fastify';
import type { PayerActionName } from '../../accounts/merchants/fields';
import { changeCard, scheduleEnd } from '../../billing/payerPages/use';
import { endPeriodPayment } from '../../billing/subscriptions/billing/periodPayment';
import { clockNow } from '../../billing/subscriptions/rows';
import { CANCEL_REASONS } from '../../billing/subscriptions/rules/cancelReasons';
import { chargeOnRequest, pauseSubscription } from '../../billing/subscriptions/update';
import { writeUpdate } from '../../billing/subscriptions/writeUpdate';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
import { keptFields, readCard } from '../cardForm';
import type { PageRequest } from '../findPayment';
import { type Page, sendPage, textsFor, withLanguage } from '../layout';
import { recall, remember } from '../payerCookies';
import { rejectedPage } from '../results';
import type { Texts } from '../texts';
import { type CardFormState, cardPage } from './cardStep';
import { findPayerPage, type PayerView } from './find';
import { beginPayment, canPay, payPage } from './payStep';
import { type PayerState, pauseChoices } from './state';
import { cancelPage, pausePage } from './steps';

interface Form {
  request: PageRequest;
  reply: FastifyReply;
  page: PayerView;
  state: PayerState;
  form: URLSearchParams;
  context: Context;
}

interface PayerStep {
  name: 'card' | 'pay' | 'other' | 'cancel' | 'keep' | 'pause' | 'resume';
  /** Must be in the profile of the merchant. */
  action?: PayerActionName;
  /** The page of the form; without one, the form is on the page of the subscription. */
  show?: (t: Texts, page: PayerView, form: CardFormState) => Page;
  isAllowed: (page: PayerView, state: PayerState) => boolean;
  /** Returns the URL of the next page, or a reply that was sent. */
  submit: (form: Form) => Promise<string | FastifyReply>;
}

export const urlOf = (request: PageRequest, step?: string): string =>
  withLanguage(request, `/s/${request.params.key}${step === undefined ? '' : `/${step}`}`);
export const triedUrl = (request: PageRequest, step?: string): string => {
  const url = urlOf(request, step);
  return `${url}${url.includes('?') ? '&' : '?'}tried=yes`;
};

export const formState = (request: PageRequest) => ({
  typed: keptFields(new URLSearchParams(recall(request, 'typed'))),
  isTried: (request.query as Record<string, unknown>).tried !== undefined,
  to: (step?: string) => urlOf(request, step),
});

export const PAYER_STEPS: readonly PayerStep[] = [
  { name: 'card', show: cardPage, isAllowed: ({ is_suspended }) => !is_suspended, submit: submitCard },
  {
    name: 'pay',
    show: payPage,
    isAllowed: canPay,
    submit: async ({ request, reply, page, form, context }) => {
      const t = textsFor(request);
      const next = await beginPayment(t, context, page, { form, reply }).catch(error => {
        if (error instanceof ApiError && error.kind === 'unavailable') return undefined;
        throw error;
      });
      if (typeof next === 'string') return withLanguage(request, next);
      if (next) return sendPage(request, reply, next);
      const current = await findPayerPage(context, request.params.key);
      return current && canPay(current)
        ? sendPage(request, reply, payPage(t, current, formState(request), true))
        : urlOf(request);
    },
  },
  {
    name: 'other',
    isAllowed: ({ payment }) => payment !== undefined,
    submit: async ({ request, page: { row }, context }) => {
      await endPeriodPayment(context, row, clockNow(row));
      return urlOf(request, 'pay');
    },
  },
  {
    name: 'cancel',
    action: 'cancel',
    show: (t, page, { to }) => cancelPage(t, page, to),
    isAllowed: (_, { can }) => can.cancel,
    submit: async ({ request, page: { row }, context, form }) => {
      await scheduleEnd(
        context,
        row,
        CANCEL_REASONS.find(reason => reason === form.get('reason')),
      );
      return urlOf(request);
    },
  },
  {
    name: 'keep',
    action: 'cancel',
    isAllowed: (_, { can }) => can.keep,
    submit: async ({ request, page: { row }, context }) => {
      await writeUpdate(context, row, { cancel_at_period_end: false });
      return urlOf(request);
    },
  },
  {
    name: 'pause',
    action: 'pause',
    show: (t, page, { to }) => pausePage(t, page, to),
    isAllowed: (_, { can }) => can.pause,
    submit: async ({ request, reply, page, context, form }) => {
      const months = form.get('months');
      const chosen = pauseChoices(page).find(choice => String(choice.months) === months);
      if (!chosen && months !== '') return sendPage(request, reply, rejectedPage(textsFor(request), 422));
      await pauseSubscription(context, page.row, { resume_date: chosen?.day ?? null });
      return urlOf(request);
    },
  },
  {
    name: 'resume',
    action: 'pause',
    isAllowed: (_, { can }) => can.resume,
    submit: async ({ request, page: { row }, context }) => {
      await chargeOnRequest(context, row, 'resume');
      return urlOf(request);
    },
  },
];

async function submitCard({ request, reply, page, state, form, context }: Form) {
  const { row, link } = page;
  const typed = keptFields(form);
  const { details, problems } = readCard(form, page.environment, new Date(clockNow(row)));
  if (!details)
    return sendPage(request, reply, cardPage(textsFor(request), page, { ...formState(request), problems, typed }));
  const { number: card_number, brand: _, ...fields } = details;
  const device = form.get('device_session_id') ?? '';
  const card = { ...fields, card_number, ...(isId(device) && { device_session_id: device }) };
  // A form that was shown before another one was sent is not an attempt.
  if (form.get('attempt') === String(link.attempts)) await changeCard(context, row, link, card);
  const cookieOwner = { page_key: request.params.key, page_origin: context.publicUrl };
  const changed = await findPayerPage(context, request.params.key);
  const isRefused = changed !== undefined && changed.link.error_code !== null;
  remember(reply, cookieOwner, 'typed', isRefused ? new URLSearchParams(typed).toString() : '', '/s');
  return triedUrl(request, isRefused && state.due === undefined ? 'card' : undefined);
}
