/** What we ask of an acquirer. Every request has a key; the same key again gets the same answer and moves nothing twice. */
import type { ErrorName } from '../platform/errors';
import type { Money } from '../platform/money';
import type { Sealed } from '../vault/seal';

/** A card as it lies in the database. `id` is what its secrets are bound to. */
export interface SealedCard {
  id: string;
  holder_name: string;
  expiration_month: string;
  expiration_year: string;
  number_sealed: Sealed;
  cvv2_sealed?: Sealed | null;
}

export interface Approved {
  approved: true;
  /** The acquirer's own code. */
  authorization: string;
  issued?: Issued;
}

/** What the payer is given to pay with: the references of a voucher, or the address at the bank. */
export type Issued = { reference: string; paybin_reference: string } | { url: string };

/** What the payer's bank shows, and where it sends the payer afterwards. */
export interface BankOrder {
  merchant: string;
  description: string;
  return_url: string;
}

export interface Declined {
  approved: false;
  kind: ErrorName;
  fraud_rules?: string[];
}

export type AcquirerAnswer = Approved | Declined;

/** What the acquirer remembers of a key. */
export type FoundOperation = { known: false } | { known: true; reversed: boolean; outcome: AcquirerAnswer };

export interface Acquirer {
  /** Whether the card is good. No money moves. */
  verify(key: string, card: SealedCard): Promise<AcquirerAnswer>;
  charge(key: string, card: SealedCard, amount: Money): Promise<AcquirerAnswer>;
  /** Reserves the amount until it is captured or reversed. */
  authorize(key: string, card: SealedCard, amount: Money): Promise<AcquirerAnswer>;
  capture(key: string, authorized: string, amount: Money): Promise<AcquirerAnswer>;
  refund(key: string, charged: string, amount: Money): Promise<AcquirerAnswer>;
  /** Gives out a voucher that any store takes until it is withdrawn. What becomes of it is told by a notification. */
  voucher(key: string, amount: Money, expires: Date): Promise<AcquirerAnswer>;
  /** Opens a payment at the payer's bank. What becomes of it is told by a notification. */
  bank(key: string, amount: Money, order: BankOrder): Promise<AcquirerAnswer>;
  /** From now on nobody can pay it. Answers what the payer had decided before; undefined where nothing was. */
  withdraw(key: string): Promise<AcquirerAnswer | undefined>;
  /** Undoes what was done under the key, and leaves a tombstone: a request under that key that arrives later is refused. */
  reverse(key: string): Promise<void>;
  find(key: string): Promise<FoundOperation>;
  /** Tells the simulated acquirer what to play. A real one has no such thing. */
  simulate(order: string, body: object): Promise<void>;
}

/** No answer that can be understood. Whether the request arrived is not known, unless it was never sent. */
export class NoAnswerError extends Error {
  constructor(
    message: string,
    readonly sent: boolean,
  ) {
    super(message);
  }
}
