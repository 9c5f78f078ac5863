import type { Day } from '../../../../workflows/calendar';
import type { EmailWords } from './words';

const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const day = (on: Day): string => format.format(new Date(on));

const another = (merchant: string, hasLink: boolean): string =>
  hasLink ? 'with the button in this e-mail' : `with ${merchant}`;

export const english: EmailWords = {
  greeting: name => `Hello ${name},`,
  unexpected: 'If you did not expect this e-mail, ignore it.',
  day,
  declines: { insufficient_funds: 'insufficient funds', card_expired: 'the card has expired' },
  declined: 'the bank did not accept it',
  methods: {
    card: (brand, digits) => `${brand} ending in ${digits}`,
    store: 'Cash in a store',
    other: 'Online payment',
  },
  labels: {
    concept: 'Description',
    plan: 'Subscription',
    method: 'Payment method',
    date: 'Date',
    iva: 'VAT (IVA) included',
    authorization: 'Authorization',
    order: 'Order',
    reference: 'Reference',
    until: 'Pay until',
    of: 'Original payment',
  },
  subscription: {
    past_due: ({ merchant, plan, amount, digits, on, next, reason, needsNewCard, hasLink }) => ({
      subject: `We could not charge your subscription to ${merchant}`,
      lines: [
        `On ${day(on)} the charge of ${amount} COP for your subscription ${plan} was declined (card ending in ${digits}).`,
        ...(reason ? [`Reason: ${reason}.`] : []),
        ...(next
          ? [
              `We will try again on ${day(next)}. Before then, check your card or add another one ${another(merchant, hasLink)}.`,
            ]
          : []),
        ...(needsNewCard
          ? [`Your bank accepts no more charges to that card. Add another one ${another(merchant, hasLink)}.`]
          : []),
      ],
      button: 'Pay with another card',
    }),
    last_retry: ({ merchant, plan, amount, next, hasLink }) => ({
      subject: `Last attempt to charge your subscription to ${merchant}`,
      lines: [
        `${next ? `On ${day(next)}` : 'Soon'} we will try for the last time to charge ${amount} COP for your subscription ${plan}.`,
        `To keep it, check your card or add another one ${another(merchant, hasLink)} before then.`,
      ],
      button: 'Pay with another card',
    }),
    recovered: ({ merchant, plan, amount, digits, on }) => ({
      subject: `Your subscription to ${merchant} is paid`,
      lines: [
        `On ${day(on)} we charged ${amount} COP for your subscription ${plan} (card ending in ${digits}). Thank you for your payment.`,
      ],
    }),
    unpaid: ({ merchant, plan, amount, next, hasLink }) => ({
      subject: `Your subscription to ${merchant} is unpaid`,
      lines: [
        `We could not charge ${amount} COP for your subscription ${plan}, and will not try again.`,
        ...(next
          ? [
              `The subscription ends on ${day(next)}. To keep it, add another card ${another(merchant, hasLink)} before then.`,
            ]
          : []),
      ],
      button: 'Pay with another card',
    }),
    ended: ({ merchant, plan, amount, on }) => ({
      subject: `Your subscription to ${merchant} has ended`,
      lines: [
        `On ${day(on)} your subscription ${plan} ended because we could not charge ${amount} COP. There will be no more charges.`,
      ],
    }),
    trial_ending: ({ merchant, plan, amount, digits, next }) => ({
      subject: `Your trial of ${merchant} ends soon`,
      lines: [
        `${next ? `On ${day(next)}` : 'Soon'} the trial of your subscription ${plan} ends, and we will charge ${amount} COP to your card ending in ${digits}.`,
        'To continue, you do not have to do anything.',
      ],
      button: 'View my subscription',
    }),
    card_expiring: ({ merchant, plan, amount, digits, next, hasLink }) => ({
      subject: `Your card expires before the next charge of ${merchant}`,
      lines: [
        `The card ending in ${digits} expires before the next charge of your subscription ${plan}: ${amount} COP${next ? ` on ${day(next)}` : ''}.`,
        `Add another one ${another(merchant, hasLink)}, so that the charge does not fail.`,
      ],
      button: 'Change the card',
    }),
    paused: ({ merchant, plan, next, until }) => ({
      subject: `Your subscription to ${merchant} will be paused`,
      lines: [
        `Your subscription ${plan} is paused${next ? ` from ${day(next)}` : ''}. Nothing is charged during the pause.`,
        until ? `It resumes on ${day(until)}.` : 'It stays paused until it is resumed.',
      ],
      button: 'View my subscription',
    }),
    resumed: ({ merchant, plan, amount, next }) => ({
      subject: `Your subscription to ${merchant} continues`,
      lines: [
        `Your subscription ${plan} is not paused any more.`,
        ...(next ? [`The next charge is ${amount} COP, on ${day(next)}.`] : []),
      ],
      button: 'View my subscription',
    }),
    plan_changed: ({ merchant, plan, amount, next }) => ({
      subject: `Your subscription to ${merchant} has changed`,
      lines: [
        next
          ? `From ${day(next)}, your subscription is ${plan}, for ${amount} COP.`
          : `Your subscription is now ${plan}, for ${amount} COP.`,
        'If you did not request this change, reply to this e-mail.',
      ],
      button: 'View my subscription',
    }),
    cancelled: ({ merchant, plan, next }) => ({
      subject: `Your subscription to ${merchant} was cancelled`,
      lines: [
        next
          ? `Your subscription ${plan} ends on ${day(next)}. You can use it until that day.`
          : `Your subscription ${plan} has ended.`,
        'There will be no more charges.',
      ],
    }),
  },
  receipt: merchant => ({
    subject: `Receipt of your payment to ${merchant}`,
    lines: [`${merchant} received your payment. Thank you.`],
    button: 'View the receipt',
  }),
  refunded: (merchant, total) => ({
    subject: `${merchant} refunded your payment`,
    lines: [
      total
        ? `${merchant} refunded a part of your payment of ${total} COP.`
        : `${merchant} refunded your whole payment.`,
      'Depending on your bank, the money can take several days to arrive.',
    ],
  }),
  voucher: merchant => ({
    subject: `Your voucher to pay ${merchant}`,
    lines: [`Pay ${merchant} in cash with this voucher.`],
    button: 'View the barcode',
  }),
  links: {
    payment: (merchant, price, about) => ({
      subject: `Your payment to ${merchant}`,
      lines: [`${merchant} requests a payment${price === null ? '' : ` of ${price} COP`}: ${about}`],
      button: 'Pay',
    }),
    card: merchant => ({
      subject: `Save your card with ${merchant}`,
      lines: [`${merchant} invites you to save a card for your payments. Nothing is charged now.`],
      button: 'Save a card',
    }),
    subscription: (merchant, price, plan) => ({
      subject: `Your subscription to ${plan}`,
      lines: [`${merchant} invites you to subscribe to ${plan} for ${price} COP. The link has the terms.`],
      button: 'Subscribe',
    }),
  },
};
