/** What payers are told of a renewal that was declined: in Spanish, and in short in English. */
import { type HistoryEvent, isEndedUnpaid } from '../../billing/subscriptions/billing/applyEvent';
import type { SubscriptionRow } from '../../billing/subscriptions/rows';
import type { LetterContent } from './payerLetter';

interface Facts {
  merchant: string;
  plan: string;
  amount: string;
  /** Of the card that was tried last. */
  digits: string;
  /** On which day of Bogotá it happened, and what comes next. */
  on: string;
  next: string | undefined;
}

const dayIn = (language: string) => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return (day: string): string => format.format(new Date(day));
};
const [es, en] = [dayIn('es-CO'), dayIn('en-GB')];

interface SubscriptionLetter {
  /** Of what it tells, in the history. */
  about: readonly HistoryEvent[];
  /** It says nothing that is over: who has paid meanwhile is not told of the decline. */
  isTrue: (row: SubscriptionRow) => boolean;
  sent: HistoryEvent;
  write: (facts: Facts) => Pick<LetterContent, 'subject' | 'lines'>;
}

const isUnpaid = (row: SubscriptionRow): boolean => row.status === 'unpaid' || isEndedUnpaid(row);

export type LetterKind = 'past_due_mail' | 'recovered_mail' | 'unpaid_mail' | 'ended_mail';

export const letters: Record<LetterKind, SubscriptionLetter> = {
  past_due_mail: {
    about: ['declined'],
    isTrue: row => row.status === 'past_due' || isUnpaid(row),
    sent: 'past_due_email',
    write: ({ merchant, plan, amount, digits, on, next }) => ({
      subject: `No se pudo cobrar tu suscripción a ${merchant}`,
      lines: [
        `El ${es(on)} se rechazó el cobro de ${amount} COP de tu suscripción ${plan} a la tarjeta que termina en ${digits}.`,
        ...(next ? [`Se intentará otra vez el ${es(next)}. Revisa la tarjeta, o dale otra a ${merchant} antes.`] : []),
        `On ${en(on)} the charge of ${amount} COP for your subscription ${plan} was declined (card ending in ${digits}).`,
        ...(next
          ? [`It will be tried again on ${en(next)}. Check the card, or give ${merchant} another one before.`]
          : []),
      ],
    }),
  },
  recovered_mail: {
    about: ['charged'],
    isTrue: ({ status }) => status === 'active',
    sent: 'recovered_email',
    write: ({ merchant, plan, amount, digits, on }) => ({
      subject: `Tu suscripción a ${merchant} está al día`,
      lines: [
        `El ${es(on)} se cobraron ${amount} COP de tu suscripción ${plan} a la tarjeta que termina en ${digits}. Gracias.`,
        `On ${en(on)} your subscription ${plan} was paid: ${amount} COP, card ending in ${digits}. Thank you.`,
      ],
    }),
  },
  unpaid_mail: {
    about: ['unpaid'],
    isTrue: isUnpaid,
    sent: 'unpaid_email',
    write: ({ merchant, plan, amount, next }) => ({
      subject: `Tu suscripción a ${merchant} está sin pagar`,
      lines: [
        `No se pudieron cobrar ${amount} COP de tu suscripción ${plan}, y no se intentará más.`,
        ...(next ? [`Termina el ${es(next)}. Para seguir, dale antes otra tarjeta a ${merchant}.`] : []),
        `${amount} COP for your subscription ${plan} could not be charged, and no more tries are made.`,
        ...(next ? [`It ends on ${en(next)}. To go on, give ${merchant} another card before.`] : []),
      ],
    }),
  },
  ended_mail: {
    about: ['retries_exhausted', 'left_unpaid'],
    isTrue: isEndedUnpaid,
    sent: 'ended_email',
    write: ({ merchant, plan, amount, on }) => ({
      subject: `Tu suscripción a ${merchant} terminó`,
      lines: [
        `El ${es(on)} terminó tu suscripción ${plan}, porque no se pudieron cobrar ${amount} COP. No se te cobrará más.`,
        `Your subscription ${plan} ended on ${en(on)}, since ${amount} COP could not be charged. Nothing more is charged.`,
      ],
    }),
  },
};
