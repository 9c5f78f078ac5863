/** The texts of e-mails to payers in each language. */
import type { Day } from '../../../../workflows/calendar';
import type { PayerEmailName } from '../../../accounts/merchants/fields';
import type { PaymentLinkRow } from '../../../billing/paymentLinks/rows';
import type { ErrorKind } from '../../../platform/errors';

export type SubscriptionEmailKind = Exclude<PayerEmailName, 'receipt' | 'refunded' | 'voucher'>;

/** Text from users has gone through `oneLine`. */
interface SubscriptionFacts {
  merchant: string;
  plan: string;
  amount: string;
  /** The last digits of the last card charged, or of the present one. */
  digits: string;
  /** The day of the event that the e-mail is about. */
  on: Day;
  /** The day of the next charge, of the end, or of the beginning of a pause or of a change. */
  next: Day | undefined;
  /** The day on which a pause ends. */
  until: Day | undefined;
  /** The reason of the decline, in plain words. */
  reason: string | undefined;
  /** Whether the card must not be charged again. */
  needsNewCard: boolean;
  hasLink: boolean;
}

interface Letter {
  subject: string;
  lines: readonly string[];
  /** The text of the button, if there is a link. */
  button?: string;
}

export interface EmailWords {
  greeting(name: string): string;
  unexpected: string;
  day(day: Day): string;
  /** Reasons of declines, and the one of all other declines. Payers do not read that their card was reported as stolen. */
  declines: Partial<Record<ErrorKind, string>>;
  declined: string;
  methods: { card: (brand: string, digits: string) => string; store: string; other: string };
  labels: {
    concept: string;
    plan: string;
    method: string;
    date: string;
    iva: string;
    authorization: string;
    order: string;
    reference: string;
    until: string;
    of: string;
  };
  subscription: Record<SubscriptionEmailKind, (facts: SubscriptionFacts) => Letter>;
  receipt(merchant: string): Letter;
  /** `total`: of the charge, if a part of it was refunded. */
  refunded(merchant: string, total: string | undefined): Letter;
  voucher(merchant: string): Letter;
  links: Record<PaymentLinkRow['kind'], (merchant: string, price: string | null, about: string) => Letter>;
}
