/**
 * The acquirer interface. Every request has an idempotency key: a repeated request gets the same answer and moves no
 * money twice.
 */
import type { ErrorKind } from '../../platform/errors';
import type { Money } from '../../platform/money';
import type { Sealed } from '../../platform/vault/seal';

/** A stored card. Its sealed secrets are bound to the merchant and to this row ID. */
export interface SealedCard {
  id: string;
  merchant_id: string;
  holder_name: string;
  expiration_month: string;
  expiration_year: string;
  number_sealed: Sealed;
  cvv2_sealed?: Sealed | null;
}

/** A stored bank account. Its sealed number is bound to the merchant and to this row ID. */
export interface SealedAccount {
  id: string;
  merchant_id: string;
  bank: string;
  type: string;
  number_sealed: Sealed;
}

/** Issuer data of a card; null where the acquirer does not report it. */
export interface Issuer {
  type: 'credit' | 'debit' | null;
  bank_name: string | null;
  bank_code: string | null;
  /** ISO 3166 alpha-2. */
  country: string | null;
}

interface Approved {
  approved: true;
  authorization: string;
  issued?: PaymentInstructions;
  /** Reported for card verifications. */
  issuer?: Issuer;
}

/** Charge attributes that issuers use in their decision. */
export interface ChargeDetails {
  /** Time by the payer's clock, which test clocks move: the card can have expired by then. */
  at?: Date | undefined;
  /** `customer` if the cardholder is present, `merchant` for a charge by agreement. */
  initiated_by: 'customer' | 'merchant';
  stored_credential: boolean;
  /** Position in a series of recurring charges. */
  series?: 'first' | 'later' | undefined;
  /** Number of installments (cuotas) that the cardholder pays to the bank. */
  installments: number;
}

/** Stores that accept one of the references of a voucher. */
export interface StoreNetwork {
  name: string;
  stores: string[];
}

export interface VoucherReferences {
  reference: string;
  paybin_reference: string;
  /** The networks of the two references, in this order; absent if the acquirer does not report them. */
  networks?: StoreNetwork[];
}

/** A Bre-B payment. The acquirer attributes what payers send to the key, or pay with the QR code, to this payment. */
export interface BreBCode {
  /** The merchant's key (llave). */
  key: string;
  /** The EMVCo text of a dynamic QR code for the amount. */
  qr: string;
  /** A page that opens the payment in a banking app, if the acquirer has one. */
  url?: string;
}

/** References of a voucher, key and QR code of a Bre-B payment, or the URL of the bank's page. */
export type PaymentInstructions = VoucherReferences | BreBCode | { url: string };

/** Texts for the payer's bank, and the URL to which it redirects the payer. */
export interface BankOrder {
  merchant: string;
  description: string;
  return_url: string;
}

/** The deadline of a voucher, what a bank needs, or both for Bre-B. */
export type PaymentOrder = { expires: string } | BankOrder | (BankOrder & { expires: string });

/** The issuer's instruction about another attempt with this card, which overrides the reason of the decline. */
export type MerchantAdvice = 'do_not_retry' | { retry_after_hours: number };

interface Declined {
  approved: false;
  kind: ErrorKind;
  advice?: MerchantAdvice;
  fraud_rules?: string[];
}

export type AcquirerAnswer = Approved | Declined;

export type FoundOperation = { known: false } | { known: true; reversed: boolean; answer: AcquirerAnswer };

export interface Acquirer {
  /** Verifies the card at that time and returns its issuer data. Moves no money. */
  verify(key: string, card: SealedCard, at?: Date): Promise<AcquirerAnswer>;
  charge(key: string, card: SealedCard, amount: Money, details: ChargeDetails): Promise<AcquirerAnswer>;
  /** Reserves the amount until it is captured or reversed. */
  authorize(key: string, card: SealedCard, amount: Money, details: ChargeDetails): Promise<AcquirerAnswer>;
  /** Here and below, `at` is the time by the payer's clock, which determines the settlement day. */
  capture(key: string, authorizationKey: string, amount: Money, at?: Date): Promise<AcquirerAnswer>;
  refund(key: string, chargeKey: string, amount: Money, at?: Date): Promise<AcquirerAnswer>;
  /**
   * Issues a payment that stores or the payer's bank accept until it is withdrawn. The outcome arrives as a notification.
   * Each payment method has its own operation.
   */
  issue(operation: string, key: string, amount: Money, order: PaymentOrder, at?: Date): Promise<AcquirerAnswer>;
  /** Sends collected money to a bank account. */
  payout(key: string, account: SealedAccount, amount: Money, at?: Date): Promise<AcquirerAnswer>;
  /** Makes an issued payment unpayable. Returns the payer's earlier decision, or undefined. */
  withdraw(key: string): Promise<AcquirerAnswer | undefined>;
  /** Reverses the operation of the key. The acquirer refuses later requests with this key. */
  reverse(key: string): Promise<void>;
  find(key: string): Promise<FoundOperation>;
  /** Controls the simulated acquirer; a real acquirer has no such request. */
  simulate(order: string, body: object): Promise<void>;
}

/** No answer, or an invalid one. Without `mayHaveArrived` the request never reached the acquirer. */
export class NoAnswerError extends Error {
  constructor(
    message: string,
    readonly mayHaveArrived: boolean,
  ) {
    super(message);
  }
}
