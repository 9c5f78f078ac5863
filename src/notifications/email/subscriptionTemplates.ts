/** The e-mails to payers about a declined renewal, in Spanish and English. */
import { isEndedUnpaid } from '../../billing/subscriptions/billing/applyEvent';
import type { HistoryEvent, SubscriptionRow } from '../../billing/subscriptions/rows';
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
}

const dayIn = (language: string) => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return (day: string): string => format.format(new Date(day));
};
const [es, en] = [dayIn('es-CO'), dayIn('en-GB')];

interface SubscriptionTemplate {
  /** The entries of the history that the e-mail is about. */
  about: readonly HistoryEvent[];
  /** Whether it still applies: a payer who has paid meanwhile gets no e-mail about the decline. */
  isTrue: (row: SubscriptionRow) => boolean;
  sent: HistoryEvent;
  write: (facts: Facts) => Pick<EmailContent, 'subject' | 'lines'>;
}

const isUnpaid = (row: SubscriptionRow): boolean => row.status === 'unpaid' || isEndedUnpaid(row);

export type SubscriptionEmailKind = 'past_due_mail' | 'recovered_mail' | 'unpaid_mail' | 'ended_mail';

export const templates: Record<SubscriptionEmailKind, SubscriptionTemplate> = {
  past_due_mail: {
    about: ['declined'],
    isTrue: row => row.status === 'past_due' || isUnpaid(row),
    sent: 'past_due_email',
    write: ({ merchant, plan, amount, digits, on, next }) => ({
      subject: `No pudimos cobrar tu suscripción a ${merchant}`,
      lines: [
        `El ${es(on)} fue rechazado el cobro de ${amount} COP de tu suscripción ${plan} (tarjeta terminada en ${digits}).`,
        ...(next
          ? [
              `Lo intentaremos de nuevo el ${es(next)}. Antes de esa fecha, revisa tu tarjeta o registra otra con ${merchant}.`,
            ]
          : []),
        `On ${en(on)} the charge of ${amount} COP for your subscription ${plan} was declined (card ending in ${digits}).`,
        ...(next
          ? [`We will retry on ${en(next)}. Before then, check your card or register another one with ${merchant}.`]
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
        `El ${es(on)} cobramos ${amount} COP de tu suscripción ${plan} (tarjeta terminada en ${digits}). Gracias por tu pago.`,
        `On ${en(on)} we charged ${amount} COP for your subscription ${plan} (card ending in ${digits}). Thank you for your payment.`,
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
        `No pudimos cobrar ${amount} COP de tu suscripción ${plan} y no haremos más intentos.`,
        ...(next
          ? [`La suscripción termina el ${es(next)}. Para conservarla, registra antes otra tarjeta con ${merchant}.`]
          : []),
        `We could not charge ${amount} COP for your subscription ${plan} and will make no more attempts.`,
        ...(next
          ? [`The subscription ends on ${en(next)}. To keep it, register another card with ${merchant} before then.`]
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
        `El ${es(on)} terminó tu suscripción ${plan} porque no pudimos cobrar ${amount} COP. No haremos más cobros.`,
        `On ${en(on)} your subscription ${plan} ended because we could not charge ${amount} COP. We will make no more charges.`,
      ],
    }),
  },
};
