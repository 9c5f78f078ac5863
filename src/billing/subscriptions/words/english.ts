import type { PayerEmailName } from '../../../accounts/merchants/fields';
import { type ChargeMethodName, METHODS } from '../../../payments/methods/methods';
import { ApiError, errorKindOf } from '../../../platform/errors';
import { displayMoney } from '../../../platform/money';
import type { LineDetails } from '../lines/events';
import type { CancelReason } from '../rules/cancelReasons';
import type { Words } from './words';

export const retries = (count: number): string => (count === 1 ? '1 retry' : `${count} retries`);

const cancelReasons: Record<CancelReason, string> = {
  too_expensive: 'too expensive',
  not_used: 'not used enough',
  not_as_expected: 'not as expected',
  switched: 'switched to another service',
  other: 'another reason',
};

export const planOf = (details: LineDetails | null | undefined): string =>
  `${details?.plan}${details?.quantity === 1 ? '' : ` × ${details?.quantity}`}`;
export const amountOf = (details: LineDetails | null | undefined): string => {
  const centavos = BigInt(details?.amount ?? 0);
  return centavos < 0n ? `-${displayMoney(-centavos)}` : displayMoney(centavos);
};

export const methodName = (details: LineDetails | null | undefined) =>
  METHODS[(details?.method ?? 'card') as ChargeMethodName].name;

const emails: Partial<Record<PayerEmailName, string>> = {
  last_retry: 'about the last retry',
  trial_ending: 'that the trial ends soon',
  card_expiring: 'that the card expires before the next charge',
  paused: 'about the pause',
  resumed: 'that the subscription is not paused any more',
  plan_changed: 'about the change of the subscription',
  cancelled: 'about the cancellation',
};

export const english: Words = {
  lines: {
    created: () => 'The subscription was created.',
    charged: ({ period, details }) =>
      details?.method
        ? `The payer paid period ${period} (${methodName(details).en}).`
        : `Period ${period} was charged.`,
    declined: ({ period, error_code }) =>
      `The charge of period ${period} was declined: ${new ApiError(errorKindOf(error_code ?? 0)).message} (${error_code}).`,
    unanswered: ({ period }) =>
      `The acquirer did not answer the charge of period ${period}. The outcome is being looked up.`,
    retry_skipped: ({ period }) =>
      `The retry of period ${period} was skipped, because the bank does not accept another charge of this card.`,
    not_made: ({ period }) => `The charge of period ${period} was not made.`,
    unpaid: () => 'No retries are left: the subscription is unpaid.',
    card_changed: () => 'The card of the subscription was changed.',
    retry_requested: () => 'The merchant requested an immediate retry.',
    retry_requested_by_operator: () => 'An operator requested an immediate retry.',
    cancel_scheduled: ({ details }) =>
      details?.reason
        ? `The payer scheduled the subscription to end with its period: ${cancelReasons[details.reason]}.`
        : 'The subscription was scheduled to end with its period.',
    cancel_unscheduled: () => 'The scheduled end was removed.',
    trial_changed: ({ day }) => `The end of the trial was changed to ${day}.`,
    pause_requested: ({ day }) => `A pause after the current period was requested${day ? `, until ${day}` : ''}.`,
    pause_withdrawn: () => 'The pause was withdrawn before it began.',
    resumed: () => 'The subscription was resumed: a new period begins.',
    covered: ({ period }) => `Period ${period} cost nothing after discounts, courtesies and credit.`,
    change_planned: ({ details }) => `A change to ${planOf(details)} was planned for the next period.`,
    planned_change_removed: () => 'The planned change was withdrawn.',
    plan_changed: ({ details }) => `The subscription was changed to ${planOf(details)}.`,
    change_declined: ({ error_code }) =>
      `The charge of a change was declined: ${new ApiError(errorKindOf(error_code ?? 0)).message} (${error_code}). Nothing changed.`,
    change_not_made: () => 'The acquirer did not answer the charge of a change in time. Nothing changed.',
    coupon_added: ({ details }) => `The coupon ${details?.code} was added.`,
    coupon_removed: () => 'The coupon was removed.',
    extra_added: ({ details }) => `${amountOf(details)} was added to the next period: ${details?.description}.`,
    extra_removed: ({ details }) => `${amountOf(details)} was removed from the next period: ${details?.description}.`,
    credit_returned: ({ details }) => `The merchant returned the credit of ${amountOf(details)} to the customer.`,
    payment_requested: ({ period, day, details }) =>
      `The payer began to pay period ${period} (${methodName(details).en}). Retries wait until ${day} at the latest.`,
    payment_ended: ({ period, details }) =>
      `The payer did not make the payment of period ${period} (${methodName(details).en}).`,
    payment_credited: ({ details }) =>
      `A payment of ${amountOf(details)} arrived when nothing was due. It was credited to the subscription.`,
    iva_changed: ({ details }) =>
      details?.iva ? `The IVA was changed to ${details.iva}.` : 'The IVA was changed to that of the plan.',
    cancelled_by_merchant: () => 'The merchant cancelled the subscription.',
    cancelled_by_operator: () => 'An operator cancelled the subscription.',
    customer_deleted: () => 'The subscription ended because its customer was deleted.',
    period_ended: () => 'The subscription ended with its period.',
    retries_exhausted: () => 'No retries are left: the subscription ended.',
    left_unpaid: () => 'The subscription ended because it was not paid in time.',
    past_due_email: ({ period }) => `An e-mail told the customer that the charge of period ${period} was declined.`,
    recovered_email: ({ period }) => `An e-mail told the customer that period ${period} is paid.`,
    unpaid_email: ({ period }) => `An e-mail told the customer that period ${period} is unpaid.`,
    ended_email: () => 'An e-mail told the customer that the subscription ended unpaid.',
    email_refused: () => 'The mail server refused an e-mail to the customer.',
    email_sent: ({ details }) =>
      `An e-mail told the customer ${emails[details?.kind ?? 'receipt'] ?? 'about the payment'}.`,
  },
  changes: (to, on) => `It changes to ${to} on ${on}.`,
  hasCredit: amount => `It has a credit of ${amount}.`,
  coversOn: (day, period) => `Period ${period} begins on ${day} and costs nothing.`,
  endsWithPeriod: 'It ends at the end of the period.',
  paused: (since, resumes) => `Its pause begins on ${since}${resumes ? ` and ends on ${resumes}` : ''}.`,
  inTrial: until => `In trial until ${until}.`,
  active: (period, until) => `Active, period ${period} is paid until ${until}.`,
  pastDue: (period, left, after) =>
    `Past due: period ${period} was declined, ${retries(left)} left before it is ${after}.`,
  unpaid: period => `Unpaid: period ${period} was not paid and no retries are left.`,
  cancelled: reason => `Cancelled: ${reason}`,
  nothingNext: 'None: the subscription has ended.',
  suspended: 'The merchant is suspended: charges and cancellations are paused until it is resumed.',
  held: 'Automatic charges are paused. Each due period will be charged once.',
  asksAcquirer: period => `The outcome of the charge of period ${period} is being looked up at the acquirer.`,
  waitsForPayment: (period, until) => `The payer can pay period ${period} until ${until}. Retries wait as long.`,
  endsOn: day => `The subscription ends on ${day} without another charge.`,
  cancelsOn: (day, period) =>
    `The subscription is cancelled on ${day}, unless a new card pays period ${period} before.`,
  chargesAtOnce: period => `Period ${period} is charged immediately.`,
  chargesOn: (day, period) => `Period ${period} is charged on ${day}.`,
  waitsForResumption: 'Nothing is charged until the subscription is resumed.',
  waitsForNewCard: 'The bank does not accept another charge of this card: a new one is required.',
  skipsOn: (day, period, left, after) =>
    `The retry of period ${period} on ${day} is skipped; ${retries(left)} left, then the subscription ${
      after === 'cancelled' ? 'is cancelled' : 'becomes unpaid'
    }. A new card is charged immediately.`,
  retriesOn: (day, period, left, after) =>
    `Period ${period} is retried on ${day}; ${retries(left)} left, then the subscription ${
      after === 'cancelled' ? 'is cancelled' : 'becomes unpaid'
    }. A new card is charged immediately.`,
};
