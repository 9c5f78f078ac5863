/** The e-mails to payers about a declined renewal, in Spanish. */
import { isEndedUnpaid } from '../../billing/subscriptions/billing/applyEvent';
import type { HistoryEvent } from '../../billing/subscriptions/lines/events';
import type { SubscriptionRow } from '../../billing/subscriptions/rows';
import type { EmailContent } from './payerEmail';

interface Facts {
  merchant: string;
  plan: string;
  amount: string;
  /** The last digits of the last card charged. */
  digits: string;
  /** The day of the event and of the next action, in Bogotá. */
  on: string;
  next: string | undefined;
  /** Whether the card must not be charged again. */
  needsNewCard: boolean;
  /** The place to register another card, as it follows "otra". */
  where: string;
}

const format = new Intl.DateTimeFormat('es-CO', { dateStyle: 'long', timeZone: 'UTC' });
const inWords = (day: string): string => format.format(new Date(day));

interface SubscriptionTemplate {
  /** The entries of the history that the e-mail is about. */
  about: readonly HistoryEvent[];
  /** Whether it still applies: a payer who has paid meanwhile gets no e-mail about the decline. */
  isTrue: (row: SubscriptionRow) => boolean;
  sent: HistoryEvent;
  /** Sent only when e-mails may demand money. */
  asksForMoney?: true;
  write: (facts: Facts) => Pick<EmailContent, 'subject' | 'lines'>;
}

const isUnpaid = (row: SubscriptionRow): boolean => row.status === 'unpaid' || isEndedUnpaid(row);

export type SubscriptionEmailKind = 'past_due_mail' | 'recovered_mail' | 'unpaid_mail' | 'ended_mail';

export const templates: Record<SubscriptionEmailKind, SubscriptionTemplate> = {
  past_due_mail: {
    about: ['declined'],
    isTrue: row => row.status === 'past_due' || isUnpaid(row),
    sent: 'past_due_email',
    asksForMoney: true,
    write: ({ merchant, plan, amount, digits, on, next, needsNewCard, where }) => ({
      subject: `No pudimos cobrar tu suscripción a ${merchant}`,
      lines: [
        `El ${inWords(on)} fue rechazado el cobro de ${amount} COP de tu suscripción ${plan} (tarjeta terminada en ${digits}).`,
        ...(next
          ? [
              `Lo intentaremos de nuevo el ${inWords(next)}. Antes de esa fecha, revisa tu tarjeta o registra otra ${where}.`,
            ]
          : []),
        ...(needsNewCard ? [`Tu banco no acepta más cobros a esa tarjeta. Registra otra ${where}.`] : []),
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
        `El ${inWords(on)} cobramos ${amount} COP de tu suscripción ${plan} (tarjeta terminada en ${digits}). Gracias por tu pago.`,
      ],
    }),
  },
  unpaid_mail: {
    about: ['unpaid'],
    isTrue: isUnpaid,
    sent: 'unpaid_email',
    asksForMoney: true,
    write: ({ merchant, plan, amount, next, where }) => ({
      subject: `Tu suscripción a ${merchant} está sin pagar`,
      lines: [
        `No pudimos cobrar ${amount} COP de tu suscripción ${plan} y no haremos más intentos.`,
        ...(next
          ? [`La suscripción termina el ${inWords(next)}. Para conservarla, registra antes otra tarjeta ${where}.`]
          : []),
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
        `El ${inWords(on)} terminó tu suscripción ${plan} porque no pudimos cobrar ${amount} COP. No haremos más cobros.`,
      ],
    }),
  },
};
