import { ApiError, errorKindOf } from '../../../platform/errors';
import type { Words } from './words';

export const tries = (count: number): string => (count === 1 ? '1 try' : `${count} tries`);

export const english: Words = {
  lines: {
    created: () => 'The subscription was created.',
    charged: ({ period }) => `Period ${period} was charged.`,
    declined: ({ period, error_code }) =>
      `The charge of period ${period} was declined: ${new ApiError(errorKindOf(error_code ?? 0)).message} (${error_code}).`,
    unanswered: ({ period }) => `The acquirer gave no answer to the charge of period ${period}; it is asked again.`,
    not_made: ({ period }) => `The charge of period ${period} was not made.`,
    unpaid: () => 'No tries are left: the subscription is unpaid.',
    card_changed: () => 'The subscription got another card.',
    retry_requested: () => 'The merchant asked to try again at once.',
    retry_requested_by_operator: () => 'An operator asked to try again at once.',
    cancel_scheduled: () => 'It was asked to end with its period.',
    cancel_unscheduled: () => 'It was asked to go on after its period.',
    trial_changed: ({ day }) => `The trial was set to end on ${day}.`,
    cancelled_by_merchant: () => 'The merchant cancelled the subscription.',
    cancelled_by_operator: () => 'An operator cancelled the subscription.',
    customer_deleted: () => 'The subscription ended, since its customer was deleted.',
    period_ended: () => 'The subscription ended with its period.',
    retries_exhausted: () => 'No tries are left: the subscription ended.',
    left_unpaid: () => 'The subscription ended, since it was not paid in time.',
    past_due_email: ({ period }) => `The customer was told by e-mail that the charge of period ${period} was declined.`,
    recovered_email: ({ period }) => `The customer was told by e-mail that period ${period} is paid now.`,
    unpaid_email: ({ period }) => `The customer was told by e-mail that period ${period} is unpaid.`,
    ended_email: () => 'The customer was told by e-mail that the subscription ended unpaid.',
    email_refused: () => 'An e-mail to the customer was refused by the mail server.',
  },
  endsWithPeriod: 'It ends with its period.',
  inTrial: until => `In trial until ${until}.`,
  active: (period, until) => `Active, period ${period} is paid until ${until}.`,
  pastDue: (period, left, after) =>
    `Past due: period ${period} was declined, ${tries(left)} left before it is ${after}.`,
  unpaid: period => `Unpaid: period ${period} was not paid and no tries are left.`,
  cancelled: why => `Cancelled: ${why}`,
  nothingNext: 'Nothing: it has ended.',
  suspended: 'The merchant is suspended: nothing is charged or cancelled for it before it is resumed.',
  held: 'What is due waits: charges that are made by themselves go on later, each once.',
  asksAcquirer: period =>
    `The acquirer is asked what became of the charge of period ${period}, before anything else is charged.`,
  endsOn: day => `On ${day} it ends without another charge.`,
  cancelsOn: (day, period) => `On ${day} it is cancelled, unless a new card pays period ${period} before.`,
  chargesAtOnce: period => `Period ${period} is tried at once.`,
  chargesOn: (day, period) => `On ${day} period ${period} is charged.`,
  retriesOn: (day, period, left, after) =>
    `On ${day} period ${period} is tried again; ${tries(left)} left, then ${
      after === 'cancelled' ? 'it is cancelled' : 'it becomes unpaid'
    }. A new card is tried at once.`,
};
