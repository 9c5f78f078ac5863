/**
 * What we need from an acquirer. Every request has an idempotency key: repeated, it gets the same answer and moves no
 * money twice.
 */
import type { ErrorKind } from '../../platform/errors';
import type { Money } from '../../platform/money';
import type { Sealed } from '../../platform/vault/seal';

/** A card as the database stores it. Its sealed secrets are bound to the merchant and to the row with this id. */
export interface SealedCard {
  id: string;
  merchant_id: string;
  holder_name: string;
  expiration_month: string;
  expiration_year: string;
  number_sealed: Sealed;
  cvv2_sealed?: Sealed | null;
}

/** A bank account as the database stores it. Its number is bound to the merchant and to the row with this id. */
export interface SealedAccount {
  id: string;
  merchant_id: string;
  bank: string;
  type: string;
  number_sealed: Sealed;
}

/** What the acquirer knows of a card; null where it does not say. */
export interface Issuer {
  type: 'credit' | 'debit' | null;
  bank_name: string | null;
  bank_code: string | null;
  /** ISO 3166, two letters. */
  country: string | null;
}

interface Approved {
  approved: true;
  /** The acquirer's own code. */
  authorization: string;
  issued?: PaymentInstructions;
  /** Of a card that was verified. */
  issuer?: Issuer;
}

/** What kind of charge it is. Banks judge a charge by it. */
export interface ChargeDetails {
  /** By the clock of whoever is charged, which test clocks move: the card may have expired. */
  at?: Date | undefined;
  /** Whether the cardholder is there, or the merchant charges by agreement. */
  initiated_by: 'customer' | 'merchant';
  /** Whether the card was saved before. */
  stored_credential: boolean;
  /** Of charges that an agreement repeats. */
  series?: 'first' | 'later' | undefined;
  /** In how many payments the cardholder pays it back to the bank. */
  installments: number;
}

/** What the payer pays with: the references of a voucher, or the URL of the bank's page. */
export type PaymentInstructions = { reference: string; paybin_reference: string } | { url: string };

/** What the payer's bank shows, and where it sends the payer afterwards. */
export interface BankOrder {
  merchant: string;
  description: string;
  return_url: string;
}

interface Declined {
  approved: false;
  kind: ErrorKind;
  fraud_rules?: string[];
}

export type AcquirerAnswer = Approved | Declined;

/** What the acquirer has stored under a key. */
export type FoundOperation = { known: false } | { known: true; reversed: boolean; answer: AcquirerAnswer };

export interface Acquirer {
  /** Whether the card is good at that time, and what is known of it. No money moves. */
  verify(key: string, card: SealedCard, at?: Date): Promise<AcquirerAnswer>;
  charge(key: string, card: SealedCard, amount: Money, details: ChargeDetails): Promise<AcquirerAnswer>;
  /** Reserves the amount until it is captured or reversed. */
  authorize(key: string, card: SealedCard, amount: Money, details: ChargeDetails): Promise<AcquirerAnswer>;
  /** Here and below `at` is by the clock of whoever pays, which test clocks move: it is settled on the next morning. */
  capture(key: string, authorizationKey: string, amount: Money, at?: Date): Promise<AcquirerAnswer>;
  refund(key: string, chargeKey: string, amount: Money, at?: Date): Promise<AcquirerAnswer>;
  /** Issues a voucher that any store accepts until it is withdrawn. The outcome arrives as a notification. */
  issueVoucher(key: string, amount: Money, expiresAt: Date, at?: Date): Promise<AcquirerAnswer>;
  /** Opens a payment at the payer's bank. The outcome arrives as a notification. */
  openBankPayment(key: string, amount: Money, order: BankOrder, at?: Date): Promise<AcquirerAnswer>;
  /** Sends what was collected to a bank account. */
  payout(key: string, account: SealedAccount, amount: Money, at?: Date): Promise<AcquirerAnswer>;
  /** From now on nobody can pay it. Returns what the payer had decided before, or undefined. */
  withdraw(key: string): Promise<AcquirerAnswer | undefined>;
  /** Undoes what was done under the key. The acquirer refuses any request with that key that arrives later. */
  reverse(key: string): Promise<void>;
  find(key: string): Promise<FoundOperation>;
  /** Gives an order to the simulated acquirer. A real one has nothing like it. */
  simulate(order: string, body: object): Promise<void>;
}

/**
 * There was no answer, or none that can be understood. If `sent`, the request may have arrived; otherwise it did not.
 */
export class NoAnswerError extends Error {
  constructor(
    message: string,
    readonly mayHaveArrived: boolean,
  ) {
    super(message);
  }
}
